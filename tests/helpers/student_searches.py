"""Searches as students write them: correct ones in several styles, and wrong ones with one mistake each."""

from __future__ import annotations

from noughts.games import Position, Side

Answer = tuple[int, int | None]


def utility(position: Position) -> int:
    return 0 if position.winner is None else (1 if position.winner is Side.X else -1)


def right_alphabeta(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    if position.is_over:
        return utility(position), None
    best: int | None = None
    best_move = None
    for move in position.legal_moves:
        position.play(move)
        value, _ = right_alphabeta(position, alpha, beta)
        position.undo()
        if best is None or (value > best if position.turn is Side.X else value < best):
            best, best_move = value, move
        if position.turn is Side.X:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    assert best is not None
    return best, best_move


def right_with_copies(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """Plays on new positions instead of taking moves back, and returns alpha or beta themselves (fail-hard)."""
    if position.is_over:
        return utility(position), None
    best_move = None
    for move in reversed(position.legal_moves):
        value, _ = right_with_copies(position.after(move), alpha, beta)
        if position.turn is Side.X and value > alpha:
            alpha, best_move = value, move
        elif position.turn is Side.O and value < beta:
            beta, best_move = value, move
        if alpha >= beta:
            break
    return (alpha if position.turn is Side.X else beta), best_move


def right_minimax(position: Position) -> Answer:
    if position.is_over:
        return utility(position), None
    found = []
    for move in position.legal_moves:
        position.play(move)
        found.append((right_minimax(position)[0], move))
        position.undo()
    best = max if position.turn is Side.X else min
    return best(found, key=lambda pair: pair[0])


def wrong_bound(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """MAX compares with alpha where it should compare with beta."""
    if position.is_over:
        return utility(position), None
    is_max = position.turn is Side.X
    best, best_move = (-2, None) if is_max else (2, None)
    for move in position.legal_moves:
        position.play(move)
        value, _ = wrong_bound(position, alpha, beta)
        position.undo()
        if value > best if is_max else value < best:
            best, best_move = value, move
        if is_max:
            if best > alpha > -2:
                break
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
            if alpha >= beta:
                break
    return best, best_move


def sign_error(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """Negamax that forgets to negate the value at the leaves."""
    if position.is_over:
        return utility(position), None
    best, best_move = -2, None
    for move in position.legal_moves:
        position.play(move)
        value = -sign_error(position, -beta, -alpha)[0]
        position.undo()
        if value > best:
            best, best_move = value, move
            alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, best_move


def no_undo(position: Position, alpha: int = -2, beta: int = 2) -> Answer:
    """Forgets to take back the move after a cutoff."""
    if position.is_over:
        return utility(position), None
    is_max = position.turn is Side.X
    best, best_move = (-2, None) if is_max else (2, None)
    for move in position.legal_moves:
        position.play(move)
        value, _ = no_undo(position, alpha, beta)
        if value > best if is_max else value < best:
            best, best_move = value, move
        alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
        position.undo()
    return best, best_move


def never_undoes(position: Position) -> Answer:
    if position.is_over:
        return utility(position), None
    found = []
    for move in position.legal_moves:
        position.play(move)
        found.append((never_undoes(position)[0], move))
    return max(found)


def wrong_move(position: Position) -> Answer:
    """Finds the value and then plays the last move it looked at."""
    value, _ = right_alphabeta(position)
    return value, position.legal_moves[-1] if position.legal_moves else None


def returns_nothing(position: Position) -> None:
    right_alphabeta(position)


def raises(position: Position) -> Answer:
    raise KeyError("best")
