// Plain alpha-beta to a fixed depth: what the levels play by. No forced-win search, no extensions, no pruning but
// alpha-beta's own, so that "four plies" means four plies.
#pragma once

#include <vector>

#include "rules/symmetry.hpp"
#include "search/evaluate.hpp"
#include "search/move_order.hpp"
#include "search/transposition_table.hpp"
#include "support/work_limit.hpp"

namespace noughts {

class PlainSearch {
  public:
    // The result means nothing once the limit has ended the search.
    PlainSearch(const Position& position, WorkLimit& limit);

    // The best score at `depth` plies and every move that has it, in ascending order. On large boards moves that touch
    // no line with a mark on it are not considered, unless there is nothing else, nor more than a few dozen replies.
    struct Result {
        int score = 0;
        std::vector<int> moves;
    };
    // `symmetry`, where given, spares symmetric root moves.
    Result best_moves(int depth, const Symmetry* symmetry);

  private:
    int search(int alpha, int beta, int depth, int ply);
    int search_root(int depth, const Symmetry* symmetry, std::size_t count);
    int score_root_move(int best, int depth);
    int try_moves(int alpha, int beta, int depth, int ply, int table_move, int forced);

    Position position_;
    WorkLimit& limit_;
    Table table_;
    MoveOrder order_;
    std::vector<ScoredMove> moves_;
    std::size_t top_ = 0;
    bool tactical_;
    bool large_;
};

}  // namespace noughts
