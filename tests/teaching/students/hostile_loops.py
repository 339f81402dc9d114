def search(position):
    while True:
        pass
