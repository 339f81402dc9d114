"""Features of later versions."""

annotations = True
