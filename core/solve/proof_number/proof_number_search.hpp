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

// The arguments that settle positions without search. Each is used only in games where it is valid. All are sound:
// switching one off changes the work but never the answer, which tests check.
struct ProofTechniques {
    bool erdos_selfridge = true;
    bool set_matching = true;
    int most_cells_of_set = 12;
    bool set_packing = true;      // search longer for sets at the root
    bool domination = true;       // drop dominated cells
    bool forced_wins = true;      // wins by threats alone become leaves
    bool relevance_zones = true;  // consider only replies that can stop a threatened forced win
    int forced_win_nodes = 400;   // limit of the search for a forced win
    int threat_nodes = 200;       // limit of the search for a threatened forced win
    int fork_win_nodes = 300;     // limit of the search for a win by threats and threats of a fork; 0 for none
    int fork_win_cells = 65;      // on boards with fewer cells, the search for such wins costs more than it saves
};

// For static games, see Game::is_static.
//
// Several threads may search the same position, each with its own object, over one table that was made for them. Before
// each choice they look up the numbers of the moves again, and they avoid positions that are in progress.
class ProofNumberSearch {
  public:
    // `in_progress` is shared by the threads of a team; null for a single thread.
    ProofNumberSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                      ProofTechniques techniques = {}, PositionsInProgress* in_progress = nullptr);

    // Continues the search whether `attacker` can force a win from the position. The result is solved unless the limit
    // ended the search; proved means that the attacker can.
    ProofNumbers search(Side attacker, WorkLimit& limit);

    // The table's entry for the position. If there is none, the position is evaluated and stored.
    ProofEntry visit();
    // The numbers of the position without a search; another thread may have stored them.
    ProofNumbers known_numbers(WorkLimit&) { return visit().numbers; }

    // --- for a walk through a finished proof; the attacker is that of the last search unless it is set ---
    CanonicalPosition& canonical_position() { return canonical_; }
    Position& position() { return canonical_.position(); }
    Side attacker() const { return attacker_; }
    void set_attacker(Side attacker) { attacker_ = attacker; }
    // The numbers of the position, which is searched unless the table says that it is solved.
    ProofNumbers settle(WorkLimit& limit);
    // In a solved position that is not over, where the side to move wins (or holds the draw): a move that does so.
    // NO_CELL if the limit ended the search for it.
    int decisive_move(WorkLimit& limit);
    // Whether sets were found that keep the attacker from completing any line. Looks for them only where success is
    // likely enough.
    bool find_sets();
    const std::vector<std::vector<int>>& sets() const { return *sets_; }  // found by the last success
    ForcedWin& forced_win() { return forced_win_; }
    bool finds_fork_wins() const { return fork_win_.has_value(); }
    DrawArguments& draw_arguments() { return draw_arguments_; }
    const ProofTechniques& techniques() const { return techniques_; }

    const std::vector<int>& path() const { return path_; }  // the moves to the current position of the search
    ProofNumbers root_numbers() const { return root_numbers_; }
    // When the current question was first searched.
    ProofNumbers first_numbers() const { return first_numbers_[attacker_]; }
    std::vector<SearchedMoves> searched_moves() const;  // at the nodes along the path

  private:
    static constexpr int MOST_PACKING_TRIES = 5'000'000;
    // Notes in table entries.
    static constexpr std::uint8_t THREATENED = 1;      // if the side to move passed, the other side would win by force
    static constexpr std::uint8_t NOT_THREATENED = 2;  // no such forced win was found
    static constexpr std::uint8_t FORCED = 4;          // the side to move must answer a threat at once

    // Numbers are those of the side to move at the parent. The parent's `own` is zero once one child's is; its `other`
    // is zero once every child's is.
    struct Child {
        std::uint16_t move;
        std::uint8_t notes;
        std::uint32_t own, other;
        int order;                      // breaks ties: the highest first
        bool is_visited;                // the numbers come from the table or an evaluation, not from a guess
        std::uint32_t in_progress = 0;  // state of PositionsInProgress when the numbers were looked up
    };
    // For the choice, and for `second`, numbers are raised where other threads are at work.
    using Choice = BestChild<Child>;

    // Searches for packed sets that the limit ended, to be continued.
    struct PackingInProgress {
        std::optional<SetPacking> grids, from_pool;
    };

    bool is_attacking() const { return canonical_.position().turn() == attacker_; }
    std::uint8_t tag() const {
        return static_cast<std::uint8_t>(index(canonical_.position().turn()) | index(attacker_) << 1);
    }
    ProofEntry evaluate(bool with_forced_wins);
    // Whether an evaluation ended early and may have missed sets.
    bool is_cut_short() const { return limit_ && limit_->is_spent(); }
    bool find_packing();
    bool pack_sets(PackingInProgress& packing);
    ProofEntry first_guess(std::uint8_t notes) const;
    int table_move();
    int most_promising_move();
    ProofNumbers explore(ProofNumbers thresholds, std::uint8_t notes, std::size_t depth, WorkLimit& limit);
    std::optional<ProofNumbers> find_fork_win();  // for the side to move; stores the result
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

    CanonicalPosition canonical_;
    int first_ply_;
    ProofTable& table_;
    ProofTechniques techniques_;
    PositionsInProgress* in_progress_;
    DrawArguments draw_arguments_;
    SetMatching set_matching_;
    const std::vector<std::vector<int>>* sets_ = nullptr;
    // Packed sets by the position's key and the attacker, as their canonical images; empty if there are none. Each
    // position is searched for sets only once.
    std::map<std::pair<std::vector<Word>, Side>, std::vector<std::vector<int>>> packings_;
    std::vector<std::vector<int>> packed_sets_;
    // By key, attacker, and the symmetry that maps the position to its canonical image.
    std::map<std::tuple<std::vector<Word>, Side, int>, PackingInProgress> packings_in_progress_;
    std::unique_ptr<SetPool> set_pool_;
    int packing_tries_left_ = MOST_PACKING_TRIES;
    WorkLimit* limit_ = nullptr;  // of the search in progress
    ForcedWin forced_win_;
    std::optional<ForkWin> fork_win_;  // empty in games where it is not used
    Side attacker_ = X;
    bool marks_never_hurt_;
    std::uint64_t nodes_ = 0;
    ProofNumbers root_numbers_;
    // By attacker; solved numbers mean that there was no search yet.
    PerSide<ProofNumbers> first_numbers_ = {{DISPROVED, DISPROVED}};
    std::vector<int> path_;

    // Reused from call to call, to avoid allocations.
    std::vector<std::vector<Child>> children_;  // by depth
    std::vector<std::vector<Word>> keys_;       // of the children, by depth; of symmetric moves only one is tried
    std::vector<int> moves_;
    std::vector<ScoredMove> ordered_;
    std::vector<Word> key_;
    CellSet cells_, zone_;
};

}  // namespace noughts
