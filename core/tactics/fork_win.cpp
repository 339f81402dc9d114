#include "tactics/fork_win.hpp"

#include "tactics/forced_sequence.hpp"

namespace noughts {
namespace {

constexpr int CONFIRMED_SEQUENCE_NODES = 200;
constexpr int MOST_CHECKED = 1'000;  // most wins have about twenty positions

}  // namespace

ForkWin::ForkWin(const Game& game, std::size_t entries) : forced_win_(game), search_(game, entries) {}

bool ForkWin::find(Position& position, int nodes) {
    if (estimate(position, nodes) == 0) return false;
    return confirm(position, nullptr, nodes);
}

bool ForkWin::find_similar(Position& position, const WinTree& similar, int nodes) {
    return confirm(position, &similar, nodes);
}

bool ForkWin::confirm(Position& position, const WinTree* similar, int nodes) {
    similar_ = similar;
    nodes_ = nodes;
    checked_ = 0;
    tree_.clear();
    return add_win(position, similar ? similar->root() : WinTree::NONE) != WinTree::NONE;
}

int ForkWin::estimate(Position& position, int nodes) {
    if (map_)
        map_->reset(position);
    else
        map_ = ThreatMap::of(position);
    return search_.search(position, *map_, nodes);
}

// Where threats alone win, no attack of the fork search is needed.
ForkWin::Index ForkWin::add_win(Position& position, Index similar) {
    if (position.is_over() || ++checked_ > MOST_CHECKED) return WinTree::NONE;
    if (forced_win_.find(position, position.turn(), CONFIRMED_SEQUENCE_NODES)) {
        const auto& attacks = forced_win_.attacks();
        const std::size_t count = count_forced(position, attacks, false);
        return count == 0 ? WinTree::NONE : tree_.add_leaf(std::span(attacks).first(count));
    }
    const Threat threat = threat_against(position);
    const Cell attack = attack_in(position, similar);
    if (attack == NO_CELL || !position.is_legal(attack)) return WinTree::NONE;
    if (threat.count > 1 || (threat.count == 1 && attack != threat.cell)) return WinTree::NONE;
    const ScopedMove move(position, attack);
    return add_attack(position, attack, similar);
}

// The attack of the similar win, or of the table. If the table's entry was replaced, the position is searched again.
Cell ForkWin::attack_in(Position& position, Index similar) {
    if (similar != WinTree::NONE && !similar_->is_leaf(similar)) return similar_->attack(similar);
    if (const Cell attack = search_.winning_attack(position); attack != NO_CELL) return attack;
    return nodes_ > 0 && estimate(position, nodes_) > 0 ? search_.move() : NO_CELL;
}

ForkWin::Index ForkWin::add_attack(Position& position, Cell attack, Index similar) {
    if (position.is_over())
        return position.winner() == opponent(position.turn()) ? tree_.add_leaf({{attack}}) : WinTree::NONE;
    if (winning_move(position) != NO_CELL) return WinTree::NONE;
    const Threat threat = threat_against(position);
    if (threat.count > 1) return tree_.add_leaf({{attack}});
    if (threat.count == 0) return add_quiet_attack(position, attack, similar);
    const ScopedMove reply(position, threat.cell);
    const Index after =
        add_win(position, similar == WinTree::NONE ? similar : similar_->node_after(similar, threat.cell));
    if (after == WinTree::NONE) return after;
    return tree_.add_attack(attack, {{{threat.cell, after}}}, {});
}

ForkWin::Index ForkWin::add_quiet_attack(Position& position, Cell attack, Index similar) {
    const Side attacker = opponent(position.turn());
    if (!forced_win_.find(position, attacker, CONFIRMED_SEQUENCE_NODES)) return WinTree::NONE;
    const std::vector<Cell> sequence = forced_win_.attacks();
    CellSet zone = forced_win_.defence_zone(position, attacker);
    zone &= position.empty_cells();
    std::vector<WinTree::Reply> replies;
    for (const Cell cell : zone) {
        if (wins_after(position, cell, sequence)) continue;
        const ScopedMove reply(position, cell);
        const Index after = add_win(position, similar == WinTree::NONE ? similar : similar_->node_after(similar, cell));
        if (after == WinTree::NONE) return after;
        replies.push_back({cell, after});
    }
    return tree_.add_attack(attack, replies, sequence);
}

}  // namespace noughts
