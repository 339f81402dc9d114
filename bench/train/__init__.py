"""Makes the networks of the package: rows of self-play, then training on them."""
