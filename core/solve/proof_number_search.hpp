// Depth-first proof-number search: can a side force a win? Every answer is a proof.
#pragma once

#include <utility>
#include <vector>

#include "rules/symmetric_key.hpp"
#include "search/move_order.hpp"
#include "solve/draw_arguments.hpp"
#include "solve/proof_table.hpp"
#include "support/work_limit.hpp"
#include "tactics/forced_win.hpp"

namespace noughts {

// Which arguments are used, each only in games where it holds. All are sound: switching one off changes the work, never
// the answer, which is what tests check.
struct ProofTechniques {
    bool sums = true;  // Erdős–Selfridge
    bool pairings = true;
    bool dominated = true;   // leave out dominated cells
    bool chains = true;      // forced wins as leaves
    bool zones = true;       // replies to a threatened forced win
    int chain_nodes = 400;   // how far a forced win is looked for
    int threat_nodes = 200;  // the same, where it is only threatened
};

// Why a position is settled without search.
enum class Ground { NONE, OVER, COMPLETES, TWO_THREATS, NO_LINE, SUM, PAIRING, CHAIN };

class ProofNumberSearch {
  public:
    ProofNumberSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                      ProofTechniques techniques = {});

    // Whether `attacker` can force a win from the position: solved, unless the limit ended the search.
    ProofNumbers search(Side attacker, WorkLimit& limit);

    // --- for those who walk through a finished proof; the question is that of the last search ---
    Position& position() { return position_; }
    Side attacker() const { return attacker_; }
    void set_attacker(Side attacker) { attacker_ = attacker; }
    void play(int cell);
    void undo();
    // The numbers of the position, searched for when the table does not solve it (any more).
    ProofNumbers settle(WorkLimit& limit);
    // Of a settled position that is not over, for the side it is good for; that side must be to move. NO_CELL when the
    // limit ended the search for it.
    int decisive_move(WorkLimit& limit);
    // What can be said without search; forced wins are the costly part.
    ProofEntry look(Ground& ground, bool for_chains = true);
    // A pairing that keeps the attacker from completing any line, where one is likely enough to be worth looking for.
    std::vector<std::pair<int, int>> find_pairing() const;
    void list_moves(std::uint8_t notes, std::vector<int>& moves);
    ForcedWin& forced_win() { return forced_win_; }
    const DrawArguments& draws() const { return draws_; }
    const SymmetricKey& symmetric_key() const { return symmetric_key_; }
    const ProofTechniques& techniques() const { return techniques_; }

    static constexpr std::uint8_t THREATENED = 1;      // the side to move loses to a forced win if it passes
    static constexpr std::uint8_t NOT_THREATENED = 2;  // none was found
    static constexpr std::uint8_t FORCED = 4;          // it must answer a threat at once

    const std::vector<int>& line() const { return line_; }  // where the search is
    ProofNumbers root_numbers() const { return root_numbers_; }

  private:
    // Seen from the side to move: `own` must be brought to zero by one child, `other` by all.
    struct Child {
        std::uint16_t move;
        std::uint8_t notes;
        std::uint32_t own, other;  // the child's numbers, from the side to move at the parent
        int order;                 // among equals, the highest first
        bool is_seen;              // the numbers are more than a guess
    };

    struct Choice {
        std::uint32_t own = INFINITE, second = INFINITE, other = 0;
        Child* child = nullptr;
    };

    bool is_attacking() const { return position_.turn() == attacker_; }
    std::uint8_t tag() const { return static_cast<std::uint8_t>(index(position_.turn()) | index(attacker_) << 1); }
    ProofEntry visit();
    int known_move();
    ProofEntry settle_by_lines(Ground& ground, bool for_chains);
    ProofEntry guess(std::uint8_t notes) const;
    ProofNumbers explore(ProofNumbers limits, std::uint8_t notes, std::size_t depth, WorkLimit& limit);
    bool expand(std::uint8_t notes, std::size_t depth, WorkLimit& limit);
    bool add_child(int move, int order, bool may_guess, std::size_t depth);
    bool is_repeated(std::size_t depth) const;
    static Choice choose(std::vector<Child>& children);
    ProofNumbers go_on(Child& child, ProofNumbers limits, std::size_t depth, WorkLimit& limit);
    int order_of(int cell) const;
    bool find_threat(std::uint8_t& notes);
    void store(ProofNumbers numbers, std::uint64_t work, int move, std::uint8_t notes);

    Position position_;
    int first_ply_;
    SymmetricKey symmetric_key_;
    ProofTable& table_;
    ProofTechniques techniques_;
    DrawArguments draws_;
    ForcedWin forced_win_;
    Side attacker_ = X;
    bool is_static_, marks_never_hurt_, by_lines_;
    std::vector<std::vector<Child>> children_;  // by depth
    std::vector<std::vector<Word>> keys_;       // of the children, by depth: symmetric moves are tried once
    std::vector<int> moves_, line_;
    std::vector<ScoredMove> ordered_;
    std::vector<Word> key_;
    CellSet cells_, zone_;
    std::uint64_t nodes_ = 0;
    ProofNumbers root_numbers_;
};

}  // namespace noughts
