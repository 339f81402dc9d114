// Move ordering: by near-complete lines, history heuristics, and where a move sends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// Whether a game has too many moves to try those that touch no mark: one block of a hundred cells or more.
inline bool is_large(const Game& game) { return game.has_one_block() && game.cells() >= 100; }

struct ScoredMove {
    Cell move;
    int score;
};

// The ordering score of each empty cell for either side, from the lines through it. Updated incrementally from one
// position of a tree to the next, which is cheaper than recounting every line of every cell.
class CellWorth {
  public:
    explicit CellWorth(const Game& game);

    // Updates the scores from the last position to this one, by the moves between them.
    void update(const Position& position);
    // The score of an empty cell of the last position.
    int of(Cell cell, Side side) const { return half(cells_[cell], side); }
    // The same for any position, counted from its lines.
    int count(const Position& position, Cell cell, Side side) const;

  private:
    static int half(std::uint64_t both, Side side) { return static_cast<std::int32_t>(both >> (32 * index(side))); }
    void start_at(const Position& position);
    void step(SidedCell mark, bool forward);
    void change(int line, LineState delta);

    const Game& game_;
    std::vector<std::uint64_t> line_worth_;  // by line class: X's in the lower half, O's in the upper
    std::vector<std::uint64_t> cells_;       // sums of the same
    std::vector<LineState> lines_;           // of the last position
    std::vector<SidedCell> moves_;           // that led to it from first_ply_
    int first_ply_ = -1;
};

// Scores moves for a search, which tries those with the highest scores first.
class MoveOrder {
  public:
    static constexpr int RELEVANT = 64;         // the least score of a move that touches a line with a mark on it
    static constexpr int QUIET = 8 * RELEVANT;  // a move with less touches nothing urgent
    static constexpr int FIRST = 1 << 28;       // the score of the move from the table

    MoveOrder(const Game& game, int plies, bool has_network);

    // Writes moves with their scores to `moves` from index `first` on and returns their number: all legal ones, or,
    // with `relevant_only`, those that touch a line with a mark on it, unless there is none.
    std::size_t gather(const Position& position, int ply, Cell table_move, bool relevant_only,
                       std::vector<ScoredMove>& moves, std::size_t first);

    // The same for the legal moves in a set of cells.
    std::size_t gather_from(const Position& position, int ply, Cell table_move, const CellSet& cells,
                            std::vector<ScoredMove>& moves, std::size_t first);

    // Records that `move` refuted the opponent's last move: it is tried earlier from now on, and the moves that were
    // tried before it later.
    void reward(const Position& position, int ply, int depth, Cell move, std::span<const ScoredMove> tried_before);

  private:
    int score(const Position& position, Cell cell, int ply) const;
    int sending_cost(const Position& position, Cell cell) const;

    const Game& game_;
    // Whether a cell that touches no mark is scored like any other, by history and where it sends. Measured in
    // games of several blocks: a gain with a network, a loss with weights where won blocks stay open.
    bool scores_all_;
    CellWorth worth_;
    bool incremental_;                         // whether updating the worth of cells is cheaper than counting it
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

// Hands out moves best first, from a range of a vector that may be reallocated meanwhile. A move can be deferred: it is
// then handed out again after all others.
class MovePicker {
  public:
    MovePicker(std::vector<ScoredMove>& moves, std::size_t first, std::size_t count)
        : moves_(moves), first_(first), next_(first), end_(first + count), last_(first + count) {}

    // The next move, or nothing when all have been handed out.
    std::optional<ScoredMove> next() {
        if (next_ == end_) {
            if (end_ == last_) return std::nullopt;
            end_ = last_;
            returns_deferred_ = true;
        }
        return pick_best(moves_, next_++, end_);
    }
    // Takes back the move handed out last. Only while is_deferrable().
    void defer() { std::swap(moves_[--next_], moves_[--end_]); }
    // Deferred moves are not deferred a second time, and the first move is always searched first.
    bool is_deferrable() const { return !returns_deferred_ && tried() > 0; }

    // The number of moves handed out before the last one, without those that were deferred.
    std::size_t tried() const { return next_ - first_ - 1; }
    std::span<const ScoredMove> tried_before() const { return {moves_.data() + first_, tried()}; }

  private:
    std::vector<ScoredMove>& moves_;
    std::size_t first_, next_;
    std::size_t end_;   // deferred moves lie from here
    std::size_t last_;  // to here
    bool returns_deferred_ = false;
};

}  // namespace noughts
