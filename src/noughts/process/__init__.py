"""Other processes: programs of others under supervision, within limits, in a sandbox; workers of our own."""
