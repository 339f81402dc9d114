import random


def choose(position):
    return random.randrange(9)
