"""How the networks of the package are made: rows of self-play, then training on them."""
