"""Measures: (original, masked) -> 0..100, less is better. A new one needs a file and a menu entry."""

from shoal._shared.options import warn_renamed
from shoal.measures.check import Verdict, check
from shoal.measures.column_covers import ColumnCovers, column_covers, unread_cells
from shoal.measures.description.column_changes import column_changes
from shoal.measures.description.column_losses import ColumnLoss, column_losses
from shoal.measures.description.describe_columns import ColumnFacts, describe_columns
from shoal.measures.description.learned_accuracy import LearnedAccuracy, learned_accuracy
from shoal.measures.description.pair_changes import PairChange, pair_changes
from shoal.measures.description.partition_similarity import (
    adjusted_rand_index,
    fowlkes_mallows_index,
    jaccard_index,
    mantaras_distance,
    rand_index,
    wallace_index,
)
from shoal.measures.description.swap_facts import SwapFacts, swap_facts
from shoal.measures.description.users_notice import users_notice
from shoal.measures.description.weighted_totals import weighted_totals
from shoal.measures.loss.clustering_loss import clustering_loss
from shoal.measures.loss.ctbil import ctbil
from shoal.measures.loss.dbil import dbil
from shoal.measures.loss.ebil import ebil
from shoal.measures.loss.eigen_loss import eigen_loss
from shoal.measures.loss.gcp import gcp
from shoal.measures.loss.moment_losses import il1s, il2, il3, il4, il5, il_loss
from shoal.measures.loss.pil_loss import pil_loss, pil_parts
from shoal.measures.loss.pmse_loss import pmse_loss
from shoal.measures.loss.regression_loss import regression_loss
from shoal.measures.loss.sse_loss import sse_loss
from shoal.measures.risk.assignment_linkage import assignment_linkage
from shoal.measures.risk.attribute_risks import attribute_risks, presence
from shoal.measures.risk.cover_linkage import Linkage, cover_linkage
from shoal.measures.risk.distance_linkage_risk import distance_linkage_risk
from shoal.measures.risk.individual_risk import (
    global_risk,
    household_risks,
    individual_risk,
    individual_risks,
)
from shoal.measures.risk.interval_risk import interval_risk
from shoal.measures.risk.k_anonymity import (
    anonymity_level,
    class_sizes,
    equivalence_classes,
    k_anonymity,
    violating_classes,
    violating_records,
)
from shoal.measures.risk.l_diversity import class_diversity, diversity_level, l_diversity
from shoal.measures.risk.mahalanobis_risk import mahalanobis_risk
from shoal.measures.risk.population.dankar import dankar_uniques
from shoal.measures.risk.population.log_linear import LogLinearRisk, log_linear_risk
from shoal.measures.risk.population.pitman import pitman_uniques
from shoal.measures.risk.population.snb import snb_uniques
from shoal.measures.risk.population.zayatz import zayatz_uniques
from shoal.measures.risk.population_sizes import population_sizes
from shoal.measures.risk.probabilistic_linkage_risk import linkage_weights, probabilistic_linkage_risk
from shoal.measures.risk.prosecutor_risk import prosecutor_risk, records_at_risk
from shoal.measures.risk.record_risks import record_risks, riskiest_combinations
from shoal.measures.risk.risk_facts import KeyFact, RiskFacts, risk_facts
from shoal.measures.risk.risky_combinations import risky_combinations
from shoal.measures.risk.suda2 import sample_uniques, suda2, suda_scores
from shoal.measures.risk.suda_contributions import suda_contributions
from shoal.measures.risk.t_closeness import class_closeness, closeness, t_closeness
from shoal.types import Measure

__all__ = [
    "FURTHER_RISK",
    "LOSS",
    "RISK",
    "ColumnCovers",
    "ColumnFacts",
    "ColumnLoss",
    "KeyFact",
    "LearnedAccuracy",
    "Linkage",
    "LogLinearRisk",
    "PairChange",
    "RiskFacts",
    "SwapFacts",
    "Verdict",
    "adjusted_rand_index",
    "anonymity_level",
    "assignment_linkage",
    "attribute_risks",
    "check",
    "class_closeness",
    "class_diversity",
    "class_sizes",
    "closeness",
    "clustering_loss",
    "column_changes",
    "column_covers",
    "column_losses",
    "cover_linkage",
    "ctbil",
    "dankar_uniques",
    "dbil",
    "describe_columns",
    "distance_linkage_risk",
    "diversity_level",
    "ebil",
    "eigen_loss",
    "equivalence_classes",
    "fowlkes_mallows_index",
    "gcp",
    "global_risk",
    "household_risks",
    "il1s",
    "il2",
    "il3",
    "il4",
    "il5",
    "il_loss",
    "individual_risk",
    "individual_risks",
    "interval_risk",
    "jaccard_index",
    "k_anonymity",
    "l_diversity",
    "learned_accuracy",
    "linkage_weights",
    "log_linear_risk",
    "mahalanobis_risk",
    "mantaras_distance",
    "pair_changes",
    "pil_loss",
    "pil_parts",
    "pitman_uniques",
    "pmse_loss",
    "population_sizes",
    "presence",
    "probabilistic_linkage_risk",
    "prosecutor_risk",
    "rand_index",
    "record_risks",
    "records_at_risk",
    "regression_loss",
    "risk_facts",
    "riskiest_combinations",
    "risky_combinations",
    "sample_uniques",
    "snb_uniques",
    "sse_loss",
    "suda2",
    "suda_contributions",
    "suda_scores",
    "swap_facts",
    "t_closeness",
    "unread_cells",
    "users_notice",
    "violating_classes",
    "violating_records",
    "wallace_index",
    "weighted_totals",
    "zayatz_uniques",
]

LOSS: tuple[Measure, ...] = (
    sse_loss,
    il1s,
    il2,
    il3,
    il4,
    il5,
    il_loss,
    pil_loss,
    eigen_loss,
    regression_loss,
    pmse_loss,
    gcp,
    dbil,
    ctbil,
    ebil,
)
RISK: tuple[Measure, ...] = (
    interval_risk,
    distance_linkage_risk,
    probabilistic_linkage_risk,
    k_anonymity,
    l_diversity,
    t_closeness,
    suda2,
    individual_risk,
)
# not run unless asked for: evaluate(..., risk=[*RISK, *FURTHER_RISK])
FURTHER_RISK: tuple[Measure, ...] = (
    prosecutor_risk,
    records_at_risk,
    mahalanobis_risk,
)


def __getattr__(name: str) -> tuple[Measure, ...]:
    if name == "UTILITY":
        warn_renamed("UTILITY", "LOSS")
        return LOSS
    raise AttributeError(f"module 'shoal.measures' has no attribute {name!r}")
