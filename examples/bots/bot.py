"""A bot in Python: reads a question a line, answers with a legal move. Make it cleverer where it chooses."""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)  # game, position, moves, legal, time_ms
    print(json.dumps({"move": random.choice(question["legal"])}), flush=True)
