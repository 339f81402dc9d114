#include "tactics/fork_defence.hpp"

#include <algorithm>

namespace noughts {

// The two empty cells of each line that lacks two, without duplicates.
void ForkDefence::find_pairs(const Position& position, Side side) {
    const Game& game = position.game();
    pairs_.clear();
    position.for_each_pair(side, [&](int line) {
        const auto cells = game.line_cells(line);
        const int a = *std::ranges::find_if(cells, [&](Cell cell) { return position.at(cell) == NO_SIDE; });
        const Pair pair{static_cast<std::uint16_t>(a),
                        static_cast<std::uint16_t>(sum_of_empties(position.line(line)) - a)};
        if (std::find(pairs_.begin(), pairs_.end(), pair) == pairs_.end()) pairs_.push_back(pair);
    });
}

bool ForkDefence::find(const Position& position) {
    const Side self = position.turn();
    if (!position.has_pairs(opponent(self))) return false;
    find_pairs(position, opponent(self));
    Cell fork = NO_CELL;
    for (const Pair& pair : pairs_)
        for (Cell cell : {pair.a, pair.b})
            if (++times_seen_[cell] > 1) fork = cell;
    if (fork != NO_CELL) {
        replies_.clear();
        has_reply_ = false;
        if (prevents_all(fork)) add_reply(fork);
        for (const Pair& pair : pairs_)
            if (pair.a == fork || pair.b == fork)
                if (const Cell partner = pair.a ^ pair.b ^ fork; prevents_all(partner)) add_reply(partner);
    }
    for (const Pair& pair : pairs_) times_seen_[pair.a] = times_seen_[pair.b] = 0;
    if (fork == NO_CELL) return false;
    position.for_each_pair(self, [&](int line) {
        for (Cell cell : position.game().line_cells(line))
            if (position.at(cell) == NO_SIDE) add_reply(cell);
    });
    return true;
}

// Whether no two pairs share a cell once the opponent cannot use this one.
bool ForkDefence::prevents_all(Cell cell) const {
    return std::all_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
        if (pair.a == cell || pair.b == cell) return true;
        const auto left = [&](Cell end) {
            const bool shared = std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& other) {
                return (other.a == cell && other.b == end) || (other.b == cell && other.a == end);
            });
            return times_seen_[end] - shared;
        };
        return left(pair.a) <= 1 && left(pair.b) <= 1;
    });
}

}  // namespace noughts
