// One thread of the engine's search: iterative deepening over the root moves, and the report of the results.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rules/orbits.hpp"
#include "search/engine.hpp"
#include "search/node_search.hpp"
#include "search/time_manager.hpp"
#include "tactics/fork_threat_search.hpp"

namespace noughts {

class RootSearch {
  public:
    // `number` is 0 for the thread that reports; all others are helpers. `stop` must outlive the search.
    RootSearch(const Position& position, SharedState shared, NetworkEvaluator& network, BlockEndings* endings,
               const Limits& limits, const std::atomic<bool>& stop, const Interrupt& interrupt, int number);

    // Searches until a limit, a proof or a stop. Only thread 0 calls `progress`. `threads` are all threads of the
    // search, whose nodes are added up in reports; null if there is only one.
    void run(int lines, const Root& root, const Progress& progress,
             const std::vector<std::unique_ptr<RootSearch>>* threads);

    std::uint64_t nodes() const { return limit_.nodes(); }  // may be called from any thread
    const Report& report() const { return report_; }

  private:
    // A root move that stands for all moves symmetric to it.
    struct RootMove : RootVariation {
        std::optional<int> known;  // score proven before the search
        bool is_lost = false;      // proven to lose
        bool is_remote = false;    // touches no marked line: tried only if the other moves leave no choice
        std::vector<const Permutation*> images;

        int count() const { return 1 + static_cast<int>(images.size()); }
        bool was_tried() const { return score != -INFINITE_SCORE; }
        // The symmetry that maps the move to `other`; null if there is none.
        const Permutation* image_to(Cell other) const {
            for (const Permutation* image : images)
                if ((*image)[move] == other) return image;
            return nullptr;
        }
    };

    void list_root_moves(const Root& root);
    bool is_enough(std::size_t moves) const;
    bool has_no_choice() const;
    bool skips_remote_moves() const;
    bool is_enough_for_play(int depth);
    bool finds_threats();
    void add_known_win(int plies, const std::vector<Cell>& line);
    bool deepen(int depth);
    bool is_final(int score, int depth) const;
    void search_variation(int depth, int index);
    int search_moves(int alpha, int beta, int depth, int first);
    int search_move(const RootMove& move, int alpha, int beta, int depth, int reduction, bool is_first);
    void publish(int depth, int finished);
    void add_unfinished(std::vector<RootMove>& lines, int finished);
    void add_images(const RootMove& move);
    void extend_pv(RootVariation& line);
    int estimate_of(Cell move);

    Limits limits_;
    WorkLimit limit_;
    NodeSearch nodes_;
    TranspositionTable& table_;
    int number_;
    bool is_ending_;           // whether the root is an ending
    int lines_ = 1;            // number of moves wanted
    bool prompt_ = false;      // see Root::prompt
    bool saves_time_ = false;  // under a clock, as opposed to a fixed time for each move
    TimeManager time_manager_{0, 0};
    std::optional<ThreatMap> threat_map_;      // of the root
    std::optional<ForkThreatSearch> threats_;  // from the root
    int threat_nodes_ = 0;                     // limit of the threat search so far
    std::vector<RootMove> moves_;
    std::vector<RootMove> reported_;  // the moves whose images are in report_ as well
    Report report_;
    const Progress* progress_ = nullptr;
    const std::vector<std::unique_ptr<RootSearch>>* threads_ = nullptr;
};

}  // namespace noughts
