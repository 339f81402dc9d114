"""Exams: what each task asks a submission, and how the answers are judged."""
