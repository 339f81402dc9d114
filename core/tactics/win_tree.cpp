#include "tactics/win_tree.hpp"

#include <algorithm>

#include "tactics/threats.hpp"

namespace noughts {

WinTree::Index WinTree::node_after(Index node, Cell reply) const {
    const auto listed = replies(node);
    const auto found = std::ranges::find(listed, reply, &Reply::cell);
    return found == listed.end() ? NONE : found->node;
}

WinTree::Index WinTree::add_leaf(std::span<const Cell> sequence) { return add_attack(NO_CELL, {}, sequence); }

WinTree::Index WinTree::add_attack(Cell attack, std::span<const Reply> replies, std::span<const Cell> sequence) {
    nodes_.push_back({attack, static_cast<int>(replies_.size()), static_cast<int>(replies.size()),
                      static_cast<int>(cells_.size()), static_cast<int>(sequence.size())});
    replies_.insert(replies_.end(), replies.begin(), replies.end());
    cells_.insert(cells_.end(), sequence.begin(), sequence.end());
    return root();
}

void WinTree::clear() {
    nodes_.clear();
    replies_.clear();
    cells_.clear();
}

void ZoneCollector::add_open_lines(Side side, int most) {
    const Game& game = position_.game();
    const auto lines = position_.lines();
    const LineState rival_marks = marks_mask(opponent(side));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if ((lines[i] & rival_marks) != 0 || empties_of(lines[i]) > most) continue;
        for (const Cell cell : game.line_cells(static_cast<int>(i)))
            if (position_.at(cell) == NO_SIDE) zone_.insert(cell);
    }
}

void ZoneCollector::add_node(const WinTree& tree, WinTree::Index node, int tolerance) {
    if (tree.is_leaf(node)) return add_sequence(tree.sequence(node), false, tolerance);
    zone_.insert(tree.attack(node));
    const ScopedMove attack(position_, tree.attack(node));
    add_open_lines(position_.turn(), tolerance + 1);
    for (const auto& [cell, after] : tree.replies(node)) {
        const ScopedMove reply(position_, cell);
        add_node(tree, after, tolerance);
    }
    add_default(tree, node, tolerance);
}

// The zone of the default after an attack: of its sequence after a pass, and of the same after each reply that it
// answers and that could affect it.
void ZoneCollector::add_default(const WinTree& tree, WinTree::Index node, int tolerance) {
    const auto sequence = tree.sequence(node);
    CellSet affecting(position_.game().cells());
    position_.pass();
    ZoneCollector(position_, affecting).add_sequence(sequence, true, 1);
    add_sequence(sequence, true, tolerance + 1);
    position_.pass();
    for (const auto& reply : tree.replies(node)) affecting.erase(reply.cell);
    affecting &= position_.empty_cells();
    for (const Cell cell : affecting) {
        const ScopedMove reply(position_, cell);
        add_sequence(sequence, true, tolerance);
    }
}

void ZoneCollector::add_sequence(std::span<const Cell> sequence, bool may_complete_early, int tolerance) {
    const Side prover = position_.turn();
    const int ply = position_.ply();
    for (const Cell attack : sequence) {
        if (may_complete_early && winning_move(position_) != NO_CELL) break;
        zone_.insert(attack);
        position_.play(attack);
        if (position_.is_over()) break;
        zone_ |= position_.completing_cells(prover);
        add_open_lines(opponent(prover), tolerance + 1);
        const Threat threat = threat_against(position_);
        if (threat.count > 1) break;
        position_.play(threat.cell);
    }
    if (may_complete_early && !position_.is_over() && position_.turn() == prover)
        zone_ |= position_.completing_cells(prover);
    while (position_.ply() > ply) position_.undo();
}

}  // namespace noughts
