// Depth-first proof-number search: can a side force a win? Every answer is a proof.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "rules/canonical_position.hpp"
#include "search/move_order.hpp"
#include "solve/parallel/positions_in_progress.hpp"
#include "solve/proof_number/best_child.hpp"
#include "solve/proof_number/proof_estimate.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "solve/static_draw/draw_arguments.hpp"
#include "solve/static_draw/set_matching.hpp"
#include "solve/static_draw/set_packing.hpp"
#include "solve/static_draw/set_pool.hpp"
#include "support/work_limit.hpp"
#include "tactics/forced_win.hpp"
#include "tactics/fork_win.hpp"

namespace noughts {

// The arguments that settle positions without search, each used only in games where it holds. All are sound: switching
// one off changes the work, never the answer, which tests check.
struct ProofTechniques {
    bool erdos_selfridge = true;
    bool set_matching = true;
    int most_cells_of_set = 12;
    bool set_packing = true;      // look for sets at length where the search begins
    bool domination = true;       // leave out dominated cells
    bool forced_wins = true;      // wins by threats alone, as leaves
    bool relevance_zones = true;  // only replies that can stop a threatened forced win
    int forced_win_nodes = 400;   // limit of the search for a forced win
    int threat_nodes = 200;       // the same, for a forced win that is only threatened
    int fork_win_nodes = 300;     // the same, for a win by threats and threats of a fork; none if 0
    int fork_win_cells = 65;      // on smaller boards such wins are not looked for, which costs more than it saves
};

// For static games, see Game::is_static.
//
// Several threads may search the same position, each with an object of its own, over one table that was made for them.
// They look up the numbers of the moves again before each choice, and avoid positions in progress.
class ProofNumberSearch {
  public:
    // `in_progress` is for several threads, and null for one.
    ProofNumberSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                      ProofTechniques techniques = {}, PositionsInProgress* in_progress = nullptr);

    // Whether `attacker` can force a win from the position: solved, unless the limit ended the search.
    ProofNumbers search(Side attacker, WorkLimit& limit);

    // The table's entry of the position. If there is none, the position is evaluated and stored.
    ProofEntry visit();
    // Those of the position; other threads may have found them.
    ProofNumbers known_numbers(WorkLimit&) { return visit().numbers; }

    // --- for a walk through a finished proof; the attacker is that of the last search unless it is set ---
    CanonicalPosition& keyed() { return keyed_; }
    Position& position() { return keyed_.position(); }
    Side attacker() const { return attacker_; }
    void set_attacker(Side attacker) { attacker_ = attacker; }
    // The numbers of the position. It is searched unless the table has numbers that solve it.
    ProofNumbers settle(WorkLimit& limit);
    // The deciding move of a settled position that is not over, in which the side to move wins (or holds the draw).
    // NO_CELL if the limit ended the search for it.
    int decisive_move(WorkLimit& limit);
    // Whether sets were found that keep the attacker from completing any line. They are looked for only where they are
    // likely enough.
    bool find_sets();
    const std::vector<std::vector<int>>& sets() const { return *sets_; }  // of the last success
    ForcedWin& forced_win() { return forced_win_; }
    bool finds_fork_wins() const { return fork_win_.has_value(); }
    DrawArguments& draw_arguments() { return draw_arguments_; }
    const ProofTechniques& techniques() const { return techniques_; }

    const std::vector<int>& path() const { return path_; }  // the moves to where the search is
    ProofNumbers root_numbers() const { return root_numbers_; }
    ProofNumbers first_numbers() const { return first_numbers_[attacker_]; }  // when this question was first searched
    std::vector<SearchedMoves> searched_moves() const;                        // along the line

  private:
    static constexpr int MOST_PACKING_TRIES = 5'000'000;
    // Notes in the table.
    static constexpr std::uint8_t THREATENED = 1;      // the side to move loses to a forced win if it passes
    static constexpr std::uint8_t NOT_THREATENED = 2;  // no such forced win was found
    static constexpr std::uint8_t FORCED = 4;          // the side to move must answer a threat at once

