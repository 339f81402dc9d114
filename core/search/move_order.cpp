#include "search/move_order.hpp"

#include <algorithm>
#include <cstdlib>

namespace noughts {
namespace {

constexpr int LAST_CELL = MoveOrder::RELEVANT * 128;  // worth of a line that the move completes
constexpr int HISTORY_LIMIT = 4096;

// Worth of a line for `side`: high if one side is close to completing it; zero if it is empty or has marks of both
// sides.
int worth_of(LineState line, Side side) {
    const int own = marks_of(line, side), other = marks_of(line, opponent(side));
    if ((own > 0) == (other > 0)) return 0;
    const int marks = std::min(std::max(own, other), 6);
    const int worth =
        empties_of(line) == 1 ? LAST_CELL : std::min(MoveOrder::RELEVANT << (2 * (marks - 1)), LAST_CELL / 2);
    return own > 0 ? worth * 4 / 3 : worth;
}

}  // namespace

CellWorth::CellWorth(const Game& game) : game_(game), line_worth_(CLASS_MASK + 1) {
    for (LineState line = 0; line <= CLASS_MASK; ++line)
        line_worth_[line] =
            static_cast<std::uint64_t>(worth_of(line, X)) | static_cast<std::uint64_t>(worth_of(line, O)) << 32;
}

int CellWorth::count(const Position& position, Cell cell, Side side) const {
    const auto lines = position.lines();
    std::uint64_t total = 0;
    for (int i : game_.lines_of(cell)) total += line_worth_[lines[i] & CLASS_MASK];
    return half(total, side);
}

void CellWorth::start_at(const Position& position) {
    first_ply_ = position.ply();
    moves_.clear();
    lines_.assign(position.lines().begin(), position.lines().end());
    cells_.assign(game_.cells(), 0);
    for (Cell cell = 0; cell < game_.cells(); ++cell)
        for (int i : game_.lines_of(cell)) cells_[cell] += line_worth_[lines_[i] & CLASS_MASK];
}

void CellWorth::update(const Position& position) {
    const int plies = position.ply() - first_ply_;
    if (first_ply_ < 0 || plies < 0) return start_at(position);
    const auto played = [&](int i) {
        const Side side = (plies - i) % 2 == 0 ? position.turn() : opponent(position.turn());
        return SidedCell(position.move_at(first_ply_ + i), side);
    };
    int common = 0;
    const int most = std::min(plies, static_cast<int>(moves_.size()));
    while (common < most && moves_[common] == played(common)) ++common;
    for (; static_cast<int>(moves_.size()) > common; moves_.pop_back()) step(moves_.back(), false);
    for (; common < plies; ++common) {
        moves_.push_back(played(common));
        step(moves_.back(), true);
    }
}

void CellWorth::step(SidedCell move, bool forward) {
    const Cell cell = move.number();
    const LineState mark = mark_delta(move.side(), cell), guard = guard_delta(move.side());
    for (int i : game_.lines_of(cell)) change(i, forward ? mark : 0 - mark);
    if (game_.has_guards())
        for (int i : game_.guarded_by(cell)) change(i, forward ? guard : 0 - guard);
}

void CellWorth::change(int line, LineState delta) {
    const LineState before = lines_[line], after = before + delta;
    lines_[line] = after;
    const std::uint64_t gain = line_worth_[after & CLASS_MASK] - line_worth_[before & CLASS_MASK];
    if (gain == 0) return;
    for (Cell cell : game_.line_cells(line)) cells_[cell] += gain;
}

MoveOrder::MoveOrder(const Game& game, int plies, bool has_network)
    : game_(game),
      scores_all_(has_network && !game.has_one_block()),
      worth_(game),
      incremental_(game.has_one_block() && !game.has_gravity()),
      counter_moves_(game.cells(), NO_CELL),
      killers_(plies, NO_CELL) {
    for (auto& history : history_) history.assign(game.cells(), 0);
}

std::size_t MoveOrder::gather(const Position& position, int ply, Cell table_move, bool relevant_only,
                              std::vector<ScoredMove>& moves, std::size_t first) {
    if (incremental_) worth_.update(position);
    std::size_t count = 0, relevant = 0;
    const std::size_t room = moves.size() - first;
    position.for_each_legal([&](int cell) {
        if (count == room) return;
        const int worth = cell == table_move ? FIRST : score(position, cell, ply);
        relevant += worth >= RELEVANT;
        moves[first + count++] = {cell, worth};
    });
    if (!relevant_only || relevant == 0) return count;
    const auto begin = moves.begin() + static_cast<std::ptrdiff_t>(first);
    const auto kept = std::remove_if(begin, begin + static_cast<std::ptrdiff_t>(count),
                                     [](const ScoredMove& move) { return move.score < RELEVANT; });
    return static_cast<std::size_t>(kept - begin);
}

std::size_t MoveOrder::gather_from(const Position& position, int ply, Cell table_move, const CellSet& cells,
                                   std::vector<ScoredMove>& moves, std::size_t first) {
    if (incremental_) worth_.update(position);
    std::size_t count = 0;
    (position.legal_cells() & cells).for_each([&](Cell cell) {
        moves[first + count++] = {cell, cell == table_move ? FIRST : score(position, cell, ply)};
    });
    return count;
}

int MoveOrder::score(const Position& position, Cell cell, int ply) const {
    const Side side = position.turn();
    int total = incremental_ ? worth_.of(cell, side) : worth_.count(position, cell, side);
    if (total < RELEVANT && !scores_all_) return game_.centrality(cell);
    total += game_.centrality(cell) / 4;
    total += history_[side][cell] / 16;
    if (cell == killers_[ply]) total += RELEVANT * 2;
    if (position.ply() > 0 && cell == counter_moves_[position.now().cell]) total += RELEVANT;
    if (!game_.has_one_block()) total -= sending_cost(position, cell);
    return scores_all_ ? total : std::max(total, RELEVANT);
}

// A move that lets the opponent play anywhere is usually bad.
int MoveOrder::sending_cost(const Position& position, Cell cell) const {
    const Block block = game_.sends(cell);
    if (block < 0) return 0;
    const bool closed = game_.keeps_won_blocks_open() ? position.free_in(block) == 0 : position.is_decided(block);
    return closed ? RELEVANT * 4 : 0;
}

void MoveOrder::reward(const Position& position, int ply, int depth, Cell move,
                       std::span<const ScoredMove> tried_before) {
    auto& history = history_[position.turn()];
    const int bonus = std::min(depth * depth * 4, 512);
    const auto nudge = [&history](Cell cell, int by) {
        history[cell] += by - history[cell] * std::abs(by) / HISTORY_LIMIT;
    };
    nudge(move, bonus);
    for (const ScoredMove& tried : tried_before) nudge(tried.move, -bonus);
    killers_[ply] = static_cast<std::int16_t>(move);
    if (position.ply() > 0) counter_moves_[position.now().cell] = static_cast<std::int16_t>(move);
}

}  // namespace noughts
