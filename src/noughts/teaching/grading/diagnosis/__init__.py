"""Diagnosis: which mistake explains wrong answers, too many nodes or a wrong tree."""
