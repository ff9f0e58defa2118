"""What maskers learn from a file: options that are computed become values, for the next file.

A fitter is `fit_masker(table, **options) -> {option: value}` with the options of its masker; an option that
is not needed any more becomes None. What has no fitter stands in `RUN_ANEW` with the reason.
"""

from collections.abc import Callable, Mapping
from typing import Any

from shoal.masking.fitting.fit_coding import fit_bottom_code, fit_top_code
from shoal.masking.fitting.fit_microaggregate import fit_microaggregate
from shoal.masking.fitting.fit_mondrian import fit_mondrian
from shoal.masking.fitting.fit_multivariate_top_code import fit_multivariate_top_code
from shoal.masking.fitting.fit_noise import fit_add_noise
from shoal.masking.fitting.fit_pram import fit_pram
from shoal.masking.fitting.fit_recode import fit_global_recode, kept_hierarchies
from shoal.masking.fitting.join_centres import join_centres
from shoal.masking.fitting.mask_strata import mask_strata

FITTERS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "top_code": fit_top_code,
    "bottom_code": fit_bottom_code,
    "global_recode": fit_global_recode,
    "pram": fit_pram,
    "add_noise": fit_add_noise,
    "mondrian": fit_mondrian,
    "multivariate_top_code": fit_multivariate_top_code,
}
RUN_ANEW: Mapping[str, str] = {
    "microaggregate": "its groups are formed anew on every file, unless centres are kept",
    "individual_ranking": "its groups are formed anew on every file",
    "global_median": "its medians are of every file itself",
    "protect_clusters": "its clusters are found anew on every file",
    "suppress_to_k": "which cells must go depends on every file itself",
    "rank_swap": "values change places within one file only",
    "swap_records": "households change places within one file only",
    "shuffle": "values change places within one file only",
    "keep_edits": "it has nothing to learn: its rules are the same for every file",
    "join_centres": "it has nothing to learn: its centres are those of an earlier file",
    "mask_strata": "it has nothing to learn: its options are those of an earlier file",
}

__all__ = [
    "FITTERS",
    "RUN_ANEW",
    "fit_add_noise",
    "fit_bottom_code",
    "fit_global_recode",
    "fit_microaggregate",
    "fit_mondrian",
    "fit_multivariate_top_code",
    "fit_pram",
    "fit_top_code",
    "join_centres",
    "kept_hierarchies",
    "mask_strata",
]
