// Proof-number search for wins by quiet moves: moves that threaten a win by threats and threats of a fork.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/position.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "support/work_limit.hpp"
#include "tactics/fork_win.hpp"

namespace noughts {

// The attacker considers a few promising moves at a time, and of these only the ones after which it would win if the
// defender passed. The defender considers the replies in the zone of that win (see docs/proof-soundness.md); several
// wins after the pass leave those that are in all of their zones. While the attacker has few marks, the win after the
// pass may itself need quiet moves, and is searched like any other position. So a proof is valid, but a disproof only
// means that no such win was found.
//
// The positions of the search form a graph that is kept in memory, with the wins that answer each reply.
class QuietWinSearch {
  public:
    struct Settings {
        int width = 10;  // of the attacker's moves that are looked at first
        // Moves of each search for a win by threats of a fork: when a reply is first looked at, when it is searched,
        // and after a pass.
        int reply_moves = 1'000, attack_moves = 20'000, pass_moves = 10'000;
        int variation = 0;  // each number but 0 changes the order of the attacker's moves a little, in its own way
    };

    // Whether the search is of use: in static games with a threat map.
    static bool supports(const Game& game) { return game.is_static() && ForkWin::supports(game); }

    // Keeps at most about `megabytes` of positions.
    QuietWinSearch(const Position& position, std::size_t megabytes) : QuietWinSearch(position, megabytes, {}) {}
    QuietWinSearch(const Position& position, std::size_t megabytes, Settings settings);

    void start_from(const Position& position);

    // Continues the search for a win of `attacker` until it is found, there is nothing left to try, or the limit or the
    // memory ends the search.
    ProofNumbers search(Side attacker, WorkLimit& limit);
    bool is_full() const { return bytes_ > most_bytes_; }
    Side attacker() const { return attacker_; }
    ProofNumbers root_numbers() const { return nodes_.empty() ? ProofNumbers{} : nodes_.front().numbers; }
    const std::vector<Cell>& path() const { return path_; }  // the moves to the current position; NO_CELL is a pass
    std::size_t positions() const { return nodes_.size(); }
    // The first move of a win that was found with the attacker to move.
    Cell first_move() const;

    // --- for a walk through a proof ---
    using Index = int;
    static constexpr Index NONE = -1;
    struct Edge {
        Cell move;  // NO_CELL is a pass
        Index node;
    };
    struct Answer {
        Cell reply;
        WinTree win;
    };
    // A position. The attacker wins by `win`, or by a move to a proved node. The defender's replies outside of the zone
    // of one of `passes` lose to it; if the attacker's win after the pass needs quiet moves, an edge is the pass. The
    // other replies have an answer or an edge.
    struct Node {
        bool attacks;  // whether the attacker is to move
        bool is_expanded = false;
        ProofNumbers numbers;
        std::vector<Edge> edges;
        std::vector<Index> parents;
        std::optional<WinTree> win;
        std::vector<WinTree> passes;
        std::vector<Answer> answers;
        std::vector<Cell> waiting;  // replies that were not looked at yet, the best last
        std::vector<CellSet> zone;  // the empty cells in the zones of all passes; at most one set
        // While the pass is searched: the number of replies that may have to be searched after it.
        std::uint32_t unanswered = 0;
        std::uint16_t width = 0;  // number of the attacker's moves looked at
        bool can_widen = false;   // whether there are more
    };
    Position& position() { return position_; }
    const Node& node(Index index) const { return nodes_[index]; }
    // The replies that the passes of a proved node do not answer, if it has any.
    const CellSet* zone(Index index) const {
        return nodes_[index].zone.empty() ? nullptr : &nodes_[index].zone.front();
    }
    const Edge& winning_edge(const Node& node) const;  // of a proved node with the attacker to move
    // The zone of a proved node, to whose position `position()` must be set.
    const CellSet& zone_of(Index index, int tolerance);
    ForkWin& fork_win() { return fork_win_; }

  private:
    using Key = std::vector<Word>;
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    struct ScoredCell {
        Cell cell;
        int score;
    };

    int noise(Cell cell, int bound) const;
    Key key_of_position() const;
    std::pair<Index, bool> add_node(Index parent, ProofNumbers first);
    void play(Cell move);
    void undo(Cell move);
    void expand(Index index);
    void expand_attack(Index index);
    bool add_candidates(Index index);
    void expand_defence(Index index);
    void find_passes(Index index);
    void start_replies(Index index, const CellSet& zone);
    void add_pass(Index index, const WinTree& win);
    void look_at_replies(Index index);
    void look_at(Index index, Cell reply);
    bool answer_by_similar(Index index);
    std::uint32_t count_unanswered(Index index);
    bool add_similar_pass(Index index, const WinTree& win);
    std::vector<ScoredCell> score_cells();
    void refute(Index index);
    void sum_up(Index index);
    void update(Index index);
    Index choose(const Node& node) const;
    void charge(const WinTree& win);

    Position position_;
    Settings settings_;
    Side attacker_ = X;
    std::size_t most_bytes_, bytes_ = 0;
    ForkWin fork_win_;
    ForcedWin forced_win_;
    std::optional<ThreatMap> map_;
    std::vector<Node> nodes_;
    std::unordered_map<Key, Index, KeyHash> indices_;
    std::vector<Cell> path_;
    std::unordered_map<std::uint64_t, CellSet> zones_;  // by node and tolerance
};

}  // namespace noughts
