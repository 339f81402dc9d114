"""The process of a submission: loads it, answers questions with it, and records what it does."""
