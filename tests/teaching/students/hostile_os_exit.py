import os


def search(position):
    os._exit(3)
