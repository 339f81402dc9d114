#include "mcts/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mcts/win_probability.hpp"

namespace noughts {
namespace {

constexpr std::size_t UNIT = 8;
constexpr int PRIOR_BITS = 16;
constexpr std::int64_t MAX_PRIOR = (1 << PRIOR_BITS) - 1;
// An untried move is expected to be worth this much less than the node.
constexpr int FIRST_PLAY_REDUCTION = CERTAIN / 4;

static_assert(sizeof(Edge) == UNIT && sizeof(Node) % UNIT == 0);

}  // namespace

int Node::bounded(int value) const { return std::clamp(value, lower * CERTAIN, upper * CERTAIN); }

int Node::mean(int unvisited) const {
    const std::int64_t count = std::int64_t{visits} + in_flight;
    if (count == 0) return unvisited;
    return bounded(static_cast<int>((total + std::int64_t{in_flight} * CERTAIN) / count));
}

Tree::Tree(std::size_t megabytes) : size_(std::min<std::size_t>((megabytes << 20) / UNIT, NOWHERE)) {
    // Not initialised, so that the system provides pages only as they are used.
    memory_.reset(new std::byte[size_ * UNIT]);
}

TreeIndex Tree::allocate(std::size_t bytes) {
    const std::size_t units = (bytes + UNIT - 1) / UNIT;
    if (units > size_ - used_) return NOWHERE;
    const auto index = static_cast<TreeIndex>(used_);
    used_ += units;
    return index;
}

TreeIndex Tree::add_node() {
    const TreeIndex index = allocate(sizeof(Node));
    if (index != NOWHERE) node(index) = {0, 0, NOWHERE, 0, 0, 0, 0, -1, 1, false};
    return index;
}

bool Tree::expand(Node& node, std::span<ScoredMove> moves, bool complete) {
    const TreeIndex index = allocate(moves.size() * sizeof(Edge));
    if (index == NOWHERE) return false;
    const std::span<Edge> before = edges(node).first(node.opened);
    std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    const std::int64_t sum = std::accumulate(moves.begin(), moves.end(), std::int64_t{0},
                                             [](std::int64_t all, const auto& move) { return all + move.score; });
    Edge* next = std::copy(before.begin(), before.end(), reinterpret_cast<Edge*>(memory_.get() + UNIT * index));
    for (const ScoredMove& move : moves) {
        const bool is_known = std::ranges::any_of(before, [&](const Edge& edge) { return edge.move == move.move; });
        const std::int64_t prior = sum > 0 ? (std::int64_t{move.score} << PRIOR_BITS) / sum
                                           : (std::int64_t{1} << PRIOR_BITS) / static_cast<std::int64_t>(moves.size());
        if (!is_known)
            *next++ = {NOWHERE, static_cast<std::int16_t>(move.move),
                       static_cast<std::uint16_t>(std::clamp<std::int64_t>(prior, 1, MAX_PRIOR))};
    }
    node.edges = index;
    node.edge_count = static_cast<std::uint16_t>(moves.size());
    node.complete = complete;
    return true;
}

// PUCT: the mean value of a move, plus exploration * prior * sqrt(visits of the node) / (1 + visits of the move). All
// unopened moves have the same value, so only the first of them, which has the highest prior, needs to be considered. A
// move that cannot be better than the proven lower bound of the node is not visited again.
Edge* Tree::select(const Node& node, int exploration) {
    const std::uint64_t visits = std::uint64_t{node.visits} + node.in_flight;
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(visits << 20)));  // in units of 1 / 1024
    const std::int64_t factor = exploration * root >> 4;
    Edge* best = nullptr;
    std::int64_t highest = 0;
    const auto consider = [&](Edge& edge, std::int64_t value, std::int64_t count) {
        const std::int64_t bound = value + (factor * edge.prior >> PRIOR_BITS) / (1 + count);
        if (best && bound <= highest) return;
        best = &edge;
        highest = bound;
    };
    const std::span<Edge> all = edges(node);
    for (Edge& edge : all.first(node.opened)) {
        const Node& child = this->node(edge.child);
        if (-child.lower > node.lower) consider(edge, -child.mean(0), std::int64_t{child.visits} + child.in_flight);
    }
    if (node.opened < node.edge_count) {
        const std::int64_t own = node.visits > 0 ? node.total / node.visits : 0;
        consider(all[node.opened], node.bounded(static_cast<int>(own) - FIRST_PLAY_REDUCTION), 0);
    }
    return best;
}

bool Tree::update_bounds(Node& node) {
    int lower = -1, upper = -1, shortest = MAX_CELLS, longest = 0;
    for (const Edge& edge : edges(node).first(node.opened)) {
        const Node& child = this->node(edge.child);
        lower = std::max<int>(lower, -child.upper);
        upper = std::max<int>(upper, -child.lower);
        if (child.upper < 0) shortest = std::min<int>(shortest, child.plies);
        longest = std::max<int>(longest, child.plies);
    }
    if (!node.complete || node.opened < node.edge_count) upper = 1;
    lower = std::max<int>(lower, node.lower);
    upper = std::min<int>(upper, node.upper);
    if (lower == node.lower && upper == node.upper) return false;
    node.lower = static_cast<std::int8_t>(lower);
    node.upper = static_cast<std::int8_t>(upper);
    if (node.is_decided())
        node.plies = static_cast<std::int16_t>(lower == 0 ? 0 : 1 + (lower > 0 ? shortest : longest));
    return true;
}

// The order is: a certain win, an open move, a certain draw, a certain loss. If there is a certain draw, open moves
// that are expected to be worse come after it.
Preference Tree::preference(const Node& node, const Edge& edge) {
    enum { SURE_LOSS, WORSE_THAN_DRAW, SURE_DRAW, OPEN, SURE_WIN };
    const bool has_draw = node.lower >= 0;
    if (edge.child == NOWHERE) return {has_draw ? WORSE_THAN_DRAW : OPEN, 0};
    const Node& child = this->node(edge.child);
    if (child.upper < 0) return {SURE_WIN, -child.plies};
    if (child.lower > 0) return {SURE_LOSS, child.plies};
    if (child.is_decided()) return {SURE_DRAW, child.visits};
    // The value for the child's side to move is the opposite: it may be certain not to lose, or not to win.
    const bool is_worse = child.upper > 0 && (child.lower >= 0 || child.mean(0) > 0);
    return {has_draw && is_worse ? WORSE_THAN_DRAW : OPEN, child.visits};
}

Edge* Tree::best(const Node& node) {
    Edge* found = nullptr;
    for (Edge& edge : edges(node))
        if (!found || preference(node, edge) > preference(node, *found)) found = &edge;
    return found;
}

}  // namespace noughts
