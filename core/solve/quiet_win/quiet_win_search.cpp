#include "solve/quiet_win/quiet_win_search.hpp"

#include <algorithm>
#include <array>

#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr int SIMILAR_MOVES = 100;  // of the search for answers that a similar win does not have
constexpr int DEFENCE_NODES = 300;  // of the search for the defender's forced win
constexpr std::size_t FORK_TABLE_ENTRIES = std::size_t{1} << 18;
constexpr int MOST_WIDTH = 40;
constexpr int FEW_MARKS = 4;  // up to this many marks, the attacker's win after a pass may need quiet moves
constexpr std::size_t MOST_PASSES = 12;
constexpr std::uint32_t AFTER_FOUR = 2, WITHOUT_PASS = 25, PER_WIDENING = 8;
constexpr std::size_t NODE_BYTES = 400;
constexpr ProofNumbers FIRST_NUMBERS{3, 1};      // of a position with the attacker to move
constexpr int SCORE_NOISE = 9, PROOF_NOISE = 3;  // a variation adds less than this

// The weight of a cell by the shape that a mark on it makes.
constexpr std::array<int, CELL_CLASSES> CLASS_WEIGHTS = {0, 4, 9, 10, 14, 8, 13, 60, 70, 90, 200};

std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return std::min(a + b, INFINITE - 1); }

}  // namespace

QuietWinSearch::QuietWinSearch(const Position& position, std::size_t megabytes, Settings settings)
    : position_(position),
      settings_(settings),
      most_bytes_(megabytes << 20),
      fork_win_(position.game(), FORK_TABLE_ENTRIES),
      forced_win_(position.game()) {}

void QuietWinSearch::start_from(const Position& position) {
    position_ = position;
    nodes_.clear();
    indices_.clear();
    zones_.clear();
    bytes_ = 0;
}

std::size_t QuietWinSearch::KeyHash::operator()(const Key& key) const {
    std::uint64_t hash = 0;
    for (const Word word : key) hash = mix(hash ^ word);
    return hash;
}

QuietWinSearch::Key QuietWinSearch::key_of_position() const {
    Key key = position_.marks(X).data();
    key.insert(key.end(), position_.marks(O).data().begin(), position_.marks(O).data().end());
    key.push_back(static_cast<Word>(index(position_.turn())));
    return key;
}

// A number from 0 to `bound` - 1 that depends on the variation, the position and the cell; 0 without a variation.
int QuietWinSearch::noise(Cell cell, int bound) const {
    if (settings_.variation == 0) return 0;
    const auto seed = mix(static_cast<std::uint64_t>(settings_.variation) << 32 | static_cast<std::uint32_t>(cell));
    return static_cast<int>(mix(position_.key() ^ seed) % static_cast<std::uint64_t>(bound));
}

// The node of the current position, and whether it is new.
std::pair<QuietWinSearch::Index, bool> QuietWinSearch::add_node(Index parent, ProofNumbers first) {
    const auto [found, is_new] = indices_.try_emplace(key_of_position(), static_cast<Index>(nodes_.size()));
    if (is_new) {
        nodes_.push_back({position_.turn() == attacker_, false, first, {}, {}, {}, {}, {}, {}, {}});
        bytes_ += NODE_BYTES;
    }
    if (parent != NONE) nodes_[found->second].parents.push_back(parent);
    return {found->second, is_new};
}

void QuietWinSearch::play(Cell move) {
    if (move == NO_CELL)
        position_.pass();
    else
        position_.play(move);
    path_.push_back(move);
}

void QuietWinSearch::undo(Cell move) {
    path_.pop_back();
    if (move == NO_CELL)
        position_.pass();
    else
        position_.undo();
}

void QuietWinSearch::charge(const WinTree& win) { bytes_ += 40 * win.size(); }

// --- the search ---------------------------------------------------------------------------------------------------

ProofNumbers QuietWinSearch::search(Side attacker, WorkLimit& limit) {
    if (nodes_.empty() || attacker != attacker_) {
        attacker_ = attacker;
        start_from(Position(position_));
        add_node(NONE, {1, 1});
    }
    while (!nodes_.front().numbers.is_solved() && !is_full() && !limit.must_end()) {
        Index at = 0;
        for (Index child = choose(nodes_[at]); child != NONE; child = choose(nodes_[at])) {
            play(nodes_[at].edges[static_cast<std::size_t>(child)].move);
            at = nodes_[at].edges[static_cast<std::size_t>(child)].node;
        }
        limit.count_node();
        expand(at);
        while (!path_.empty()) undo(path_.back());
        update(at);
    }
    return nodes_.front().numbers;
}

Cell QuietWinSearch::first_move() const {
    const Node& root = nodes_.front();
    if (root.win) return root.win->first_move(root.win->root());
    return winning_edge(root).move;
}

