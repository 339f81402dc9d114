def search(position)
    return 0, 0
