#include "order.hpp"

#include <algorithm>
#include <cstdlib>

namespace noughts {
namespace {

constexpr int LAST_CELL = MoveOrder::RELEVANT * 128;  // for a move that completes a line
constexpr int HISTORY_LIMIT = 4096;

// Much where a side is near completing a line, nothing on an empty one or where both sides are.
std::vector<std::int16_t> worth_table(Side side) {
    std::vector<std::int16_t> table(CLASS_MASK + 1, 0);
    for (LineState line = 0; line <= CLASS_MASK; ++line) {
        const int own = marks_of(line, side), other = marks_of(line, 1 - side);
        if (own > 0 && other > 0) continue;
        if (own == 0 && other == 0) continue;
        const int marks = std::min(std::max(own, other), 6);
        const int worth = empties_of(line) == 1 ? LAST_CELL : std::min(MoveOrder::RELEVANT << (2 * (marks - 1)), LAST_CELL / 2);
        table[line] = static_cast<std::int16_t>(own > 0 ? worth * 4 / 3 : worth);
    }
    return table;
}

}  // namespace

MoveOrder::MoveOrder(const Game& game, int plies)
    : game_(game), all_matter_(!game.data().network.empty()), counter_(game.cells(), NO_CELL), killers_(plies, NO_CELL) {
    for (Side side : {X, O}) {
        line_worth_[side] = worth_table(side);
        history_[side].assign(game.cells(), 0);
    }
}

std::size_t MoveOrder::gather(const Position& position, int ply, int table_move, bool relevant_only, std::vector<ScoredMove>& moves, std::size_t first) const {
    std::size_t count = 0, relevant = 0;
    const std::size_t room = moves.size() - first;
    position.for_each_legal([&](int cell) {
        if (count == room) return;
        const int worth = cell == table_move ? FIRST : score(position, cell, ply);
        relevant += worth >= RELEVANT;
        moves[first + count++] = {cell, worth};
    });
    if (!relevant_only || relevant == 0) return count;
    return keep_moves(moves, first, count, [](const ScoredMove& move) { return move.score >= RELEVANT; });
}

int MoveOrder::score(const Position& position, int cell, int ply) const {
    const Side side = position.turn();
    const std::int16_t* worth = line_worth_[side].data();
    const LineState* lines = position.lines();
    int total = 0;
    for (int i : game_.lines_of[cell]) total += worth[lines[i] & CLASS_MASK];
    if (total < RELEVANT && !all_matter_) return game_.centrality[cell];
    total += game_.centrality[cell] / 4;
    total += history_[side][cell] / 16;
    if (cell == killers_[ply]) total += RELEVANT * 2;
    if (position.ply() > 0 && cell == counter_[position.now().cell]) total += RELEVANT;
    if (game_.blocks() > 1) total -= sending_cost(position, cell);
    return all_matter_ ? total : std::max(total, RELEVANT);
}

// A move that lets the opponent play anywhere is usually a bad one.
int MoveOrder::sending_cost(const Position& position, int cell) const {
    const int block = game_.cell_info[cell].sends;
    if (block < 0) return 0;
    const bool closed = game_.open() ? position.free_in(block) == 0 : position.owner(block) != NOBODY;
    return closed ? RELEVANT * 4 : 0;
}

void MoveOrder::reward(const Position& position, int ply, int depth, int move, const ScoredMove* before, std::size_t tried) {
    auto& history = history_[position.turn()];
    const int bonus = std::min(depth * depth * 4, 512);
    auto nudge = [&history](int cell, int by) { history[cell] += by - history[cell] * std::abs(by) / HISTORY_LIMIT; };
    nudge(move, bonus);
    for (std::size_t i = 0; i < tried; ++i) nudge(before[i].move, -bonus);
    killers_[ply] = static_cast<std::int16_t>(move);
    if (position.ply() > 0) counter_[position.now().cell] = static_cast<std::int16_t>(move);
}

}  // namespace noughts
