def choose(position):
    """Completes its own line, and does not look at the opponent's."""
    for move in position.legal_moves:
        if position.after(move).winner == position.turn:
            return position.format_move(move)
    for name in ("b2", "a1", "a3", "c1", "c3", "a2", "b1", "b3", "c2"):
        if position.is_legal(position.parse_move(name)):
            return name
