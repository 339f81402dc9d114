"""``numbers``: in the translation, int and float are the only numbers."""

Real = (int, float)
