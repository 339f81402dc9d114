"""The five console programs that noughts grew out of, with their dialogues, on the rules and searches of noughts."""
