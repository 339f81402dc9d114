// Fixed strategies, a kind of leaf of certificates: docs/proofs.md defines them.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/bitboard_search.hpp"
#include "solve/line_patterns.hpp"

namespace noughts {

// A cell that the prover takes when it can; or two, of which it takes one once the other is marked.
struct StrategyItem {
    Cell cell = NO_CELL;
    Cell partner = NO_CELL;

    bool operator==(const StrategyItem&) const = default;
};

// Plays out strategies against every reply.
class FixedStrategy {
  public:
    static constexpr std::uint64_t MOST_POSITIONS = 1 << 14;
    static bool supports(const Game& game) { return BitboardLayout::fits(game) && !game.misere(); }

    explicit FixedStrategy(const Game& game);

    // Whether the prover reaches the goal, 1 a win and 0 at least a draw, by the items in this order, which must
    // contain every empty cell. The game must not be over.
    bool play_out(const Position& position, Side prover, int goal, const std::vector<StrategyItem>& items);

    // A turn of the prover: the reply before it, if there was one, and its move; NO_CELL if it has none or has won.
    struct Turn {
        Cell reply, move;
    };
    // After a failure: the turns that lead to it.
    const std::vector<Turn>& failure() const { return failure_; }
    // After a success: the items that chose a move, in order.
    std::vector<StrategyItem> used_items() const;
    std::uint64_t positions() const { return positions_; }  // visited by the last call

  private:
    struct Item {
        Word cell, partner;
        bool used = false;
    };
    struct Slot {
        Word own = 0, rival = 0;
        std::uint32_t epoch = 0;
    };

    bool explore(Word own, Word rival);
    bool answer(Word own, Word rival, Word playable, Word own_completing, Word reply);
    Word choose(Word filled, Word playable, Word rival_completing);
    bool insert(Word own, Word rival);
    bool fail(Word reply, Word move);
    bool accept_draw(Word reply, Word move) { return goal_ == 0 || fail(reply, move); }
    Cell cell_of(Word bit) const { return bit == 0 ? NO_CELL : Cell(board_.cell_of[std::countr_zero(bit)]); }

    BitboardLayout board_;
    LinePatterns patterns_;
    std::vector<Item> items_;
    std::vector<Turn> turns_, failure_;
    std::vector<Slot> seen_;
    std::uint32_t epoch_ = 0;
    std::uint64_t positions_ = 0;
    int goal_ = 0;
};

}  // namespace noughts
