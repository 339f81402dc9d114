// Proof-number search for narrow wins in games of several blocks: the attacker leaves the opponent as few replies as it
// can, move after move.
#pragma once

#include <optional>
#include <vector>

#include "rules/canonical_position.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// The attacker considers only the moves after which the opponent has the fewest replies, and those that take a block;
// the opponent considers every move. So a proof is a proof, but a disproof only says that no such attack wins.
//
// Positions are reached by many orders of moves, and a sum of proof numbers would count what lies below them as often.
// Weak proof numbers do not: of several positions that must all be settled, the hardest counts in full and each other
// one as 1.
class NarrowWinSearch {
  public:
    // The symmetry must outlive this.
    NarrowWinSearch(const Position& position, const Symmetry& symmetry, std::size_t megabytes);

    // Turns to another position of the game and keeps the table.
    void start_from(const Position& position) { keyed_.emplace(position, symmetry_); }

    // Continues the search for a win of `attacker` from the position until it is solved or the limit ends it.
    ProofNumbers search(Side attacker, WorkLimit& limit);

    // --- for a walk through a proof; the attacker is that of the last search unless it is set ---
    CanonicalPosition& keyed() { return *keyed_; }
    const CanonicalPosition& keyed() const { return *keyed_; }
    Side attacker() const { return attacker_; }
    void set_attacker(Side attacker) { attacker_ = attacker; }
    // A move of the attacker, which is to move, that wins; NO_CELL if the search finds none or the limit ended it.
    int winning_attack(WorkLimit& limit);

    const std::vector<int>& path() const { return path_; }  // the moves to where the search is
    ProofNumbers root_numbers() const { return root_numbers_; }
    const ProofTable& table() const { return table_; }
    ProofTable& table() { return table_; }

  private:
    // Numbers are those of the side to move at the parent: one child must bring `own` to zero, or all `other`.
    struct Child {
        int move;
        std::uint32_t own, other;
    };
    struct Choice {
        std::uint32_t own = INFINITE, second = INFINITE, other = 0;
        std::uint32_t rest = 0;  // the part of `other` that the chosen child does not determine
        const Child* child = nullptr;
    };

    const Position& position() const { return keyed_->position(); }
    bool is_attacking() const { return position().turn() == attacker_; }
    std::uint8_t tag() const { return static_cast<std::uint8_t>(index(position().turn()) | index(attacker_) << 1); }
    ProofNumbers numbers();
    ProofNumbers evaluate() const;
    int marks_missing(Side side) const;
    int marks_missing_in(Block block, Side side) const;
    ProofNumbers explore(ProofNumbers thresholds, std::size_t depth, WorkLimit& limit);
    ProofNumbers descend(int move, ProofNumbers thresholds, std::size_t depth, WorkLimit& limit);
    void expand(std::size_t depth);
    std::vector<int> moves_to_try();
    static Choice choose(const std::vector<Child>& children);
    int table_move();
    void store(ProofNumbers numbers, std::uint64_t work, int move);

    const Symmetry& symmetry_;
    std::optional<CanonicalPosition> keyed_;
    ProofTable table_;
    Side attacker_ = X;
    std::uint64_t nodes_ = 0;
    ProofNumbers root_numbers_;
    std::vector<int> path_;
    std::vector<std::vector<int>> lines_in_;  // per block

    // Kept for their memory.
    std::vector<std::vector<Child>> children_;  // by depth
    std::vector<std::vector<Word>> keys_;       // of the children, by depth: of symmetric moves only one is tried
    std::vector<Word> key_;
};

}  // namespace noughts
