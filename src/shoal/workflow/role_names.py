"""Names of columns that tell their role, as laws and offices of several countries call them."""

from __future__ import annotations

import re
import unicodedata

from shoal.types import Role

# The 18 identifiers of HIPAA, the variables of EU-SILC, LFS and IPUMS, and how German, French, Spanish,
# Italian, Portuguese, Dutch, Catalan and Scandinavian files call them. Whole names, not parts ("page" is no
# age, "management" no name), in small letters without accents. The first line that fits counts: a household
# is no person.
_WORDS: tuple[tuple[Role, str, str], ...] = (
    (
        "weight",
        r"""(\w+_)?weights? \w*wgt wts? perwt hhwt pwgtp (\w+_)?gewicht hochrechnungsfaktor (\w+_)?poids
        ponderation factor_(de_)?expansion factor_elevacion peso wegingsfactor""",
        "how many people a record stands for",
    ),
    (
        "household",
        r"""house_?hold(_?(id|nr|no))? hh(_?id)? hid ori_hid famil(y|ia)_?id haushalt(s?_?(id|nr|nummer))?
        (id_?)?menage hogar(_?id)? id_?hogar famiglia huishouden(_?(id|nr))? agregado domicilio llar
        hushall(_?id)?""",
        "who lives together",
    ),
    (
        "identifier",
        r"""(first|last|sur|full|user|family|nick)?_?name e_?mail (tele)?phone fax mobile ssn
        social_security.* nhs(_?nr)? passport iban account(_?(no|nr|number))? licen[cs]e.* plate mrn
        medical_record.* health_plan.* serial.* device.* vin url ip(_?address)? address street
        person(_?(id|nr))? patient(_?(id|nr))? id uuid .*_(id|nr|no|uuid) lfd_?nr record nachname
        vorname familienname adresse anschrift strasse telefon(_?(nr|nummer))? steuer_?(id|nr|nummer)
        (kunden|patienten|versicherten|personal|personen)_?(nr|nummer) nom prenom rue nir
        numero_(de_)?securite_sociale nombre apellidos? direccion calle telefono dni nif nie curp
        cognome indirizzo via codice_fiscale sobrenome apelido endereco morada cpf achternaam voornaam
        adres straat bsn telefoon(nummer)? cognoms? adreca personnummer personnr cpr fornavn etternavn
        efternamn fodselsnummer""",
        "names a record",
    ),
    (
        "confidential",
        r"""income.* salar.* wage.* pay earning.* tax.* debt.* saving.* asset.* wealth benefit.* diagnos.*
        disease ill(ness)? icd.* drug.* health(?!_plan).* religion party vote.* crime.* convict.* hiv.*
        test_result (\w+_)?einkommen(_\w+)? gehalt lohn verdienst vermoegen vermogen schulden
        expend.* expens.* revenue.* turnover.* profit.* ausgaben umsatz gewinn
        krankheit(en)? konfession partei revenus? salaire maladie(s)? dettes? patrimoine ingresos? renta
        salario sueldo enfermedad(es)? diagnostico deuda reddito stipendio malattia diagnosi debiti
        rendimento renda salario doenca inkomen loon salaris ziekte schuld renda_\w+ malaltia inkomst
        lon inntekt indkomst sygdom sykdom""",
        "what people do not want known",
    ),
    (
        "quasi",
        r"""age.* (date_of_)?birth.* dob born sex gender zip.* post_?code plz city town village munic.*
        region state county country province nation.* race ethnic.* marital.* education.* degree
        school.* occupation job work profession employ.* activity household_?size children relationship
        language native.* height admission.* discharge.* death.* settlement tenure
        alter(sgruppe|sklasse)? geschlecht geburts(datum|jahr|tag|ort|land) wohnort ort gemeinde kreis
        landkreis bundesland land staatsangehoerigkeit staatsangehorigkeit nationalitat familienstand
        bildung(sabschluss)? schulabschluss beruf haushaltsgroesse haushaltsgrosse kinder(zahl)? sprache
        groesse grosse sexe date_(de_)?naissance annee_(de_)?naissance commune code_postal departement
        ville pays nationalite etat_civil situation_familiale diplome metier taille edad sexo
        fecha_(de_)?nacimiento municipio provincia pais comunidad(_autonoma)? nacionalidad estado_civil
        estudios ocupacion profesion codigo_postal eta sesso data_(di_)?nascita comune provincia
        cittadinanza stato_civile titolo_(di_)?studio professione idade data_(de_)?nascimento concelho
        distrito freguesia nacionalidade escolaridade profissao leeftijd geslacht
        geboorte(datum|jaar|land) gemeente provincie nationaliteit burgerlijke_staat opleiding beroep
        postcode edat municipi comarca estat_civil alder kon kjonn koen kommune kommun fylke lan
        utbildning uddannelse yrke""",
        "known to neighbours, colleagues or registers",
    ),
    ("stratum", r"strat(um|a) schicht strate estrato", "what the sample was drawn by"),
)
NAMES: tuple[tuple[Role, str, str], ...] = tuple(
    (role, "|".join(words.split()), reason) for role, words, reason in _WORDS
)

POSTCODES = r"(.*_)?(zip(_?code)?|post_?(al_?)?code|plz|codigo_postal|code_postal|cp)"

# Numbers that are names: classifications and places. A mean of two of them is a third one, or none at all.
CODES = (
    r"(.*_)?(zip(_?code)?|post_?(al_?)?code|plz|codigo_postal|code_postal|cp|municip.*|gemeinde\w*|commune|comune"
    r"|gemeente"
    r"|nuts\d?|lau\d?|fips|geo_?id|tract|puma|region|state|county|country|province|provinc(ia|ie)|district|departement"
    r"|icd\w*|isco\w*|isic|nace\w*|naics|soc|sic|code|codes|nr|no|id)"
)


def plain_name(name: str) -> str:
    """A column's name in small letters, without accents, words joined by _.

    >>> plain_name("État civil"), plain_name("Größe (cm)")
    ('etat_civil', 'grosse_cm')
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return re.sub(r"[^a-z0-9]+", "_", "".join(c for c in letters if not unicodedata.combining(c))).strip("_")
