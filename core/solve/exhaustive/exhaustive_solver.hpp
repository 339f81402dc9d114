// Solves positions of any game by search to the end of the game: for small games and endings.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"
#include "search/move_order.hpp"
#include "solve/exhaustive/exhaustive_search.hpp"
#include "solve/progress_estimate.hpp"
#include "tactics/bounds_table.hpp"

namespace noughts {

struct ExhaustiveResult {
    Bounds bounds;       // of the value, for the side to move
    int move = NO_CELL;  // reaches bounds.lower, or resists; NO_CELL if the game is over or no move is proven
};

// A move for a position where every move loses: answers a threat if there is one, else makes threats. The position must
// not be over.
int resisting_move(const Position& position);

class ExhaustiveSolver {
  public:
    // The table takes at most `bytes`, but at least 16 KB. `symmetries` are elements of the game's symmetry group, the
    // identity first; up to 32 are used, only on boards of at most 64 cells and where they save work.
    ExhaustiveSolver(std::shared_ptr<const Game> game, std::size_t bytes,
                     const std::vector<Permutation>& symmetries = {}, int threads = 1);

    const Game& game() const { return *game_; }

    // Searches for the value within a window, -1 <= alpha < beta <= 1. Unless the limit ends the search, the returned
    // bounds meet, or upper <= alpha, or lower >= beta. The bounds are proven in any case.
    ExhaustiveResult solve(const Position& position, int alpha, int beta, WorkLimit& limit);

    // Whether the side to move reaches the goal: 1 for a win, 0 for at least a draw. Empty if that takes more than
    // `nodes` nodes.
    std::optional<bool> reaches(const Position& position, int goal, std::uint64_t nodes, WorkLimit& limit);
    // A move that reaches `value` (0 or 1), which must not exceed the value of the position; forcing moves are
    // preferred. NO_CELL if the limit ended the search. Fast as long as the table has the entries.
    int move_reaching(const Position& position, int value, WorkLimit& limit);

    // The bounds in the table, without search.
    Bounds known(const Position& position) const;

    // Declares that all positions from now on descend from this one. In games of several blocks or of more than 64
    // cells, keys encode only the cells that are free in the first position solved; without this call, a position that
    // does not descend from it clears the table. In other games the call does nothing.
    void start_from(const Position& position) { search_->start_from(position); }
    void clear() { search_->clear(); }
    std::size_t bytes() const { return search_->bytes(); }

    // --- for reports of a running solve, after `nodes` of this run and `before` of earlier ones ---
    ProgressEstimate estimate_progress(std::uint64_t nodes, std::uint64_t before) const;
    TableUse table_use() const { return search_->table_use(); }
    std::vector<int> path() const { return search_->estimate().path(); }

    // Saves the table, to continue later; a table of another size can load it. `load` throws InvalidSnapshot for
    // anything but a table of this game, and then leaves an empty table.
    void save(SnapshotWriter& out) const;
    void load(SnapshotReader& in);

  private:
    void prepare(const Position& position, const WorkLimit& limit);
    std::optional<bool> search(const Position& position, int goal, std::uint64_t share, WorkLimit& limit);
    std::optional<bool> search_together(const Position& position, int goal, std::uint64_t share, WorkLimit& limit);
    Bounds ask(const Position& position, int goal, std::uint64_t share, Bounds known, WorkLimit& limit);
    int find_move(const Position& position, int value, WorkLimit& limit);
    int test_move(const Position& after, int value, std::uint64_t share, WorkLimit& limit);

    std::shared_ptr<const Game> game_;
    std::unique_ptr<ExhaustiveSearch> search_;
    int threads_;
    std::uint64_t alone_until_ = 0;  // number of nodes until which a single thread searches
    bool is_second_open_ = false;    // whether the question that is not being asked is open
};

// The value of a finished game for the side to move.
int value_when_over(const Position& position);

}  // namespace noughts
