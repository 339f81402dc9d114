"""The five console programs that noughts grew out of. Each says and asks what it always did; rules and searches are
those of the rest of noughts."""
