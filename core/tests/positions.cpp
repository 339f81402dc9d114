#include "positions.hpp"

#include <algorithm>

#include "boards.hpp"

namespace noughts::testing {

std::vector<int> legal_moves(const Position& position) {
    std::vector<int> legal;
    position.for_each_legal([&](int cell) { legal.push_back(cell); });
    return legal;
}

Position random_ending(const std::shared_ptr<const Game>& game, int free, std::mt19937& random) {
    for (int tries = 1;; ++tries) {
        Position position(game);
        if (play_randomly(position, free, random) || tries == 40) return position;
    }
}

int brute_force_value(Position& position) {
    if (position.is_over()) return position.winner() == NO_SIDE ? 0 : position.winner() == position.turn() ? 1 : -1;
    int best = -1;
    for (int cell : legal_moves(position)) {
        const ScopedMove move(position, cell);
        best = std::max(best, -brute_force_value(position));
        if (best == 1) break;
    }
    return best;
}

}  // namespace noughts::testing
