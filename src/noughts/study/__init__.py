"""Studying games and searches: reviews of playthroughs, chances, the benchmark."""
