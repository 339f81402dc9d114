#include "solve/breaker/breaker_state.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace noughts {

BreakerState::BreakerState(const Position& position, Side maker) : maker_moves_(position.turn() == maker) {
    const Game& game = position.game();
    assert(can_represent(game));
    const Word rival = position.marks(opponent(maker)).word(0), empty = position.empty_cells().word(0);
    for (int i = 0; i < game.lines(); ++i) {
        Word cells = 0;
        for (int cell : game.line_cells(i)) cells |= bit(cell);
        if (!(cells & rival)) lines_[count_++] = {cells & empty, static_cast<std::uint16_t>(i)};
    }
    reduce(~Word{0});
}

Word BreakerState::cells() const {
    Word cells = 0;
    for (const OpenLine& line : lines()) cells |= line.cells;
    return cells;
}

void BreakerState::play(int cell) {
    if (maker_moves_)
        give(bit(cell));
    else
        play_breaker(cell);
}

void BreakerState::give(Word cells) {
    reduce(cells);
    maker_moves_ = false;
}

void BreakerState::play_breaker(int cell) {
    int kept = 0;
    for (const OpenLine& line : lines())
        if (!contains(line.cells, cell)) lines_[kept++] = line;
    count_ = kept;
    maker_moves_ = true;
}

// Removes the given cells from all lines, then drops every line whose remaining cells include those of another line.
// Only lines that contained a given cell can have become smaller.
void BreakerState::reduce(Word given) {
    std::array<bool, MOST_LINES> is_gone{};
    std::array<bool, MOST_LINES> is_smaller;
    for (int i = 0; i < count_; ++i) {
        is_smaller[i] = lines_[i].cells & given;
        if (~given) lines_[i].cells &= ~given;
    }
    for (int i = 0; i < count_; ++i)
        for (int j = 0; j < count_ && is_smaller[i] && !is_gone[i]; ++j)
            if (j != i && !is_gone[j] && (lines_[i].cells & ~lines_[j].cells) == 0) is_gone[j] = true;
    int kept = 0;
    for (int i = 0; i < count_; ++i)
        if (!is_gone[i]) lines_[kept++] = lines_[i];
    count_ = kept;
}

BreakerState::Outcome BreakerState::outcome() const {
    if (count_ == 0) return Outcome::BREAKER_WINS;
    Word last = 0;  // cells that complete a line
    for (const OpenLine& line : lines()) {
        if (line.cells == 0) return Outcome::MAKER_WINS;
        if (!has_several(line.cells)) last |= line.cells;
    }
    return has_several(last) || (last && maker_moves_) ? Outcome::MAKER_WINS : Outcome::OPEN;
}

BreakerState::Outcome BreakerState::play_forced() {
    const Outcome found = outcome();
    if (found != Outcome::OPEN || maker_moves_) return found;
    for (const OpenLine& line : lines())
        if (!has_several(line.cells)) {
            play_breaker(lowest(line.cells));
            return outcome();
        }
    return found;
}

double BreakerState::weigh(Weights& weights) const {
    weights.fill(0);
    double sum = 0;
    for (const OpenLine& line : lines()) {
        const double weight = 1.0 / static_cast<double>(Word{1} << std::popcount(line.cells));
        sum += weight;
        for_each_bit(line.cells, 0, [&](int cell) { weights[cell] += weight; });
    }
    return sum;
}

Word BreakerState::common_cells(int cell) const {
    Word common = ~bit(cell);
    for (const OpenLine& line : lines())
        if (contains(line.cells, cell)) common &= line.cells;
    return common;
}

// Whether another cell lies on all lines through this cell. Of cells on the same lines, all but the lowest are
// dominated.
bool BreakerState::is_dominated(int cell) const {
    for (Word common = common_cells(cell); common; common &= common - 1)
        if (const int other = lowest(common); other < cell || !contains(common_cells(other), cell)) return true;
    return false;
}

Word BreakerState::undominated(Word cells) const {
    Word kept = cells;
    for_each_bit(cells, 0, [&](int cell) {
        if (is_dominated(cell)) kept &= ~bit(cell);
    });
    return kept;
}

}  // namespace noughts
