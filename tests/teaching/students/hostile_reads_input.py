name = input("Your name? ")


def search(position):
    return 0, 0
