"""How many records are alone in the population too, when only a sample of it is seen."""
