"""The reference files: where they come from and what their columns are. One entry per file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_SDCMICRO = "the R package sdcMicro (github.com/sdcTools/sdcMicro, folder data)"
_UCI = "the UCI Machine Learning Repository, data set "
_PATHS = "github.com/SzaszAlpar/MM, folder Datasets (Maya-Lopez, Casino, Solanas, Symmetry 2021)"

_ADULT_EDUCATION = (
    *("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad"),
    *("Some-college", "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate"),
)
_SALARY = ("<=50K", ">50K")
_HOUSING = "urbrur roof walls water* electcon relat* sex hhcivil"
_FLARE_ORDINAL = "evolution previous_24h_activity area area_largest_spot *_flares"


@dataclass(frozen=True)
class Reference:
    """One reference file.

    Roles and kinds name columns, separated by blanks; `*` stands for any letters. The first that fits wins,
    in the order identifier, confidential, quasi and numeric, ordinal, nominal; a column that none names
    is "other" and keeps the kind its values have.
    """

    name: str
    path: str  # inside the folder of reference files
    records: int
    columns: int
    what: str
    origin: str  # who publishes it
    identifier: str = ""
    confidential: str = ""
    quasi: str = ""
    numeric: str = ""
    ordinal: str = ""
    nominal: str = ""
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)


REFERENCES: tuple[Reference, ...] = (
    Reference(
        *("census", "sdcmicro/CASCrefmicrodata.csv", 1080, 13),
        what="US persons, income and tax of 1995; the first test file of every microaggregation paper",
        origin=_SDCMICRO,
        quasi="*",
    ),
    Reference(
        *("tarragona", "sdcmicro/Tarragona.csv", 834, 13),
        what="companies of the Tarragona area, balance sheets of 1995",
        origin=_SDCMICRO,
        quasi="*",
    ),
    Reference(
        *("eia", "sdcmicro/EIA.csv", 4092, 15),
        what="monthly electricity sales of US utilities, 1996",
        origin=_SDCMICRO,
        identifier="UTILNAME",
        quasi="UTILITYID *REVENUE *SALES",  # the eleven columns the papers take
        nominal="YEAR MONTH",
    ),
    Reference(
        *("testdata", "sdcmicro/testdata.csv", 4580, 15),
        what="household survey of incomes and expenditures, with weights",
        origin=_SDCMICRO,
        identifier="ori_hid",
        confidential="expend income savings",
        quasi=f"{_HOUSING} age",
        nominal=f"ori_hid {_HOUSING}",
    ),
    Reference(
        *("testdata2", "sdcmicro/testdata2.csv", 93, 19),
        what="small sibling of testdata with ready-made coarser codes",
        origin=_SDCMICRO,
        identifier="ori_hid",
        confidential="expend income savings",
        quasi=f"{_HOUSING} age",
        nominal=f"ori_hid {_HOUSING}",
    ),
    Reference(
        *("free1", "sdcmicro/free1.csv", 4000, 34),
        what="made-up labour force survey, the demonstration file of mu-Argus",
        origin=_SDCMICRO,
        confidential="INCOME MONEY ASSETS DEBTS",
        quasi="[!W]*",  # mu-Argus calls everything but the weight and the amounts identifying
        numeric="AGE NUMYOUNG NUMOLD WEIGHT INCOME MONEY ASSETS DEBTS",
        nominal="*",
    ),
    Reference(
        *("francdat", "sdcmicro/francdat.csv", 8, 8),
        what="eight made-up records that show individual risk",
        origin=_SDCMICRO,
        confidential="Num*",
        quasi="Key*",
        nominal="Key*",
    ),
    Reference(
        *("casc1", "sdcmicro/casc1.csv", 13, 7),
        what="small artificial file of Mateo-Sanz and others",
        origin=_SDCMICRO,
        quasi="*",
    ),
    Reference(
        *("microdata", "sdcmicro/microData.csv", 13, 6),
        what="small artificial file of the sdcMicro authors",
        origin=_SDCMICRO,
        identifier="id",
        quasi="*",
        nominal="id",
    ),
    Reference(
        *("adult", "adult/adult.csv.gz", 48842, 16),
        what="US persons and whether they earn more than 50 000 dollars, 1994, with missing values",
        origin=_UCI + "Adult",
        confidential="income",
        quasi="age workclass education marital-status occupation race sex native-country",
        orders={"education": _ADULT_EDUCATION, "income": _SALARY},
    ),
    Reference(
        *("adult_arx", "adult/adult_arx_30162.csv.gz", 30162, 9),
        what="the complete records of adult in nine columns, the benchmark of the k-anonymity papers",
        origin="ARX (github.com/arx-deidentifier/arx, data/adult.csv)",
        confidential="salary-class",
        quasi="*",
        orders={"education": _ADULT_EDUCATION, "salary-class": _SALARY},
    ),
    Reference(
        *("german_credit", "german_credit/german_credit.csv", 1000, 21),
        what="applicants for credit at a German bank and their risk",
        origin=_UCI + "Statlog (German Credit Data)",
        confidential="credit_amount savings checking_status risk",
        quasi="age personal_status_sex job housing residence_since foreign_worker num_dependents",
        ordinal="installment_rate residence_since existing_credits num_dependents",
        nominal="risk",
    ),
    Reference(
        *("credit_default", "credit_default/credit_default.csv.gz", 30000, 25),
        what="credit card holders in Taiwan, bills and payments of 2005",
        origin=_UCI + "Default of Credit Card Clients",
        identifier="ID",
        confidential="PAY_* BILL_AMT* default_payment_next_month",
        quasi="SEX EDUCATION MARRIAGE AGE LIMIT_BAL",
        numeric="PAY_AMT*",
        ordinal="PAY_*",
        nominal="ID SEX EDUCATION MARRIAGE default_payment_next_month",
    ),
    Reference(
        *("cmc", "cmc/cmc.csv", 1473, 10),
        what="married women in Indonesia and contraception, 1987",
        origin=_UCI + "Contraceptive Method Choice",
        confidential="Wifes_religion Contraceptive_method_used",
        quasi="Wifes_age Wifes_education Husbands_education Number_of_children_ever_born Husbands_occupation",
        numeric="Wifes_age Number_of_children_ever_born",
        ordinal="*_education Standard-of-living_index",
        nominal="*",
    ),
    Reference(
        *("compas", "compas/compas.csv", 6172, 11),
        what="accused persons in Florida and their risk scores; real persons, for tests only",
        origin="ProPublica (copy with these columns: github.com/fairrepair/fair-repair, data/compas.data)",
        confidential="score_text decile_score Class",
        quasi="age sex race c_charge_degree priors_count",
        ordinal="decile_score",
        nominal="Class",
        orders={
            "age_cat": ("Less than 25", "25 - 45", "Greater than 45"),
            "score_text": ("Low", "Medium", "High"),
        },
    ),
    Reference(
        *("fars", "fars/fars_subset.csv.gz", 10093, 8),
        what="persons in deadly traffic accidents in the US, a benchmark of ARX",
        origin="github.com/fstahnke/arx-new-algorithms, data/fars_subset.csv",
        quasi="*",
        ordinal="iage",
        nominal="ideathday",
    ),
    Reference(
        *("mach2019", "mach2019/mach2019_int.csv.gz", 73489, 16),
        what="answers to a psychological test in arbitrary codes, a benchmark of ARX",
        origin="github.com/arx-deidentifier/genetic-benchmark",
        confidential="Q*A",
        quasi="age familysize gender married race religion",
        nominal="*",
    ),
    Reference(
        *("solar_flare", "solar_flare/flare2.csv", 1066, 13),
        what="sunspot regions, all codes; the categorical test file of the PRAM papers",
        origin=_UCI + "Solar Flare (flare.data2)",
        quasi="*",
        ordinal=_FLARE_ORDINAL,
        nominal="*",
    ),
    Reference(
        *("solar_flare1", "solar_flare/flare1.csv", 323, 13),
        what="the smaller part of solar flare",
        origin=_UCI + "Solar Flare (flare.data1)",
        quasi="*",
        ordinal=_FLARE_ORDINAL,
        nominal="*",
    ),
    Reference(
        *("water_treatment", "water_treatment/water_treatment.csv", 527, 39),
        what="daily sensor readings of a water treatment plant, with missing values",
        origin=_UCI + "Water Treatment Plant",
        identifier="date",
        quasi="*",
    ),
    Reference(
        *("wine_quality", "wine_quality/wine_quality.csv", 6497, 13),
        what="chemical measures and quality of Portuguese wines, many ties",
        origin=_UCI + "Wine Quality",
        confidential="quality",
        quasi="*acid* residual_sugar chlorides *_dioxide density pH sulphates alcohol",
        ordinal="quality",
    ),
    Reference(
        *("abalone", "abalone/abalone.csv", 4177, 9),
        what="size, weight and age of sea snails; papers take the eight numeric columns",
        origin=_UCI + "Abalone",
        quasi="length diameter height *_weight rings",
    ),
    Reference(
        *("cloud", "cloud/cloud.csv", 1024, 10),
        what="measures of cloud pictures (one of the two parts, unknown which)",
        origin=_UCI + "Cloud",
        quasi="*",
    ),
    Reference(
        *("comp_activ", "comp_activ/comp_activ.csv.gz", 8192, 22),
        what="activity counters of a computer, many zeros and ties",
        origin="DELVE, University of Toronto, data set comp-activ",
        quasi="*",
    ),
    Reference(
        *("california_housing", "california_housing/california_housing.csv.gz", 20640, 9),
        what="block groups of the 1990 US census: place, housing, median income",
        origin="StatLib, data set houses (Pace and Barry 1997)",
        quasi="longitude latitude",
    ),
    Reference(
        *("barcelona", "locations/barcelona.csv.gz", 969, 60),
        what="paths of 30 points in Barcelona",
        origin=_PATHS,
        quasi="*",
    ),
    Reference(
        *("madrid", "locations/madrid.csv.gz", 959, 60),
        what="paths of 30 points in Madrid",
        origin=_PATHS,
        quasi="*",
    ),
    Reference(
        *("tarraco", "locations/tarraco.csv.gz", 932, 60),
        what="paths of 30 points in Tarragona",
        origin=_PATHS,
        quasi="*",
    ),
)
