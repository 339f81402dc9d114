// Fixed strategies, a kind of leaf of certificates, defined in docs/proof-format.md. Here every item is a cell.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "solve/exhaustive/bitboard_search.hpp"
#include "solve/exhaustive/line_patterns.hpp"

namespace noughts {

// Plays a fixed strategy out against every reply.
class FixedStrategy {
  public:
    static constexpr std::uint64_t MOST_POSITIONS = 1 << 14;
    static bool supports(const Game& game) { return BitboardLayout::fits(game) && !game.misere(); }

    explicit FixedStrategy(const Game& game);

    // Whether the prover reaches the goal (1 a win, 0 at least a draw) by always playing the first legal cell of
    // `order`, which must contain every empty cell. The game must not be over.
    bool play_out(const Position& position, Side prover, int goal, const std::vector<Cell>& order);

    // The rival's reply, if any, and the prover's move after it; NO_CELL if there is no move or the prover has won.
    struct Turn {
        Cell reply, move;
    };
    // After a failure: the turns that led to it.
    const std::vector<Turn>& failure() const { return failure_; }
    // After a success: the cells that were played, in order. As a strategy, they are equivalent to the whole order.
    std::vector<Cell> used_cells() const;
    std::uint64_t positions() const { return positions_; }  // visited by the last call

  private:
    struct Slot {
        Word own = ~Word{0}, rival = ~Word{0};  // value of an empty slot

        bool operator==(const Slot&) const = default;
    };

    bool explore(Word own, Word rival);
    bool answer(Word own, Word rival, Word playable, Word own_completing, Word reply);
    Word choose(Word filled, Word playable, Word rival_completing);
    bool explore_after(Word reply, Word own, Word rival, Word own_completing);
    bool insert(const Slot& position);
    void grow();
    bool fail(Word reply, Word move);
    bool accept_draw(Word reply, Word move) { return goal_ == 0 || fail(reply, move); }
    Word bit_at(Cell cell) const { return cell == NO_CELL ? 0 : bit(board_.bit_of[cell]); }
    Cell cell_of(Word bit) const { return bit == 0 ? NO_CELL : Cell(board_.cell_of[std::countr_zero(bit)]); }

    BitboardLayout board_;
    LinePatterns patterns_;
    std::vector<Cell> order_;
    std::array<int, 64> rank_{};  // place of each bit in the order
    Word used_ = 0;
    std::vector<Turn> turns_, failure_;
    std::vector<Slot> seen_;          // hash table; its size is a power of two
    std::array<Word, 64> killers_{};  // by depth: the reply that last refuted the strategy; it is tried first
    std::uint64_t positions_ = 0;
    int goal_ = 0;
};

}  // namespace noughts
