#include "tactics/fork_defence.hpp"

#include <algorithm>

namespace noughts {

// Finds the pairs of a side, without duplicates, and counts how many pairs each cell is in.
void ForkDefence::find_pairs(const Position& position, Side side) {
    const Game& game = position.game();
    const auto use = [&](Cell cell) {
        const int pairs = ++cells_[cell].pairs;
        twice_used_ += (pairs == 2) - (pairs == 3);
        often_used_ += pairs == 3;
    };
    position.for_each_pair(side, [&](int line) {
        const auto cells = game.line_cells(line);
        const Cell one = *std::ranges::find_if(cells, [&](Cell cell) { return position.at(cell) == NO_SIDE; });
        const Cell other = sum_of_empties(position.line(line)) - one;
        const Pair pair{std::min(one, other), std::max(one, other)};
        if (is_pair(pair)) return;
        is_pair(pair) = true;
        pairs_.push_back(pair);
        use(pair.a);
        use(pair.b);
    });
    for (const Pair& pair : pairs_) {
        cells_[pair.a].twice_used += cells_[pair.b].pairs == 2;
        cells_[pair.b].twice_used += cells_[pair.a].pairs == 2;
    }
}

void ForkDefence::forget_pairs() {
    for (const Pair& pair : pairs_) {
        is_pair(pair) = false;
        cells_[pair.a] = cells_[pair.b] = {};
    }
    pairs_.clear();
    twice_used_ = often_used_ = 0;
}

bool ForkDefence::find(const Position& position) {
    const Side self = position.turn();
    if (!position.has_pairs(opponent(self))) return false;
    find_pairs(position, opponent(self));
    const bool has_fork = twice_used_ + often_used_ > 0;
    if (has_fork) {
        replies_.clear();
        has_reply_ = false;
        for (const Pair& pair : pairs_)
            for (const Cell cell : {pair.a, pair.b})
                if (prevents_all(cell)) add_reply(cell);
    }
    forget_pairs();
    if (!has_fork) return false;
    position.for_each_pair(self, [&](int line) {
        for (Cell cell : position.game().line_cells(line))
            if (position.at(cell) == NO_SIDE) add_reply(cell);
    });
    return true;
}

// Whether no two pairs would share a cell if the opponent could not use this one: every other cell in two pairs must be
// in one of them together with this cell, and no cell may be in more than two.
bool ForkDefence::prevents_all(Cell cell) const {
    const Uses& uses = cells_[cell];
    return often_used_ == (uses.pairs > 2) && twice_used_ - (uses.pairs == 2) == uses.twice_used;
}

}  // namespace noughts