// The move to a proved node.
const QuietWinSearch::Edge& QuietWinSearch::winning_edge(const Node& node) const {
    return *std::ranges::find_if(node.edges, [&](const Edge& edge) { return nodes_[edge.node].numbers.is_proved(); });
}

// The number of the edge to follow; NONE if the node itself is to be expanded.
QuietWinSearch::Index QuietWinSearch::choose(const Node& node) const {
    if (!node.is_expanded) return NONE;
    Index best = NONE;
    std::uint32_t least = INFINITE;
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
        const ProofNumbers& numbers = nodes_[node.edges[i].node].numbers;
        if (numbers.is_solved()) continue;
        const std::uint32_t number = node.attacks ? numbers.proof : numbers.disproof;
        if (number >= least) continue;
        least = number;
        best = static_cast<Index>(i);
    }
    return best;
}

void QuietWinSearch::expand(Index index) {
    if (nodes_[index].attacks)
        expand_attack(index);
    else
        expand_defence(index);
}

void QuietWinSearch::refute(Index index) {
    Node& node = nodes_[index];
    node.is_expanded = true;
    node.numbers = DISPROVED;
    node.edges.clear();
    node.passes.clear();
    node.answers.clear();
    node.waiting.clear();
    node.zone.clear();
}

// Computes the numbers of an expanded node from those of its edges.
void QuietWinSearch::sum_up(Index index) {
    Node& node = nodes_[index];
    if (!node.is_expanded || node.numbers.is_solved()) return;
    std::uint32_t least = INFINITE, all = 0;
    for (const Edge& edge : node.edges) {
        const auto [proof, disproof] = nodes_[edge.node].numbers;
        least = std::min(least, node.attacks ? proof : disproof);
        all = sum(all, node.attacks ? disproof : proof);
    }
    if (node.attacks) {
        if (least == 0)
            node.numbers = PROVED;
        else if (least < INFINITE)
            node.numbers = {least, std::max(all, 1u)};
        else if (node.can_widen)
            node.numbers = {std::min(INFINITE - 1, PER_WIDENING * node.width), 1};
        else
            node.numbers = DISPROVED;
        if (least == INFINITE && node.can_widen) node.is_expanded = false;
        return;
    }
    if (least == 0) return refute(index);
    if (all > 0)
        node.numbers = {sum(all, node.unanswered), least};
    else if (node.unanswered > 0)
        node.numbers = {node.unanswered, 1};
    else
        node.numbers = PROVED;
    // The pass is won: the replies can be looked at.
    if (all == 0 && node.unanswered > 0) node.is_expanded = false;
}

// Brings the numbers of all nodes above up to date.
void QuietWinSearch::update(Index index) {
    std::vector<Index> changed{index};
    for (std::size_t i = 0; i < changed.size(); ++i) {
        const ProofNumbers before = nodes_[changed[i]].numbers;
        const bool was_expanded = nodes_[changed[i]].is_expanded;
        sum_up(changed[i]);
        const Node& node = nodes_[changed[i]];
        const bool is_same = before.proof == node.numbers.proof && before.disproof == node.numbers.disproof;
        if (i > 0 && is_same && was_expanded == node.is_expanded) continue;
        changed.insert(changed.end(), node.parents.begin(), node.parents.end());
    }
}

// The empty cells that have a shape or a mark near them, the most promising for the side to move first.
std::vector<QuietWinSearch::ScoredCell> QuietWinSearch::score_cells() {
    if (map_)
        map_->reset(position_);
    else
        map_ = ThreatMap::of(position_);
    const Side self = position_.turn(), rival = opponent(self);
    std::vector<ScoredCell> cells;
    for (const Cell cell : position_.empty_cells()) {
        int score = 3 * CLASS_WEIGHTS[static_cast<std::size_t>(map_->of(self, cell))] +
                    2 * CLASS_WEIGHTS[static_cast<std::size_t>(map_->of(rival, cell))];
        for (const int i : position_.game().lines_of(cell)) {
            const int own = marks_of(position_.line(i), self), other = marks_of(position_.line(i), rival);
            if (other == 0) score += own > 0 ? 2 * own + 1 : 0;
            if (own == 0) score += other;
        }
        if (score > 0) cells.push_back({cell, score + noise(cell, SCORE_NOISE)});
    }
    std::ranges::sort(cells, [](const ScoredCell& a, const ScoredCell& b) {
        return a.score != b.score ? a.score > b.score : a.cell < b.cell;
    });
    return cells;
}

// --- the attacker's moves -----------------------------------------------------------------------------------------

