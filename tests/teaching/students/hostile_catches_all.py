def search(position):
    while True:
        try:
            position.play(position.legal_moves[0])
            position.undo()
        except Exception:
            pass
