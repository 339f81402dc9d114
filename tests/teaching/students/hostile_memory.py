def search(position):
    seen = []
    while True:
        seen.append(bytearray(1 << 20))
