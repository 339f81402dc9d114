def search(position):
    return search(position)
