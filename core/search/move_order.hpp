// Move ordering: by lines close to completion, by history heuristics, and by where a move sends the opponent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// Whether the game has one block of at least a hundred cells: too many to try moves that touch no mark.
inline bool is_large(const Game& game) { return game.has_one_block() && game.cells() >= 100; }

struct ScoredMove {
    Cell move;
    int score;
};

// The ordering score of each empty cell for either side, from the lines through it. Updated from one position of a tree
// to the next, which is cheaper than recounting all lines of all cells.
class CellWorth {
  public:
    explicit CellWorth(const Game& game);

    // Updates the scores from the last position to this one, by the moves between them.
    void update(const Position& position);
    // The score of an empty cell in the position given to the last `update`.
    int of(Cell cell, Side side) const { return half(cells_[cell], side); }
    // The score of an empty cell in any position, without `update`: counts the lines through the cell.
    int count(const Position& position, Cell cell, Side side) const;

  private:
    static int half(std::uint64_t both, Side side) { return static_cast<std::int32_t>(both >> (32 * index(side))); }
    void start_at(const Position& position);
    void step(SidedCell mark, bool forward);
    void change(int line, LineState delta);

    const Game& game_;
    std::vector<std::uint64_t> line_worth_;  // by line class: the worth for X in the lower half, for O in the upper
    std::vector<std::uint64_t> cells_;       // by cell: the sum over its lines
    std::vector<LineState> lines_;           // line states of the last position
    std::vector<SidedCell> moves_;           // the moves that led from first_ply_ to the last position
    int first_ply_ = -1;
};

// Scores moves for a search, which tries the moves with the highest scores first.
class MoveOrder {
  public:
    static constexpr int RELEVANT = 64;         // least score of a move that touches a marked line
    static constexpr int QUIET = 8 * RELEVANT;  // a move below this score touches nothing urgent
    static constexpr int FIRST = 1 << 28;       // score of the move from the table

    MoveOrder(const Game& game, int plies, bool has_network);

    // Writes the moves and their scores to `moves` from index `first` on, and returns their number. With
    // `relevant_only`, only moves that touch a marked line are written, unless there are none.
    std::size_t gather(const Position& position, int ply, Cell table_move, bool relevant_only,
                       std::vector<ScoredMove>& moves, std::size_t first);

    // Like `gather`, for the legal moves within a set of cells.
    std::size_t gather_from(const Position& position, int ply, Cell table_move, const CellSet& cells,
                            std::vector<ScoredMove>& moves, std::size_t first);

    // Records that `move` refuted the opponent's last move: from now on it is tried earlier, and the moves tried before
    // it are tried later.
    void reward(const Position& position, int ply, int depth, Cell move, std::span<const ScoredMove> tried_before);

  private:
    int score(const Position& position, Cell cell, int ply) const;
    int sending_cost(const Position& position, Cell cell) const;

    const Game& game_;
    // Whether cells that touch no mark are also scored by history and by where they send. Measured in games of several
    // blocks: a gain with a network, a loss with weights where won blocks stay open.
    bool scores_all_;
    CellWorth worth_;
    bool incremental_;                         // whether updating the scores of cells is cheaper than recomputing them
    PerSide<std::vector<int>> history_;        // by cell
    std::vector<std::int16_t> counter_moves_;  // by the opponent's last cell
    std::vector<std::int16_t> killers_;        // by ply
};

// Swaps the best of the moves from `at` to `end` into place `at`, and returns it.
inline ScoredMove pick_best(std::vector<ScoredMove>& moves, std::size_t at, std::size_t end) {
    std::size_t best = at;
    for (std::size_t i = at + 1; i < end; ++i)
        if (moves[i].score > moves[best].score) best = i;
    std::swap(moves[at], moves[best]);
    return moves[at];
}

// Hands out moves, best first, from a range of a vector that may be reallocated in the meantime. A move can be
// deferred: it is then handed out a second time after all other moves.
class MovePicker {
  public:
    MovePicker(std::vector<ScoredMove>& moves, std::size_t first, std::size_t count)
        : moves_(moves), first_(first), next_(first), end_(first + count), last_(first + count) {}

    // The next move; nothing if all have been handed out.
    std::optional<ScoredMove> next() {
        if (next_ == end_) {
            if (end_ == last_) return std::nullopt;
            end_ = last_;
            returns_deferred_ = true;
        }
        return pick_best(moves_, next_++, end_);
    }
    // Defers the move handed out last. Allowed only if is_deferrable().
    void defer() { std::swap(moves_[--next_], moves_[--end_]); }
    // No move is deferred twice, and the first move is never deferred.
    bool is_deferrable() const { return !returns_deferred_ && tried() > 0; }

    // The number of moves handed out before the last one, not counting deferred ones.
    std::size_t tried() const { return next_ - first_ - 1; }
    std::span<const ScoredMove> tried_before() const { return {moves_.data() + first_, tried()}; }

  private:
    std::vector<ScoredMove>& moves_;
    std::size_t first_, next_;
    std::size_t end_;   // end of the moves not handed out; the deferred moves begin here
    std::size_t last_;  // end of the deferred moves
    bool returns_deferred_ = false;
};

}  // namespace noughts
