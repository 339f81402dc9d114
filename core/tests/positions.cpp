#include "positions.hpp"

#include <algorithm>

#include "boards.hpp"
#include "tactics/threats.hpp"

namespace noughts::testing {
namespace {

// All moves; if the other side can complete a line, only a move that prevents it.
std::vector<Cell> moves_to_try(const Position& position) {
    if (const Threat threat = threat_against(position); threat.count > 0) return {threat.cell};
    return legal_moves(position);
}

}  // namespace

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

bool BruteForceWins::within(Position& position, Side attacker, int plies) {
    if (position.is_over()) return position.winner() == attacker;
    if (plies <= 0) return false;
    const bool attacks = position.turn() == attacker;
    // Completing a line is best for either side.
    if (winning_move(position) != NO_CELL) return attacks;
    if (plies == 1) return false;
    const auto [at, is_new] = known_.try_emplace({position.key(), attacker, plies}, false);
    if (!is_new) return at->second;
    bool wins = !attacks;
    for (Cell cell : moves_to_try(position)) {
        const ScopedMove move(position, cell);
        wins = within(position, attacker, plies - 1);
        if (wins == attacks) break;
    }
    known_[{position.key(), attacker, plies}] = wins;
    return wins;
}

bool BruteForceWins::with_move(Position& position, Cell cell, int plies) {
    const Side attacker = position.turn();
    const ScopedMove move(position, cell);
    return within(position, attacker, plies - 1);
}

}  // namespace noughts::testing
