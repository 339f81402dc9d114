"""``python -m noughts``: the ``noughts`` command, for when its script is not on the path."""

from noughts.cli import main

if __name__ == "__main__":
    main("python -m noughts")
