#include "solve/exhaustive/tree_estimate.hpp"

#include <algorithm>

namespace noughts {
namespace {

// Finished nodes needed for a reliable ratio; with fewer, deeper levels are used as well.
constexpr double ENOUGH_NODES = 6;
constexpr std::uint64_t LEAST_SIZE = 32;  // nodes with smaller subtrees say little about large ones

}  // namespace

void TreeEstimate::Ratio::add(const Ratio& other) {
    count += other.count;
    size += other.size;
    done += other.done;
}

void TreeEstimate::start(int level, int watched_levels, int question) {
    if (level != first_ || level + watched_levels != end_)
        for (Ratios& ratios : ratios_) ratios.assign(static_cast<std::size_t>(watched_levels), {});
    first_ = level;
    end_ = level + watched_levels;
    question_ = question;
    depth_ = 0;
    path_.resize(static_cast<std::size_t>(watched_levels));
}

void TreeEstimate::enter(int level, std::uint64_t nodes) {
    Node& node = path_[depth_++];
    node.level = level;
    node.move = -1;
    node.start = nodes;
    node.starts.clear();
}

void TreeEstimate::begin_move(int move, std::uint64_t nodes) {
    Node& node = path_[depth_ - 1];
    node.move = move;
    node.starts.push_back(nodes);
}

void TreeEstimate::leave(std::uint64_t nodes) {
    Node& node = path_[--depth_];
    const std::uint64_t size = nodes - node.start;
    if (size < LEAST_SIZE || node.starts.empty()) return;
    node.starts.push_back(nodes);
    auto& ratios = ratios_[question_][node.level - first_];
    for (std::size_t i = 0; i + 1 < node.starts.size(); ++i)
        ratios[std::min(i, MOST_MOVES - 1)].add(
            {1, static_cast<double>(size), static_cast<double>(node.starts[i + 1] - node.start)});
}

// The ratio between the size of a node's subtree and the part that is done after `moves` moves.
TreeEstimate::Ratio TreeEstimate::ratio(int level, std::size_t moves) const {
    const Ratios& ratios = ratios_[question_];
    Ratio found;
    for (std::size_t i = level - first_; i < ratios.size() && found.count < ENOUGH_NODES; i += 2)
        found.add(ratios[i][std::min(moves, MOST_MOVES) - 1]);
    return found;
}

double TreeEstimate::nodes_left(std::uint64_t nodes) const {
    if (depth_ == 0 || path_[depth_ - 1].starts.empty()) return -1;
    auto size = static_cast<double>(nodes - path_[depth_ - 1].starts.back());  // so far, of the move being searched
    for (std::size_t i = depth_; i-- > 0;) {
        const Node& node = path_[i];
        const Ratio found = ratio(node.level, node.starts.size());
        if (found.done == 0) return -1;
        size = (static_cast<double>(node.starts.back() - node.start) + size) * (found.size / found.done);
    }
    return std::max(0.0, size - static_cast<double>(nodes - path_[0].start));
}

std::vector<int> TreeEstimate::path() const {
    std::vector<int> moves;
    for (std::size_t i = 0; i < depth_ && path_[i].level == first_ + static_cast<int>(i) && path_[i].move >= 0; ++i)
        moves.push_back(path_[i].move);
    return moves;
}

}  // namespace noughts
