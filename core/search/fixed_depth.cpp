#include "search/fixed_depth.hpp"

#include <algorithm>
#include <unordered_map>

#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr std::size_t MAX_ON_LARGE_BOARDS = 32;  // moves tried at each node
constexpr std::size_t TABLE_MEGABYTES = 4;

}  // namespace

FixedDepthSearch::FixedDepthSearch(const Position& position, WorkLimit& limit)
    : position_(position),
      limit_(limit),
      table_(TABLE_MEGABYTES),
      order_(position_.game(), MAX_DEPTH + 1, !position_.game().data().network.empty()),
      moves_(static_cast<std::size_t>(MAX_DEPTH + 1) * position_.game().cells()),
      direct_threats_(has_direct_threats(position_.game())),
      large_(is_large(position_.game())) {}

FixedDepthSearch::Result FixedDepthSearch::best_moves(int depth, const Symmetry* symmetry, std::uint64_t nodes) {
    Result result;
    depth = std::clamp(depth, 1, MAX_DEPTH);
    const std::size_t count = order_.gather(position_, 0, NO_CELL, large_, moves_, 0);
    top_ = count;
    // Iterative deepening: the table entries and the move order more than repay the shallower searches.
    for (int shallow = 2 - depth % 2; shallow <= depth; shallow += 2) {
        const int score = search_root(shallow, symmetry, count);
        if (limit_.is_ended()) break;
        result = {score, {}};
        for (std::size_t i = 0; i < count; ++i)
            if (moves_[i].score == score) result.moves.push_back(moves_[i].move);
        if (nodes > 0) limit_.set_share(nodes > limit_.nodes() ? nodes - limit_.nodes() : 0);
    }
    std::sort(result.moves.begin(), result.moves.end());
    return result;
}

// Searches the root moves and returns the best score. Each move gets its exact score, or an upper bound below the best.
int FixedDepthSearch::search_root(int depth, const Symmetry* symmetry, std::size_t count) {
    std::stable_sort(moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    std::unordered_map<std::uint64_t, int> known;  // by canonical position: symmetric moves have the same score
    int best = -INFINITE_SCORE;
    for (std::size_t i = 0; i < count; ++i) {
        position_.play(moves_[i].move);
        limit_.count_node();
        const std::uint64_t image = symmetry ? symmetry->canonical_hash(position_) : position_.hash();
        auto [found, is_new] = known.try_emplace(image, 0);
        if (is_new) found->second = search_root_move(best, depth);
        position_.undo();
        moves_[i].score = found->second;
        best = std::max(best, found->second);
    }
    return best;
}

// Exact if it is at least the best so far: the window begins one below the best, so that equal scores are recognised.
int FixedDepthSearch::search_root_move(int best, int depth) {
    if (best == -INFINITE_SCORE) return -search(-INFINITE_SCORE, INFINITE_SCORE, depth - 1, 1);
    const int score = -search(-best, -(best - 1), depth - 1, 1);
    return score < best ? score : -search(-INFINITE_SCORE, -(best - 1), depth - 1, 1);
}

// Returns the score for the side to move: exact between alpha and beta; at or below alpha an upper bound, at or above
// beta a lower bound. Meaningless once the limit has ended the search.
int FixedDepthSearch::search(int alpha, int beta, int depth, int ply) {
    if (limit_.must_end()) return 0;
    if (position_.is_over()) {
        const Side winner = position_.winner();
        return winner == NO_SIDE ? 0 : winner == position_.turn() ? win_in(ply) : loss_in(ply);
    }
    if (depth <= 0) return evaluate(position_);
    if (winning_move(position_) != NO_CELL) return win_in(ply + 1);
    const Threat threat = depth > 1 && direct_threats_ ? threat_against(position_) : Threat{};
    if (threat.count > 1) return loss_in(ply + 2);
    Cell table_move = NO_CELL;
    if (const auto entry = depth > 1 ? table_.probe(position_.key()) : std::nullopt) {
        if (entry->move >= 0 && position_.is_legal(entry->move)) table_move = entry->move;
        // Only estimates are taken from the table: scores of wins depend on the ply, which the table does not know.
        if (entry->depth == depth && !is_decided(entry->score) &&
            (entry->bound == Bound::EXACT || (entry->bound == Bound::LOWER && entry->score >= beta) ||
             (entry->bound == Bound::UPPER && entry->score <= alpha)))
            return entry->score;
    }
    return search_moves(alpha, beta, depth, ply, table_move, threat.cell);
}

// `forced` is the only move that does not lose in two plies, if there is a threat; else NO_CELL.
int FixedDepthSearch::search_moves(int alpha, int beta, int depth, int ply, Cell table_move, Cell forced) {
    const std::size_t first = top_;
    std::size_t count = 1;
    if (forced != NO_CELL)
        moves_[first] = {forced, 0};
    else
        count = order_.gather(position_, ply, table_move, large_, moves_, first);
    top_ = first + count;
    if (large_) count = std::min(count, MAX_ON_LARGE_BOARDS);
    int best = -INFINITE_SCORE;
    Cell best_move = NO_CELL;
    const int start_alpha = alpha;
    for (std::size_t i = 0; i < count && alpha < beta; ++i) {
        const ScoredMove move = pick_best(moves_, first + i, first + count);
        position_.play(move.move);
        limit_.count_node();
        int score = i == 0 ? 0 : -search(-alpha - 1, -alpha, depth - 1, ply + 1);
        if (i == 0 || (score > alpha && score < beta)) score = -search(-beta, -alpha, depth - 1, ply + 1);
        position_.undo();
        if (score > best) {
            best = score;
            best_move = move.move;
        }
        alpha = std::max(alpha, score);
        if (alpha >= beta) order_.reward(position_, ply, depth, move.move, {&moves_[first], i});
    }
    top_ = first;
    const Bound bound = best >= beta ? Bound::LOWER : best > start_alpha ? Bound::EXACT : Bound::UPPER;
    if (depth > 1) table_.store(position_.key(), {best_move, best, depth, bound});
    return best;
}

}  // namespace noughts
