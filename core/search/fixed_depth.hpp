// Plain alpha-beta to a fixed depth: what the levels play by. No forced-win search, no extensions, no pruning but
// alpha-beta's own, so that "four plies" means four plies.
#pragma once

#include <vector>

#include "rules/symmetry.hpp"
#include "search/evaluate.hpp"
#include "search/move_order.hpp"
#include "search/transposition_table.hpp"
#include "support/interrupt.hpp"

namespace noughts {

class PlainSearch {
  public:
    // `interrupt` is asked now and then; once it says true the search ends and its result means nothing.
    explicit PlainSearch(const Position& position, Interrupt interrupt = {});

    // The best score at `depth` plies and every move that has it, in ascending order. On large boards moves that touch
    // no line with a mark on it are not considered, unless there is nothing else, nor more than a few dozen replies.
    struct Result {
        int score = 0;
        std::vector<int> moves;
        std::uint64_t nodes = 0;
    };
    // `symmetry`, where given, spares symmetric root moves.
    Result best_moves(int depth, const Symmetry* symmetry);

  private:
    int search(int alpha, int beta, int depth, int ply);
    int search_root(int depth, const Symmetry* symmetry, std::size_t count);
    int score_root_move(int best, int depth);
    int try_moves(int alpha, int beta, int depth, int ply, int table_move, int forced);

    Position position_;
    Interrupt interrupt_;
    bool stopped_ = false;
    Table table_;
    MoveOrder order_;
    std::vector<ScoredMove> moves_;
    std::size_t top_ = 0;
    bool tactical_;
    bool large_;
    std::uint64_t nodes_ = 0;
};

}  // namespace noughts
