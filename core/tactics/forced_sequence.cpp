#include "tactics/forced_sequence.hpp"

#include <algorithm>

#include "tactics/threats.hpp"

namespace noughts {

std::size_t count_forced(Position& position, const std::vector<Cell>& attacks, bool may_complete_early) {
    const Side prover = position.turn();
    const int ply = position.ply();
    std::size_t count = 0;
    bool won = false;
    for (const Cell attack : attacks) {
        won = may_complete_early && winning_move(position) != NO_CELL;
        if (won || !position.is_legal(attack)) break;
        position.play(attack);
        ++count;
        won = position.is_over() ? position.winner() == prover
                                 : winning_move(position) == NO_CELL && threat_against(position).count > 1;
        if (won || position.is_over() || winning_move(position) != NO_CELL) break;
        const Threat threat = threat_against(position);
        if (threat.count == 0) break;
        position.play(threat.cell);
        if (position.is_over()) break;
    }
    if (!won && may_complete_early && !position.is_over() && position.turn() == prover)
        won = winning_move(position) != NO_CELL;
    while (position.ply() > ply) position.undo();
    return won ? std::max<std::size_t>(count, 1) : 0;
}

bool wins_after(Position& position, int reply, const std::vector<Cell>& attacks) {
    const ScopedMove move(position, reply);
    return !position.is_over() && count_forced(position, attacks, true) > 0;
}

}  // namespace noughts
