// Alpha-beta search of the tree below the root, by one thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "rules/position.hpp"
#include "search/corrections.hpp"
#include "search/moves_in_progress.hpp"
#include "search/network.hpp"
#include "search/pruning.hpp"
#include "search/transposition_table.hpp"
#include "support/work_limit.hpp"
#include "tactics/block_endings.hpp"
#include "tactics/fork_defence.hpp"
#include "tactics/threat_search.hpp"

namespace noughts {

// State shared by the threads of a search.
struct SharedState {
    TranspositionTable& table;
    MovesInProgress* in_progress;  // null with a single thread
};

// Everything that a thread remembers between the nodes of one tree. To search a move, play it on position(), call
// search_child, and take it back with position().undo().
class NodeSearch {
  public:
    static constexpr int MAX_PLY = 160;
    // Two open blocks with more empty cells can take seconds; they occur only in positions that were set up.
    static constexpr int MOST_FREE_IN_ENDINGS = 12;

    // `endings` is null in games without such endings.
    NodeSearch(const Position& position, SharedState shared, NetworkEvaluator& network, BlockEndings* endings,
               WorkLimit& limit);

    Position& position() { return position_; }
    const Position& position() const { return position_; }
    const Game& game() const { return game_; }

    // Plays a move and counts it as a node.
    void play(Cell cell) {
        position_.play(cell);
        limit_.count_node();
    }
    // Returns the score of the move just played at `ply`, for the side that played it: exact between alpha and beta; at
    // or below alpha an upper bound; at or above beta a lower bound. A decided score is a proof in all three cases.
    // Meaningless once the limit has ended the search. Moves after the first are searched with a null window and
    // `reduction` plies less; the full search follows only if that fails.
    int search_child(int alpha, int beta, int depth, int ply, int reduction, bool is_first);
    // The principal variation below the last node searched at `ply`.
    std::span<const std::int16_t> pv(int ply) const { return {tree_[ply].pv.data(), tree_[ply].length()}; }
    void clear_pv(int ply) { tree_[ply].pv_length = 0; }

    // Whether the position is an ending, whose scores are exact except for the length of a win.
    bool is_ending() const {
        return endings_ && position_.now().free <= MOST_FREE_IN_ENDINGS && endings_->covers(position_);
    }
    // Whether the length of a win in a decided score may be inexact.
    bool has_endings() const { return endings_ != nullptr; }
    // In a drawn ending, a move that keeps the draw; NO_CELL if the limit ended the search for it.
    Cell drawing_move();

    // Whether the root leaves out moves that touch no mark, and searches late moves with less depth. Measured: a gain
    // on boards of 225 cells, none on boards of 100 or 125.
    bool has_selective_root() const { return direct_threats_ && game_.has_one_block() && game_.cells() >= 128; }
    // The root moves with their ordering scores.
    std::vector<ScoredMove> scored_moves();
    // The number of plies by which the first search of a root move is reduced that comes after `late` others.
    int root_reduction(int late, int depth);
    // The estimate of the position, which must not be over.
    int estimate() { return corrected(evaluation()); }
    // The score of a position that is over.
    int value_of_end(int ply) const;

  private:
    // State of a node during the search of its children.
    struct Node {
        int pv_length = 0;
        std::array<std::int16_t, MAX_PLY> pv;

        std::size_t length() const { return static_cast<std::size_t>(pv_length); }
    };
    struct TableResult {
        Cell move = NO_CELL;        // best known move
        std::optional<int> cutoff;  // the score, if the table settles the node
    };

    int search(int alpha, int beta, int depth, int ply);
    int search_moves(int alpha, int beta, int depth, int ply, const NodeFacts& facts, Cell table_move);
    int leaf(int alpha, int beta, int ply, const NodeFacts& facts);
    int quiesce(int alpha, int beta, int ply);
    TableResult probe_table(int alpha, int beta, int depth, int ply, bool complete) const;
    std::optional<int> cut_by_shallow_search(int beta, int depth, int ply, const NodeFacts& facts, Cell table_move);
    int search_shallow(Cell move, int bound, int depth, int ply);
    std::optional<int> forced_win(int ply, int nodes);
    void bound_by_dead_lines(NodeFacts& facts) const;
    std::optional<int> bound_by_ending(int& alpha, int& beta, int depth, int ply, NodeFacts& facts);
    int evaluation() { return network_.has_network() ? network_.evaluate(position_) : evaluate(position_); }
    int corrected(int evaluation) const;
    void learn_error(int score, int alpha, int beta, int depth, const NodeFacts& facts);
    std::size_t gather_moves(int ply, const NodeFacts& facts, Cell table_move);
    void store_pv(int ply, Cell move);

    Position position_;
    const Game& game_;
    TranspositionTable& table_;
    MovesInProgress* in_progress_;
    NetworkEvaluator& network_;  // if it has no network, the weights of the game are used
    BlockEndings* endings_;
    WorkLimit& limit_;
    bool direct_threats_;
    // Whether the game has direct threats and no gravity, so that a side facing two threats has lost.
    bool finds_forks_;
    bool large_;
    Pruning pruning_;
    Corrections corrections_;
    ThreatSearch threat_search_;
    ForkDefence fork_defence_;
    MoveOrder order_;
    std::vector<Node> tree_;         // by ply
    std::vector<ScoredMove> moves_;  // a stack: the moves of a node lie above those of its parent
    std::size_t moves_top_ = 0;
};

}  // namespace noughts
