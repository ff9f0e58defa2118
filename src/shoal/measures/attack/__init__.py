"""Intruders that are run: each knows something, guesses, and is compared with a coin that knows the same."""

from shoal.measures.attack.attribute_inference import attribute_inference
from shoal.measures.attack.interval_guess import interval_guess
from shoal.measures.attack.nearest_record import nearest_record
from shoal.measures.attack.pram_inversion import pram_inversion
from shoal.measures.attack.probabilistic_link import probabilistic_link
from shoal.measures.attack.regrouping import regrouping
from shoal.measures.attack.scene import Finding, Intruder, Scene
from shoal.measures.attack.singling_out import singling_out
from shoal.measures.attack.specific_cover import specific_cover
from shoal.measures.attack.two_releases import two_releases
from shoal.measures.attack.unshuffle import unshuffle

__all__ = ["ATTACKS", "Finding", "Intruder", "Scene"]

ATTACKS: tuple[Intruder, ...] = (
    nearest_record,
    specific_cover,
    probabilistic_link,
    interval_guess,
    singling_out,
    attribute_inference,
    two_releases,
    regrouping,
    pram_inversion,
    unshuffle,
)
