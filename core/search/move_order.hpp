// Which moves to try first: near-complete lines, what worked elsewhere in the tree, and where a move sends.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

inline constexpr int NO_CELL = -1;
inline constexpr int LARGE_BOARD =
    100;  // cells from which a flat board has too many moves to look at those that touch nothing

struct ScoredMove {
    int move;
    int score;
};

// What a mark of either side on each cell is worth trying, by the lines through it: kept up from one position of a tree
// to the next, which costs a handful of lines where a count anew would look at every line of every cell.
class CellWorth {
  public:
    explicit CellWorth(const Game& game);

    // Goes from the position it was last asked about to this one, by the moves that lead there.
    void follow(const Position& position);
    // Valid for empty cells of the position followed last.
    int of(int cell, Side side) const { return static_cast<std::int32_t>(cells_[cell] >> (32 * side)); }
    // The same, counted anew from the lines of any position.
    int count(const Position& position, int cell, Side side) const;

  private:
    void start_at(const Position& position);
    void step(int cell, Side side, bool forward);
    void change(int line, LineState delta);

    const Game& game_;
    std::vector<std::uint64_t> line_worth_;  // by line class: X's in the lower half, O's in the upper
    std::vector<std::uint64_t> cells_;       // sums of the same
    std::vector<LineState> lines_;           // of the position followed last
    std::vector<std::uint16_t> moves_;       // that led to it from where it started: the cell and the side
    int first_ply_ = -1;
};

class MoveOrder {
  public:
    static constexpr int RELEVANT = 64;         // the least score of a move that touches a line with a mark on it
    static constexpr int QUIET = 8 * RELEVANT;  // a move with less touches nothing urgent
    static constexpr int FIRST = 1 << 28;       // the score of the move the table knows

    MoveOrder(const Game& game, int plies);

    // Writes the moves worth trying to `moves` and returns how many: all legal ones, or, with `relevant_only`, those
    // that touch a line with a mark on it, unless there is none.
    std::size_t gather(const Position& position, int ply, int table_move, bool relevant_only,
                       std::vector<ScoredMove>& moves, std::size_t first);

    // The same for the legal moves in a set of cells.
    std::size_t gather_from(const Position& position, int ply, int table_move, std::span<const Word> cells,
                            std::vector<ScoredMove>& moves, std::size_t first);

    // A move that refuted the opponent's last is tried earlier from now on; those tried before it in vain, later.
    void reward(const Position& position, int ply, int depth, int move, const ScoredMove* before, std::size_t tried);

  private:
    int score(const Position& position, int cell, int ply) const;
    int sending_cost(const Position& position, int cell) const;

    const Game& game_;
    // Whether a cell that touches no mark is scored like any other, by history and where it sends. Measured: that gains
    // where a network judges, and loses where won blocks stay open and the weights do.
    bool all_matter_;
    CellWorth worth_;
    bool follows_;                       // whether keeping the worth of cells up to date is cheaper than counting
    std::vector<int> history_[2];        // by cell
    std::vector<std::int16_t> counter_;  // by the opponent's last cell
    std::vector<std::int16_t> killers_;  // by ply
};

// Drops the moves that are not wanted, keeping the order of the others, and returns how many are left.
template <typename Wanted>
std::size_t keep_moves(std::vector<ScoredMove>& moves, std::size_t first, std::size_t count, Wanted&& wanted) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (wanted(moves[first + i])) moves[first + kept++] = moves[first + i];
    return kept;
}

// Moves the best of the moves from `at` on to the front.
inline ScoredMove pick_best(std::vector<ScoredMove>& moves, std::size_t at, std::size_t end) {
    std::size_t best = at;
    for (std::size_t i = at + 1; i < end; ++i)
        if (moves[i].score > moves[best].score) best = i;
    std::swap(moves[at], moves[best]);
    return moves[at];
}

}  // namespace noughts
