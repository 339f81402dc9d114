// Alpha-beta search to a fixed depth, used by the levels. It has no forced-win search, no extensions and no pruning
// besides alpha-beta, so that "four plies" means four plies.
#pragma once

#include <vector>

#include "rules/symmetry.hpp"
#include "search/evaluate.hpp"
#include "search/move_order.hpp"
#include "search/transposition_table.hpp"
#include "support/work_limit.hpp"

namespace noughts {

class FixedDepthSearch {
  public:
    static constexpr int MAX_DEPTH = 32;

    // Results are meaningless once the limit has ended the search.
    FixedDepthSearch(const Position& position, WorkLimit& limit);

    struct Result {
        int score = 0;
        std::vector<Cell> moves;  // all moves with this score, in ascending order
    };
    // Returns the moves with the best score at `depth` plies. On large boards, moves that touch no marked line are left
    // out unless there are no others, and only a few dozen replies are tried. With `symmetry`, only one of symmetric
    // root moves is searched. If `nodes` is above 0, the result is that of the deepest search finished within that many
    // nodes: depths increase by two plies, and the first, of one or two plies, is always finished.
    Result best_moves(int depth, const Symmetry* symmetry, std::uint64_t nodes = 0);

  private:
    int search_root(int depth, const Symmetry* symmetry, std::size_t count);
    int search_root_move(int best, int depth);
    int search(int alpha, int beta, int depth, int ply);
    int search_moves(int alpha, int beta, int depth, int ply, Cell table_move, Cell forced);

    Position position_;
    WorkLimit& limit_;
    TranspositionTable table_;
    MoveOrder order_;
    std::vector<ScoredMove> moves_;  // a stack: the moves of a node lie above those of its parent
    std::size_t top_ = 0;
    bool direct_threats_;
    bool large_;
};

}  // namespace noughts
