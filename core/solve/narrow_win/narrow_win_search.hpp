// Proof-number search for narrow wins in games of several blocks: wins in which each move leaves the opponent as few
// replies as possible.
#pragma once

#include <optional>
#include <vector>

#include "rules/canonical_position.hpp"
#include "solve/proof_number/best_child.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// The attacker considers only the moves after which the opponent has the fewest replies, and moves that take a block;
// the opponent considers every move. So a proof is valid, but a disproof only means that no narrow attack wins.
//
// A position can be reached by many orders of moves, and a sum of proof numbers would count the work below it once for
// each. Weak proof numbers avoid that: of several positions that must all be settled, the hardest counts in full and
// every other one as 1.
class NarrowWinSearch {
  public:
    // The symmetry must outlive this object.
    NarrowWinSearch(const Position& position, const Symmetry& symmetry, std::size_t megabytes);

    // Turns to another position of the same game and keeps the table.
    void start_from(const Position& position) { canonical_.emplace(position, symmetry_); }

    // Continues the search for a win of `attacker` until it is solved or the limit ends it. Proved means that the
    // attacker wins; disproved, only that no narrow attack wins.
    ProofNumbers search(Side attacker, WorkLimit& limit);

    // --- for a walk through a proof; the attacker is that of the last search unless it is set ---
    CanonicalPosition& canonical_position() { return *canonical_; }
    const CanonicalPosition& canonical_position() const { return *canonical_; }
    Side attacker() const { return attacker_; }
    void set_attacker(Side attacker) { attacker_ = attacker; }
    // A winning move of the attacker, who must be to move; NO_CELL if there is no narrow win or the limit ended the
    // search.
    int winning_attack(WorkLimit& limit);

    const std::vector<int>& path() const { return path_; }  // the moves to the current position of the search
    ProofNumbers root_numbers() const { return root_numbers_; }
    const ProofTable& table() const { return table_; }
    ProofTable& table() { return table_; }

  private:
    // Numbers are those of the side to move at the parent. The parent's `own` is zero once one child's is; its `other`
    // is zero once every child's is.
    struct Child {
        int move;
        std::uint32_t own, other;
    };
    struct Choice {
        std::uint32_t own = INFINITE, second = INFINITE, other = 0;
        std::uint32_t rest = 0;  // the part of `other` that comes from the other children
        const Child* child = nullptr;
    };

    const Position& position() const { return canonical_->position(); }
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
    std::optional<CanonicalPosition> canonical_;
    ProofTable table_;
    Side attacker_ = X;
    std::uint64_t nodes_ = 0;
    ProofNumbers root_numbers_;
    std::vector<int> path_;
    std::vector<std::vector<int>> lines_in_;  // the lines of each block

    // Reused from call to call, to avoid allocations.
    std::vector<std::vector<Child>> children_;  // by depth
    std::vector<std::vector<Word>> keys_;       // of the children, by depth; of symmetric moves only one is tried
    std::vector<Word> key_;
};

}  // namespace noughts
