"""Games with a friend by link."""
