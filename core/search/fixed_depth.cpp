#include "search/fixed_depth.hpp"

#include <algorithm>
#include <unordered_map>

#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr int INFINITE = WIN + 1;
constexpr std::size_t MOST_ON_LARGE_BOARDS = 32;  // moves tried at each node, the most promising
constexpr int MAX_DEPTH = 32;
constexpr std::size_t TABLE_MEGABYTES = 4;

}  // namespace

PlainSearch::PlainSearch(const Position& position, WorkLimit& limit)
    : position_(position),
      limit_(limit),
      table_(TABLE_MEGABYTES),
      order_(position_.game(), MAX_DEPTH + 1),
      moves_(static_cast<std::size_t>(MAX_DEPTH + 1) * position_.game().cells()),
      tactical_(position_.game().blocks() == 1 && completing_wins(position_.game())),
      large_(position_.game().blocks() == 1 && position_.game().cells() >= LARGE_BOARD) {}

PlainSearch::Result PlainSearch::best_moves(int depth, const Symmetry* symmetry) {
    Result result;
    depth = std::clamp(depth, 1, MAX_DEPTH);
    const std::size_t count = order_.gather(position_, 0, NO_CELL, large_, moves_, 0);
    top_ = count;
    // Shallower searches first: what they leave in the table and the move order pays for them many times over.
    for (int shallow = 2 - depth % 2; shallow < depth; shallow += 2) search_root(shallow, symmetry, count);
    result.score = search_root(depth, symmetry, count);
    for (std::size_t i = 0; i < count; ++i)
        if (moves_[i].score == result.score) result.moves.push_back(moves_[i].move);
    std::sort(result.moves.begin(), result.moves.end());
    return result;
}

// Gives every root move its score, or something below the best where that is all there is to know, best first.
int PlainSearch::search_root(int depth, const Symmetry* symmetry, std::size_t count) {
    std::stable_sort(moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    std::unordered_map<std::uint64_t, int> known;  // symmetric moves have the same score
    int best = -INFINITE;
    for (std::size_t i = 0; i < count; ++i) {
        position_.play(moves_[i].move);
        limit_.count_node();
        const std::uint64_t image = symmetry ? symmetry->canonical_hash(position_) : position_.hash();
        auto [found, is_new] = known.try_emplace(image, 0);
        if (is_new) found->second = score_root_move(best, depth);
        position_.undo();
        moves_[i].score = found->second;
        best = std::max(best, found->second);
    }
    return best;
}

// Exact when it equals or beats the best so far: the window lies one below it, so that a tie is told from something
// worse.
int PlainSearch::score_root_move(int best, int depth) {
    if (best == -INFINITE) return -search(-INFINITE, INFINITE, depth - 1, 1);
    const int score = -search(-best, -(best - 1), depth - 1, 1);
    return score < best ? score : -search(-INFINITE, -(best - 1), depth - 1, 1);
}

// Returns the score for the side to move: exact between alpha and beta, else a bound.
int PlainSearch::search(int alpha, int beta, int depth, int ply) {
    if (limit_.must_end()) return 0;
    if (position_.is_over()) {
        const Side winner = position_.winner();
        return winner == NOBODY ? 0 : winner == position_.turn() ? win_in(ply) : loss_in(ply);
    }
    if (depth <= 0) return evaluate(position_);
    if (winning_move(position_) != NO_CELL) return win_in(ply + 1);
    const Threat threat = depth > 1 && tactical_ ? threat_against(position_) : Threat{};
    if (threat.count > 1) return loss_in(ply + 2);
    int table_move = NO_CELL;
    if (Entry entry; depth > 1 && table_.probe(position_.key(), entry)) {
        if (entry.move >= 0 && position_.is_legal(entry.move)) table_move = entry.move;
        // Scores of wins depend on the ply, which the table does not know: only estimates are taken from it.
        if (entry.depth == depth && !is_decided(entry.score) &&
            (entry.bound == Bound::EXACT || (entry.bound == Bound::LOWER && entry.score >= beta) ||
             (entry.bound == Bound::UPPER && entry.score <= alpha)))
            return entry.score;
    }
    return try_moves(alpha, beta, depth, ply, table_move, threat.cell);
}

// A threat against us leaves one move that does not lose in two plies; with two or more to look ahead, it is the only
// one.
int PlainSearch::try_moves(int alpha, int beta, int depth, int ply, int table_move, int forced) {
    const std::size_t first = top_;
    std::size_t count = 1;
    if (forced != NO_CELL)
        moves_[first] = {forced, 0};
    else
        count = order_.gather(position_, ply, table_move, large_, moves_, first);
    top_ = first + count;
    if (large_) count = std::min(count, MOST_ON_LARGE_BOARDS);
    int best = -INFINITE, best_move = NO_CELL;
    const int start_alpha = alpha;
    for (std::size_t i = 0; i < count && alpha < beta; ++i) {
        const ScoredMove move = pick_best(moves_, first + i, first + count);
        position_.play(move.move);
        limit_.count_node();
        int score = i == 0 ? 0 : -search(-alpha - 1, -alpha, depth - 1, ply + 1);
        if (i == 0 || (score > alpha && score < beta)) score = -search(-beta, -alpha, depth - 1, ply + 1);
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
