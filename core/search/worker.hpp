// One thread of the search, with everything it remembers between the nodes of one tree.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "rules/orbits.hpp"
#include "search/corrections.hpp"
#include "search/engine.hpp"
#include "search/moves_in_progress.hpp"
#include "search/network.hpp"

namespace noughts {

// What a search leaves out on the word of an estimate: that depends on how good estimates are, and on their scale.
struct Boldness {
    int hope;            // a quiet move may gain so much a ply
    int late_depth;      // up to this depth late moves are left out
    int shallow_depth;   // from this depth on a much shallower search may show that a position is good enough; 0: never
    int shallow_margin;  // by how much it has to be better than that
};

class Worker {
  public:
    Worker(const Position& position, Table& table, Busy* busy, Judge& judge, std::atomic<bool>& stop,
           const Limits& limits, const Interrupt& interrupt, int number);

    // Deepens until a limit, a proof or a stop. Only worker 0 reports.
    void run(int lines, const Root& root, const Progress& progress, const std::vector<std::unique_ptr<Worker>>* all);

    std::uint64_t nodes() const { return work_.nodes(); }
    const Report& report() const { return report_; }

  private:
    static constexpr int MAX_PLY = 160;

    // What a node needs to remember about itself while its children are searched.
    struct Node {
        int pv_length = 0;
        std::array<std::int16_t, MAX_PLY> pv;
    };
    // A move of the root that stands for all that are symmetric to it.
    struct RootMove : RootLine {
        bool is_known = false;  // proven beforehand: its score is `known`
        bool is_lost = false;   // proven to lose
        int known = 0;
        std::vector<const Permutation*> images;

        int moves() const { return 1 + static_cast<int>(images.size()); }
    };
    // Facts about a node that decide which shortcuts are sound.
    struct Setting {
        int forced = NO_CELL;   // the only move that does not lose at once
        bool complete = false;  // deep enough to reach the end of the game: nothing may be estimated or pruned
        bool is_pv = false;
        bool forked = false;  // the opponent threatens to make two threats at once: only fork_ replies do not lose
        int judged = 0;       // as the evaluation has it
        int estimate = 0;     // the same, corrected
        int floor = -WIN;     // what the score can no longer fall below or rise above
        int ceiling = WIN;
    };

    void list_root_moves(const Root& root);
    bool is_enough(std::size_t moves) const;
    bool has_no_choice(int depth) const;
    bool deepen(int depth);
    int search_root(int alpha, int beta, int depth, int first);
    int search_root_move(const RootMove& move, int alpha, int beta, int depth, bool is_first);
    void search_line(int depth, int index);
    int search(int alpha, int beta, int depth, int ply);
    int search_moves(int alpha, int beta, int depth, int ply, const Setting& setting, int table_move);
    // Whether a node's moves may be left out or tried with less depth.
    static bool may_prune(const Setting& setting) {
        return !setting.complete && setting.forced == NO_CELL && !setting.forked;
    }
    bool may_skip(int late, int depth, const Setting& setting) const;
    int hoped_for(const ScoredMove& move, int depth, const Setting& setting) const;
    bool is_hopeless(const ScoredMove& move, int alpha, int depth, const Setting& setting) const;
    int reduction(int late, int depth, const Setting& setting) const;
    int search_child(int alpha, int beta, int depth, int ply, int reduction, bool is_first);
    int leaf(int alpha, int beta, int ply, const Setting& setting);
    int quiesce(int alpha, int beta, int ply);
    void note_dead_lines(Setting& setting) const;
    bool cut_by_table(int alpha, int beta, int depth, int ply, bool complete, int& score, int& table_move) const;
    bool cut_by_estimate(int alpha, int beta, int depth, const Setting& setting) const;
    bool cut_by_shallow_search(int beta, int depth, int ply, const Setting& setting, int table_move, int& score);
    int try_shallow(int move, int bound, int depth, int ply);
    int forced_win(int ply, int nodes);
    int value_of_end(int ply) const;
    int judge_now() { return judge_.has_network() ? judge_.evaluate(position_) : evaluate(position_); }
    int corrected(int estimate) const;
    int estimate_now() { return corrected(judge_now()); }
    void learn_error(int score, int alpha, int beta, int depth, const Setting& setting);

    std::size_t gather_moves(int ply, const Setting& setting, int table_move);
    void play(int cell) {
        position_.play(cell);
        work_.count_node();
    }
    void keep_pv(int ply, int move);
    void extend_pv(std::vector<int>& pv);
    void publish(int depth, int finished);
    void add_unfinished(std::vector<RootMove>& lines, int finished);
    void add_images(const RootMove& move);
    int estimate_of(int move);

    Position position_;
    const Game& game_;
    Table& table_;
    Busy* busy_;  // null with one thread
    Limits limits_;
    WorkLimit work_;
    int number_;
    bool tactical_;  // threats can be carried out wherever they are, and completing wins
    bool forks_;     // and whoever faces two such threats has lost, wherever they are
    bool large_;     // too many cells to look at those that touch nothing
    Judge& judge_;   // with a network, where the game has one; otherwise the weights judge
    const Boldness& boldness_;
    Corrections corrections_;

    ForcedWin forced_win_;
    ForkDefence fork_;
    MoveOrder order_;
    std::vector<Node> tree_;
    std::vector<ScoredMove> moves_;  // a stack: each node's moves lie above its parent's
    std::size_t moves_top_ = 0;
    int lines_ = 1;  // how many moves are wanted
    bool prompt_ = false;
    std::vector<RootMove> root_;
    std::vector<RootMove> reported_;  // whose images are in report_, too
    Report report_;
    const Progress* progress_ = nullptr;
    const std::vector<std::unique_ptr<Worker>>* all_ = nullptr;
};

}  // namespace noughts
