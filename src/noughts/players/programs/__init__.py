"""Programs as players: run under supervision, within limits, and always ended."""