void QuietWinSearch::expand_attack(Index index) {
    if (nodes_[index].width == 0 && fork_win_.find(position_, settings_.attack_moves)) {
        Node& node = nodes_[index];
        node.is_expanded = true;
        node.numbers = PROVED;
        node.win = fork_win_.tree();
        charge(*node.win);
        return;
    }
    const Threat threat = threat_against(position_);
    if (threat.count > 1) return refute(index);
    while (!add_candidates(index) && nodes_[index].can_widen) {
    }
    nodes_[index].is_expanded = true;
    if (nodes_[index].edges.empty()) refute(index);
}

// Adds the next candidates, twice as many as before; returns whether one of them was good enough.
bool QuietWinSearch::add_candidates(Index index) {
    std::vector<ScoredCell> cells;
    if (const Threat threat = threat_against(position_); threat.count == 1)
        cells.push_back({threat.cell, 0});
    else
        cells = score_cells();
    const std::size_t first = nodes_[index].width;
    const std::size_t wanted = first == 0 ? static_cast<std::size_t>(settings_.width) : 2 * first;
    const std::size_t last = std::min({cells.size(), std::size_t{MOST_WIDTH}, wanted});
    nodes_[index].width = static_cast<std::uint16_t>(last);
    nodes_[index].can_widen = last < std::min<std::size_t>(cells.size(), MOST_WIDTH);
    bool has_new = false;
    for (std::size_t i = first; i < last; ++i) {
        const ScopedMove move(position_, cells[i].cell);
        if (position_.is_over() || winning_move(position_) != NO_CELL) continue;
        ProofNumbers numbers{AFTER_FOUR, 1};
        if (threat_against(position_).count == 0) {
            position_.pass();
            const int plies = fork_win_.estimate(position_, settings_.pass_moves);
            position_.pass();
            if (plies == 0 && position_.marks(attacker_).count() > FEW_MARKS) continue;
            if (forced_win_.find(position_, position_.turn(), DEFENCE_NODES)) continue;
            numbers.proof = plies > 0 ? 4 + static_cast<std::uint32_t>(plies) / 4 : WITHOUT_PASS;
            numbers.proof += static_cast<std::uint32_t>(noise(NO_CELL, PROOF_NOISE));
        }
        const Index child = add_node(index, numbers).first;
        nodes_[index].edges.push_back({cells[i].cell, child});
        has_new |= nodes_[child].numbers.disproof != 0;
    }
    return has_new;
}

// --- the defender's replies ---------------------------------------------------------------------------------------

void QuietWinSearch::expand_defence(Index index) {
    const bool is_new = nodes_[index].passes.empty() && nodes_[index].edges.empty();
    if (is_new) find_passes(index);
    Node& node = nodes_[index];
    if (node.numbers.is_solved()) return;
    node.is_expanded = true;
    if (node.unanswered > 0 && !is_new) {
        play(NO_CELL);
        zones_.clear();
        const CellSet zone = zone_of(node.edges.front().node, 1);
        undo(NO_CELL);
        node.unanswered = 0;
        start_replies(index, zone);
    }
    look_at_replies(index);
}

void QuietWinSearch::find_passes(Index index) {
    if (position_.is_over() || winning_move(position_) != NO_CELL) return refute(index);
    const Threat threat = threat_against(position_);
    if (threat.count > 1) {
        nodes_[index].numbers = PROVED;
        nodes_[index].is_expanded = true;
        return;
    }
    if (threat.count == 1) {
        const ScopedMove reply(position_, threat.cell);
        const Index child = add_node(index, FIRST_NUMBERS).first;
        nodes_[index].edges.push_back({threat.cell, child});
        return;
    }
    if (forced_win_.find(position_, position_.turn(), DEFENCE_NODES)) return refute(index);
    position_.pass();
    const bool is_won = fork_win_.find(position_, settings_.pass_moves);
    position_.pass();
    if (is_won) {
        add_pass(index, fork_win_.tree());
        return;
    }
    if (position_.marks(attacker_).count() > FEW_MARKS) return refute(index);
    const std::uint32_t unanswered = count_unanswered(index);
    if (!nodes_[index].passes.empty()) return;
    position_.pass();
    const Index child = add_node(index, FIRST_NUMBERS).first;
    position_.pass();
    nodes_[index].edges.push_back({NO_CELL, child});
    nodes_[index].unanswered = unanswered;
}

// The number of replies after which no win by threats of a fork is known, at least 1. If a win after a reply also wins
// after the pass, adds it and ends.
std::uint32_t QuietWinSearch::count_unanswered(Index index) {
    std::uint32_t count = 1;
    for (const ScoredCell& reply : score_cells()) {
        {
            const ScopedMove move(position_, reply.cell);
            if (position_.is_over() || !fork_win_.find(position_, settings_.reply_moves)) {
                ++count;
                continue;
            }
        }
        if (add_similar_pass(index, WinTree(fork_win_.tree()))) break;
    }
    return count;
}

