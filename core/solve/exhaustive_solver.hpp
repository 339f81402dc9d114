// Search to the end of the game: win, draw or loss for certain, of any game. For small games and endings.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"
#include "search/move_order.hpp"
#include "solve/bounds_table.hpp"
#include "solve/exhaustive_search.hpp"

namespace noughts {

struct ExhaustiveResult {
    Bounds bounds;       // of the value for the side to move: -1, 0 or 1; they meet when it is exact
    int move = NO_CELL;  // reaches bounds.lower, or resists; NO_CELL when the game is over or nothing is known
};

// Where every move loses: one that answers a threat, else one that makes some. The position must not be over.
int resisting_move(const Position& position);

class ExhaustiveSolver {
  public:
    // The table takes at most `bytes` (at least 16 KB) and lives as long as this. `symmetries` are elements of the
    // game's group, the identity first; up to 32 are used, on boards of at most 64 cells and only where they gain.
    ExhaustiveSolver(std::shared_ptr<const Game> game, std::size_t bytes,
                     const std::vector<Permutation>& symmetries = {});

    const Game& game() const { return *game_; }

    // Finds whether the value v of a position of this game is <= alpha, between, or >= beta: -1 <= alpha < beta <= 1.
    // When it ran to its end, the bounds meet, or upper <= alpha, or lower >= beta. Bounds are true even if the limit
    // ended it early.
    ExhaustiveResult solve(const Position& position, int alpha, int beta, WorkLimit& limit);

    // A move that reaches `value` (0 or 1), which the position must have at least; forcing moves are preferred. NO_CELL
    // when the limit ended the search for it. Quick where the table still knows.
    int move_reaching(const Position& position, int value, WorkLimit& limit);

    // What the table knows already, without any search.
    Bounds known(const Position& position) const;

    // Tells the table that what is solved from now on comes from this position. It matters for games of several blocks
    // or more than 64 cells, where keys are made for the cells still free: without it, a position that does not come
    // from the one solved first empties the table. Elsewhere it does nothing.
    void start_from(const Position& position) { search_->start_from(position); }
    void clear() { search_->clear(); }
    std::size_t bytes() const { return search_->bytes(); }

    // The table, to go on another time, also with a table of another size. `load` throws InvalidSnapshot when it meets
    // something else or the table of another game, and then leaves an empty table.
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);

  private:
    Bounds ask(const Position& position, int goal, std::uint64_t share, Bounds known, WorkLimit& limit);
    int find_move(const Position& position, int value, WorkLimit& limit);
    int test_move(const Position& after, int value, std::uint64_t share, WorkLimit& limit);

    std::shared_ptr<const Game> game_;
    std::unique_ptr<ExhaustiveSearch> search_;
};

// The value of a finished game for the side to move.
int value_when_over(const Position& position);

}  // namespace noughts
