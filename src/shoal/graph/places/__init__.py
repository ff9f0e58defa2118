"""Places: gazetteers, and free text found in them."""

from shoal.graph.places.gazetteer import towns
from shoal.graph.places.match_places import match_places
from shoal.graph.places.world_countries import place_names, world

__all__ = ["match_places", "place_names", "towns", "world"]