// Adds a win after the pass by the attacks of a win after a reply; returns whether there is one.
bool QuietWinSearch::add_similar_pass(Index index, const WinTree& win) {
    position_.pass();
    const bool is_won = fork_win_.find_similar(position_, win, SIMILAR_MOVES);
    position_.pass();
    if (is_won) add_pass(index, WinTree(fork_win_.tree()));
    return is_won;
}

// Lists the replies in the zone, the best last.
void QuietWinSearch::start_replies(Index index, const CellSet& zone) {
    auto cells = score_cells();
    std::ranges::reverse(cells);
    nodes_[index].waiting.clear();
    CellSet rest(position_.game().cells());
    rest = position_.empty_cells();
    rest &= zone;
    nodes_[index].zone.assign(1, rest);
    for (const ScoredCell& cell : cells) rest.erase(cell.cell);
    for (const Cell cell : rest) nodes_[index].waiting.push_back(cell);
    for (const ScoredCell& cell : cells)
        if (zone.contains(cell.cell)) nodes_[index].waiting.push_back(cell.cell);
}

// Adds a win after the pass, to whose zone the replies are then limited.
void QuietWinSearch::add_pass(Index index, const WinTree& win) {
    CellSet zone(position_.game().cells());
    position_.pass();
    ZoneCollector(position_, zone).add_tree(win, 1);
    position_.pass();
    Node& node = nodes_[index];
    if (node.zone.empty()) {
        node.passes.push_back(win);
        charge(win);
        return start_replies(index, zone);
    }
    const int before = node.zone.front().count();
    zone &= node.zone.front();
    if (zone.count() == before) return;
    node.passes.push_back(win);
    charge(win);
    const auto is_outside = [&](Cell cell) { return cell != NO_CELL && !zone.contains(cell); };
    std::erase_if(node.waiting, is_outside);
    std::erase_if(node.answers, [&](const Answer& answer) { return is_outside(answer.reply); });
    std::erase_if(node.edges, [&](const Edge& edge) { return is_outside(edge.move); });
    node.zone.front() = zone;
}

void QuietWinSearch::look_at_replies(Index index) {
    while (!nodes_[index].waiting.empty()) {
        const Cell reply = nodes_[index].waiting.back();
        nodes_[index].waiting.pop_back();
        look_at(index, reply);
        if (nodes_[index].numbers.is_solved()) return;
    }
}

// Looks for an answer to a reply without a search of quiet moves. If there is none, adds an edge.
void QuietWinSearch::look_at(Index index, Cell reply) {
    {
        const ScopedMove move(position_, reply);
        if (position_.is_over()) return refute(index);
        const auto known = indices_.find(key_of_position());
        const bool is_known = known != indices_.end();
        const bool is_won = !is_known && (answer_by_similar(index) || fork_win_.find(position_, settings_.reply_moves));
        if (!is_won) {
            const Index child = add_node(index, FIRST_NUMBERS).first;
            nodes_[index].edges.push_back({reply, child});
            return;
        }
        nodes_[index].answers.push_back({reply, fork_win_.tree()});
        charge(fork_win_.tree());
    }
    if (nodes_[index].passes.size() < MOST_PASSES) add_similar_pass(index, WinTree(nodes_[index].answers.back().win));
}

bool QuietWinSearch::answer_by_similar(Index index) {
    const auto& answers = nodes_[index].answers;
    return !answers.empty() && fork_win_.find_similar(position_, answers.back().win, 0);
}

// --- zones --------------------------------------------------------------------------------------------------------

const CellSet& QuietWinSearch::zone_of(Index index, int tolerance) {
    const std::uint64_t key = static_cast<std::uint64_t>(index) << 8 | static_cast<std::uint64_t>(tolerance);
    if (const auto known = zones_.find(key); known != zones_.end()) return known->second;
    CellSet zone(position_.game().cells());
    const Node& node = nodes_[index];
    ZoneCollector collector(position_, zone);
    const auto add_after = [&](const Edge& edge, int more) {
        play(edge.move);
        zone |= zone_of(edge.node, tolerance + more);
        undo(edge.move);
    };
    if (node.attacks) {
        if (node.win) {
            collector.add_tree(*node.win, tolerance);
        } else {
            const Edge& won = winning_edge(node);
            zone.insert(won.move);
            add_after(won, 0);
        }
    } else {
        collector.add_open_lines(position_.turn(), tolerance + 1);
        zone |= position_.completing_cells(attacker_);
        for (const Answer& answer : node.answers) {
            const ScopedMove reply(position_, answer.reply);
            collector.add_tree(answer.win, tolerance);
        }
        for (const Edge& edge : node.edges) add_after(edge, edge.move == NO_CELL);
        position_.pass();
        for (const WinTree& win : node.passes) collector.add_tree(win, tolerance + 1);
        position_.pass();
    }
    return zones_.emplace(key, std::move(zone)).first->second;
}

}  // namespace noughts