    // Numbers are those of the side to move at the parent: one child must bring `own` to zero, or all `other`.
    struct Child {
        std::uint16_t move;
        std::uint8_t notes;
        std::uint32_t own, other;
        int order;                      // among equals, the highest first
        bool is_visited;                // the numbers are more than a guess
        std::uint32_t in_progress = 0;  // state of PositionsInProgress when the numbers were looked up
    };
    // The child is chosen, and `second` found, by numbers that are higher where other threads are at work.
    using Choice = BestChild<Child>;

    // A search for packed sets that a limit ended, to be continued.
    struct PackingInProgress {
        std::optional<SetPacking> grids, from_pool;
    };

    // Sets the limit for as long as it lives.
    class Limited {
      public:
        Limited(ProofNumberSearch& search, WorkLimit& limit) : search_(search) { search.limit_ = &limit; }
        ~Limited() { search_.limit_ = nullptr; }
        Limited(const Limited&) = delete;
        Limited& operator=(const Limited&) = delete;

      private:
        ProofNumberSearch& search_;
    };

    bool is_attacking() const { return keyed_.position().turn() == attacker_; }
    std::uint8_t tag() const {
        return static_cast<std::uint8_t>(index(keyed_.position().turn()) | index(attacker_) << 1);
    }
    ProofEntry evaluate(bool with_forced_wins);
    bool is_cut_short() const { return limit_ && limit_->is_spent(); }  // an evaluation, which may lack its sets
    bool find_packing();
    bool pack_sets(PackingInProgress& packing);
    ProofEntry first_guess(std::uint8_t notes) const;
    int table_move();
    int most_promising_move();
    ProofNumbers explore(ProofNumbers thresholds, std::uint8_t notes, std::size_t depth, WorkLimit& limit);
    std::optional<ProofNumbers> find_fork_win();  // of the side to move; it is stored
    ProofNumbers descend(Child& child, ProofNumbers thresholds, std::size_t depth, WorkLimit& limit);
    bool expand(std::uint8_t notes, std::size_t depth, WorkLimit& limit);
    void list_moves(std::uint8_t notes);
    bool add_child(int move, int order, bool may_guess, std::size_t depth);
    void look_up_children(std::size_t depth);
    std::span<const Word> key_of(std::size_t depth, const Child& child) const;
    static Choice choose(std::vector<Child>& children);
    void note_root_numbers(ProofNumbers numbers);
    int order_of(int cell) const;
    bool is_threatened();
    void store(ProofNumbers numbers, std::uint64_t work, int move, std::uint8_t notes);

    CanonicalPosition keyed_;
    int first_ply_;
    ProofTable& table_;
    ProofTechniques techniques_;
    PositionsInProgress* in_progress_;
    DrawArguments draw_arguments_;
    SetMatching set_matching_;
    const std::vector<std::vector<int>>* sets_ = nullptr;
    // Packed sets are found once and remembered, by the key of the position and the attacker, as their canonical
    // images; those of a position without any are empty.
    std::map<std::pair<std::vector<Word>, Side>, std::vector<std::vector<int>>> packings_;
    std::vector<std::vector<int>> packed_sets_;
    // By the key, the attacker and the symmetry that maps the position to its canonical image.
    std::map<std::tuple<std::vector<Word>, Side, int>, PackingInProgress> packings_in_progress_;
    std::unique_ptr<SetPool> set_pool_;
    int packing_tries_left_ = MOST_PACKING_TRIES;
    WorkLimit* limit_ = nullptr;  // of the search in progress
    ForcedWin forced_win_;
    std::optional<ForkWin> fork_win_;  // if it is used in the game
    Side attacker_ = X;
    bool marks_never_hurt_;
    std::uint64_t nodes_ = 0;
    ProofNumbers root_numbers_;
    PerSide<ProofNumbers> first_numbers_ = {{DISPROVED, DISPROVED}};  // by attacker; solved while there are none
    std::vector<int> path_;

    // Kept for their memory.
    std::vector<std::vector<Child>> children_;  // by depth
    std::vector<std::vector<Word>> keys_;       // of the children, by depth: of symmetric moves only one is tried
    std::vector<int> moves_;
    std::vector<ScoredMove> ordered_;
    std::vector<Word> key_;
    CellSet cells_, zone_;
};

}  // namespace noughts
