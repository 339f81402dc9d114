#include "plain.hpp"

#include <algorithm>

#include "threats.hpp"

namespace noughts {
namespace {

constexpr int INFINITE = WIN + 1;
constexpr int LARGE_BOARD = 100;
constexpr int MAX_DEPTH = 32;
constexpr std::size_t TABLE_MEGABYTES = 4;

}  // namespace

PlainSearch::PlainSearch(const Position& position)
    : position_(position), table_(TABLE_MEGABYTES), order_(position_.game(), MAX_DEPTH + 1),
      moves_(static_cast<std::size_t>(MAX_DEPTH + 1) * position_.game().cells()),
      large_(position_.game().blocks() == 1 && position_.game().cells() > LARGE_BOARD) {}

PlainSearch::Result PlainSearch::best_moves(int depth) {
    Result result;
    depth = std::clamp(depth, 1, MAX_DEPTH);
    const std::size_t count = order_.gather(position_, 0, NO_CELL, large_, moves_, 0);
    top_ = count;
    int best = -INFINITE;
    for (std::size_t i = 0; i < count; ++i) {
        const ScoredMove move = pick_best(moves_, i, count);
        position_.play(move.move);
        ++nodes_;
        // One below the best, so that a tie is told from something worse.
        const int score = -search(-INFINITE, -(best - 1), depth - 1, 1);
        position_.undo();
        if (score > best) best = score, result.moves.clear();
        if (score == best) result.moves.push_back(move.move);
    }
    std::sort(result.moves.begin(), result.moves.end());
    result.score = best;
    result.nodes = nodes_;
    return result;
}

// Returns the score for the side to move: exact between alpha and beta, else a bound.
int PlainSearch::search(int alpha, int beta, int depth, int ply) {
    if (position_.is_over()) {
        const Side winner = position_.winner();
        return winner == NOBODY ? 0 : winner == position_.turn() ? win_in(ply) : loss_in(ply);
    }
    if (depth <= 0) return evaluate(position_);
    if (winning_move(position_) != NO_CELL) return win_in(ply + 1);
    int table_move = NO_CELL;
    if (Entry entry; depth > 1 && table_.probe(position_.key(), entry)) {
        if (entry.move >= 0 && position_.is_legal(entry.move)) table_move = entry.move;
        // Scores of wins depend on the ply, which the table does not know: only estimates are taken from it.
        if (entry.depth == depth && !is_decided(entry.score) &&
            (entry.bound == Bound::EXACT || (entry.bound == Bound::LOWER && entry.score >= beta) || (entry.bound == Bound::UPPER && entry.score <= alpha)))
            return entry.score;
    }
    return try_moves(alpha, beta, depth, ply, table_move);
}

int PlainSearch::try_moves(int alpha, int beta, int depth, int ply, int table_move) {
    const std::size_t first = top_, count = order_.gather(position_, ply, table_move, large_, moves_, first);
    top_ = first + count;
    int best = -INFINITE, best_move = NO_CELL;
    const int start_alpha = alpha;
    for (std::size_t i = 0; i < count && alpha < beta; ++i) {
        const ScoredMove move = pick_best(moves_, first + i, first + count);
        position_.play(move.move);
        ++nodes_;
        const int score = -search(-beta, -alpha, depth - 1, ply + 1);
        position_.undo();
        if (score > best) best = score, best_move = move.move;
        alpha = std::max(alpha, score);
        if (alpha >= beta) order_.reward(position_, ply, depth, move.move, &moves_[first], i);
    }
    top_ = first;
    const Bound bound = best >= beta ? Bound::LOWER : best > start_alpha ? Bound::EXACT : Bound::UPPER;
    if (depth > 1) table_.store(position_.key(), {best_move, best, depth, bound});
    return best;
}

}  // namespace noughts
