// The tree of a Monte-Carlo search: nodes and edges in one piece of memory, selection, and proven bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "mcts/evaluator.hpp"
#include "rules/position.hpp"

namespace noughts {

// The place of a node, or of the edges of a node, in the memory of the tree, in units of 8 bytes.
using TreeIndex = std::uint32_t;
inline constexpr TreeIndex NOWHERE = ~TreeIndex{0};

// A move of a node. Edges are in descending order of their priors and are opened in this order.
struct Edge {
    TreeIndex child;  // NOWHERE if not opened yet
    std::int16_t move;
    std::uint16_t prior;  // prior probability in units of 1 / 65536
};

// A position. Values and bounds are for the side to move.
struct Node {
    std::int64_t total;  // sum of the values of all visits
    std::uint32_t visits;
    TreeIndex edges;  // NOWHERE if not expanded yet
    std::uint16_t edge_count;
    std::uint16_t opened;      // number of edges with a child; they come first
    std::uint16_t in_flight;   // simulations that pass through the node and have no value yet
    std::int16_t plies;        // upper bound of the length of a decided win or loss
    std::int8_t lower, upper;  // proven bounds of the value: -1 loss, 0 draw, 1 win
    bool complete;             // whether the edges include every move that could be better

    bool is_expanded() const { return edges != NOWHERE; }
    bool is_decided() const { return lower == upper; }
    void decide(int value, int in_plies) {
        lower = upper = static_cast<std::int8_t>(value);
        plies = static_cast<std::int16_t>(in_plies);
    }
    // The value, limited to the proven bounds.
    int bounded(int value) const;
    // The mean value of the visits, or `unvisited` if there are none. Simulations in flight count as losses for the
    // side that moved to this node.
    int mean(int unvisited) const;
};

using Preference = std::pair<int, std::int64_t>;

class Tree {
  public:
    // Throws std::bad_alloc.
    explicit Tree(std::size_t megabytes);

    void clear() { used_ = 0; }
    int per_mille_used() const { return static_cast<int>(used_ * 1000 / size_); }

    Node& node(TreeIndex index) { return *reinterpret_cast<Node*>(memory_.get() + std::size_t{8} * index); }
    std::span<Edge> edges(const Node& node) {
        if (!node.is_expanded()) return {};
        return {reinterpret_cast<Edge*>(memory_.get() + std::size_t{8} * node.edges), node.edge_count};
    }

    // Adds a node without visits; NOWHERE if the memory is full.
    TreeIndex add_node();
    // Gives a node its edges: one for each of `moves`, of which there must be at least one, with priors proportional to
    // their weights. `complete` means that no legal move of value is missing. Edges opened earlier are kept. Returns
    // false if the memory is full.
    bool expand(Node& node, std::span<ScoredMove> moves, bool complete);

    // The edge with the highest upper confidence bound (PUCT); null if no edge can improve on the proven lower bound.
    // `exploration` is in units of 1 / 1024.
    Edge* select(const Node& node, int exploration);
    // Tightens the bounds of a node by those of its children. Returns whether they changed.
    bool update_bounds(Node& node);
    // The rank of an edge: by its proven value; among equals the shortest win, the longest loss, or the most visits
    // first.
    Preference preference(const Node& node, const Edge& edge);
    // The edge to play; null if the node is not expanded.
    Edge* best(const Node& node);

  private:
    TreeIndex allocate(std::size_t bytes);

    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_, used_ = 0;  // in units of 8 bytes
};

}  // namespace noughts
