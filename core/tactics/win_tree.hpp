// Wins by threats and threats of a fork as trees of moves, and their zones.
#pragma once

#include <span>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// A win of the side to move, the winner, that was replayed by the rules. A node is a position with the winner to move.
// It is a leaf, where a forced sequence wins (see forced_sequence.hpp), or an attack with the answers to the replies:
// some replies have nodes of their own, and a default, which is a forced sequence, wins after all others.
class WinTree {
  public:
    using Index = int;
    static constexpr Index NONE = -1;

    struct Reply {
        Cell cell;
        Index node;
    };

    bool is_empty() const { return nodes_.empty(); }
    Index root() const { return static_cast<Index>(nodes_.size()) - 1; }
    std::size_t size() const { return nodes_.size(); }
    bool is_leaf(Index node) const { return nodes_[node].attack == NO_CELL; }
    // The forced sequence of a leaf, or the default of an attack.
    std::span<const Cell> sequence(Index node) const {
        return std::span(cells_).subspan(nodes_[node].first_cell, nodes_[node].cells);
    }
    Cell attack(Index node) const { return nodes_[node].attack; }  // NO_CELL for a leaf
    Cell first_move(Index node) const { return is_leaf(node) ? sequence(node).front() : attack(node); }
    std::span<const Reply> replies(Index node) const {
        return std::span(replies_).subspan(nodes_[node].first_reply, nodes_[node].replies);
    }
    // The node of a reply; NONE if the default answers it.
    Index node_after(Index node, Cell reply) const;

    // The nodes below a node come before it, so that the last one added is the root.
    Index add_leaf(std::span<const Cell> sequence);
    Index add_attack(Cell attack, std::span<const Reply> replies, std::span<const Cell> sequence);
    void clear();

  private:
    struct Node {
        Cell attack;
        int first_reply, replies, first_cell, cells;
    };

    std::vector<Node> nodes_;
    std::vector<Reply> replies_;
    std::vector<Cell> cells_;
};

// Collects zones, as docs/proof-format.md defines them: sets of cells such that a win still holds if the opponent has
// extra marks outside. `tolerance` is the number of these marks. The prover must be to move in `position`, which is
// restored. For static games.
class ZoneCollector {
  public:
    ZoneCollector(Position& position, CellSet& zone) : position_(position), zone_(zone) {}

    // The empty cells of all lines open to a side that lack at most `most` cells.
    void add_open_lines(Side side, int most);
    void add_tree(const WinTree& tree, int tolerance) { add_node(tree, tree.root(), tolerance); }

  private:
    void add_node(const WinTree& tree, WinTree::Index node, int tolerance);
    void add_default(const WinTree& tree, WinTree::Index node, int tolerance);
    void add_sequence(std::span<const Cell> sequence, bool may_complete_early, int tolerance);

    Position& position_;
    CellSet& zone_;
};

}  // namespace noughts
