// The tree of a Monte-Carlo search: nodes and edges in one block of memory, selection, and proven bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "mcts/evaluator.hpp"
#include "rules/position.hpp"

namespace noughts {

// Where a node or the edges of a node lie in the memory of the tree, in units of 8 bytes.
using TreeIndex = std::uint32_t;
inline constexpr TreeIndex NOWHERE = ~TreeIndex{0};

// A move of a node. Edges are in descending order of their priors, and are opened in this order.
struct Edge {
    TreeIndex child;  // or NOWHERE: not opened yet
    std::int16_t move;
    std::uint16_t prior;  // its probability in units of 1 / 65536
};

// A position. Values and bounds are for its side to move.
struct Node {
    std::int64_t total;  // sum of the values of all visits
    std::uint32_t visits;
    TreeIndex edges;  // or NOWHERE: not expanded yet
    std::uint16_t edge_count;
    std::uint16_t opened;      // edges with a child: the first ones
    std::uint16_t in_flight;   // simulations that pass through it and have no value yet
    std::int16_t plies;        // a decided win or loss takes at most this many
    std::int8_t lower, upper;  // proven bounds of the value: -1 loss, 0 draw, 1 win
    bool complete;             // whether no move that could be better is missing in the edges

    bool is_expanded() const { return edges != NOWHERE; }
    bool is_decided() const { return lower == upper; }
    void decide(int value, int in_plies) {
        lower = upper = static_cast<std::int8_t>(value);
        plies = static_cast<std::int16_t>(in_plies);
    }
    // A value, limited to the proven bounds.
    int bounded(int value) const;
    // The mean value of the visits, or `unvisited`; in-flight simulations count as losses of the side that moved here.
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

    // A new node, without visits, or NOWHERE if the memory is full.
    TreeIndex add_node();
    // Gives a node its edges: the moves, with priors in proportion to their weights, at least one; all legal ones of
    // value if `complete`. Edges that were opened before are kept. Returns false if the memory is full.
    bool expand(Node& node, std::span<ScoredMove> moves, bool complete);

    // The edge with the highest upper confidence bound (PUCT), or null if none can improve on the proven lower bound.
    // `exploration` is in units of 1 / 1024.
    Edge* select(const Node& node, int exploration);
    // Improves the bounds of a node by those of its children; returns whether they changed.
    bool update_bounds(Node& node);
    // How much an edge of a node is to be preferred: by what is proven; then the shortest win, the longest loss, or the
    // most visits.
    Preference preference(const Node& node, const Edge& edge);
    // The edge to play, or null if the node is not expanded.
    Edge* best(const Node& node);

  private:
    TreeIndex allocate(std::size_t bytes);

    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_, used_ = 0;  // in units of 8 bytes
};

}  // namespace noughts
