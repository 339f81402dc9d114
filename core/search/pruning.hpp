// Pruning: decisions, based on estimates, to skip moves or to search them with less depth.
#pragma once

#include "search/evaluate.hpp"
#include "search/move_order.hpp"

namespace noughts {

// Facts about a node that decide which shortcuts are sound.
struct NodeFacts {
    Cell forced = NO_CELL;  // the only move that does not lose at once
    bool complete = false;  // the search reaches the end of the game: nothing may be estimated or pruned
    bool is_pv = false;     // the window is open: the exact score is wanted
    bool forked = false;    // the opponent threatens to make a double threat: only some replies do not lose
    int evaluation = 0;     // of the position
    int estimate = 0;       // the same, corrected
    int floor = -WIN;       // bounds of the score, from lines that can no longer be completed
    int ceiling = WIN;

    // Whether moves of the node may be skipped or searched with less depth.
    bool may_prune() const { return !complete && forced == NO_CELL && !forked; }
};

// Margins of the pruning rules; they depend on the scale and quality of the estimates.
struct PruningMargins {
    int gain_per_ply;  // the most that a quiet move is expected to gain, per ply of depth
    int late_depth;    // late moves are skipped up to this depth
    // Least depth at which a much shallower search may show that a position is good enough; 0 for never.
    int shallow_depth;
    int shallow_margin;  // the margin by which the shallow search must exceed beta
};

class Pruning {
  public:
    Pruning(const Game& game, bool has_network);

    // Whether the remaining moves may be skipped after `late` moves.
    bool skips_late_moves(int late, int depth, const NodeFacts& facts) const {
        return depth <= margins_.late_depth && late >= 4 + depth * depth * 3 / 2 && facts.may_prune() && !facts.is_pv;
    }

    // The highest score that a quiet move is expected to reach.
    int reachable_score(const ScoredMove& move, int depth, const NodeFacts& facts) const {
        return facts.estimate + margins_.gain_per_ply * depth + move.score / 8;
    }
    // Whether a quiet move is not expected to reach alpha (futility pruning).
    bool is_futile(const ScoredMove& move, int alpha, int depth, const NodeFacts& facts) const {
        return depth <= 3 && facts.may_prune() && !is_decided(alpha) && move.score < MoveOrder::QUIET &&
               reachable_score(move, depth, facts) <= alpha;
    }

    // The number of plies by which the first search of a late move is reduced.
    int reduction(int late, int depth, const NodeFacts& facts) const {
        return facts.may_prune() && depth >= 2 && late >= 2 ? logarithmic_reduction(late, depth, facts.is_pv) : 0;
    }

    // Whether the estimate settles the node: it is far above beta or, on large boards, far below alpha.
    bool cuts_by_estimate(int alpha, int beta, int depth, const NodeFacts& facts) const;

    // Whether a shallow search of the first moves may settle the node, and the score above which it does.
    bool tries_shallow_search(int beta, int depth, const NodeFacts& facts) const;
    int shallow_bound(int beta) const { return beta + margins_.shallow_margin; }
    static constexpr int SHALLOW_MOVES = 3;      // number of moves that are tried
    static constexpr int SHALLOW_REDUCTION = 4;  // plies by which their search is reduced

  private:
    int logarithmic_reduction(int late, int depth, bool is_pv) const;

    PruningMargins margins_;
    bool large_;
    bool direct_threats_;
};

}  // namespace noughts
