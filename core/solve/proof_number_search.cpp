#include "solve/proof_number_search.hpp"

#include <algorithm>
#include <cassert>

namespace noughts {
namespace {

std::uint32_t added(std::uint32_t a, std::uint32_t b) { return std::min(a + b, INFINITE - 1); }

// More than the second best: fewer jumps between moves that look alike. How much more is measured; the attacker, who
// looks for one way in, gains by staying with a move for longer.
std::uint32_t beyond(std::uint32_t second, bool attacking) {
    return std::min(second + (attacking ? second : second / 4) + 1, INFINITE);
}

constexpr ProofNumbers UNSOLVED_LIMITS{INFINITE, INFINITE};
constexpr int LOOK_AT = 3;  // how many of the attacker's moves are looked at when a position is first searched

}  // namespace

ProofNumberSearch::ProofNumberSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                                     ProofTechniques techniques)
    : position_(position),
      first_ply_(position.ply()),
      symmetric_key_(position, symmetry),
      table_(table),
      techniques_(techniques),
      draws_(position.game()),
      forced_win_(position.game()),
      is_static_(position.game().is_static()),
      marks_never_hurt_(position.game().marks_never_hurt()),
      by_lines_(position.game().blocks() == 1 && !position.game().misere()),
      children_(position.game().cells() + 1),
      keys_(position.game().cells() + 1),
      key_(symmetric_key_.key_words()) {}

void ProofNumberSearch::play(int cell) {
    symmetric_key_.toggle(cell, position_.turn());
    position_.play(cell);
}

void ProofNumberSearch::undo() {
    const int cell = position_.now().cell;
    position_.undo();
    symmetric_key_.toggle(cell, position_.turn());
}

void ProofNumberSearch::store(ProofNumbers numbers, std::uint64_t work, int move, std::uint8_t notes) {
    const int symmetry = symmetric_key_.write(position_, key_);
    const int image = move < 0 ? ProofEntry::NO_MOVE : symmetric_key_.symmetry().elements()[symmetry][move];
    const auto spent = static_cast<std::uint32_t>(std::min<std::uint64_t>(work, ~0u));
    table_.store(key_, tag(), {numbers, spent, static_cast<std::uint16_t>(image), notes});
}

ProofNumbers ProofNumberSearch::search(Side attacker, WorkLimit& limit) {
    attacker_ = attacker;
    return settle(limit);
}

ProofNumbers ProofNumberSearch::settle(WorkLimit& limit) {
    const ProofEntry known = visit();
    if (known.numbers.is_solved()) return known.numbers;
    return explore(UNSOLVED_LIMITS, known.notes, 0, limit);
}

// What is known of the position: from the table, or else by looking at it, which the table then remembers.
ProofEntry ProofNumberSearch::visit() {
    ProofEntry known;
    symmetric_key_.write(position_, key_);
    if (table_.probe(key_, tag(), known)) return known;
    Ground ground;
    known = look(ground);
    table_.store(key_, tag(), known);
    return known;
}

ProofEntry ProofNumberSearch::look(Ground& ground, bool for_chains) {
    ground = Ground::OVER;
    if (position_.is_over()) return {position_.winner() == attacker_ ? PROVED : DISPROVED, 1, ProofEntry::NO_MOVE, 0};
    if (by_lines_) return settle_by_lines(ground, for_chains);
    ground = Ground::NO_LINE;
    // In misère it is the other side that must complete a line.
    if (position_.game().blocks() == 1 && draws_.has_no_line(position_, opponent(attacker_)))
        return {DISPROVED, 1, ProofEntry::NO_MOVE, 0};
    ground = Ground::NONE;
    return guess(0);
}

ProofEntry ProofNumberSearch::settle_by_lines(Ground& ground, bool for_chains) {
    const ProofNumbers if_mover_wins = is_attacking() ? PROVED : DISPROVED,
                       if_mover_loses = is_attacking() ? DISPROVED : PROVED;
    ground = Ground::COMPLETES;
    if (winning_move(position_) != NO_CELL) return {if_mover_wins, 1, ProofEntry::NO_MOVE, 0};
    ground = Ground::TWO_THREATS;
    const Threat threat = threat_against(position_);
    if (threat.count > 1) return {if_mover_loses, 1, ProofEntry::NO_MOVE, 0};
    ground = Ground::NO_LINE;
    if (draws_.has_no_line(position_, attacker_)) return {DISPROVED, 1, ProofEntry::NO_MOVE, 0};
    ground = Ground::SUM;
    if (is_static_ && techniques_.sums && draws_.sum_is_small(position_, attacker_))
        return {DISPROVED, 1, ProofEntry::NO_MOVE, 0};
    ground = Ground::PAIRING;
    if (!find_pairing().empty()) return {DISPROVED, 1, ProofEntry::NO_MOVE, 0};
    ground = Ground::CHAIN;
    if (for_chains && techniques_.chains && forced_win_.find(position_, position_.turn(), techniques_.chain_nodes))
        return {if_mover_wins, 1, ProofEntry::NO_MOVE, 0};
    ground = Ground::NONE;
    std::uint8_t notes = 0;
    if (for_chains && threat.count == 1) notes = FORCED;
    if (for_chains && threat.count == 0) find_threat(notes);
    return guess(notes);
}

// Lines that share no pair need two cells each, but a pair may serve several; the bound is measured. The first
// position, where a pairing would save most, is tried in any case.
std::vector<std::pair<int, int>> ProofNumberSearch::find_pairing() const {
    if (!is_static_ || !techniques_.pairings) return {};
    if (position_.ply() > first_ply_ && draws_.count_open(position_, attacker_) > position_.now().free) return {};
    return draws_.find_pairing(position_, attacker_);
}

// Whether the other side wins by force if the side to move passes; if so, the zone is where it may still be stopped.
bool ProofNumberSearch::find_threat(std::uint8_t& notes) {
    // With gravity a move anywhere may make another cell playable, so that no zone is safe.
    if (!is_static_ || !techniques_.zones || (notes & NOT_THREATENED)) return false;
    const Side rival = opponent(position_.turn());
    const bool found = forced_win_.find(position_, rival, techniques_.threat_nodes);
    notes = found ? THREATENED : NOT_THREATENED;
    if (found) zone_ = forced_win_.defence_zone(position_, rival);
    return found;
}

// First numbers for a position that nothing settles: the more moves there are to refute, the more work. A threatened
// forced win refutes most of them. The divisors are measured, on 4x4x4 and the boards four cells high.
ProofEntry ProofNumberSearch::guess(std::uint8_t notes) const {
    auto moves = static_cast<std::uint32_t>(position_.now().free);
    if (notes & FORCED) moves = 1;
    if (notes & THREATENED) {
        moves = static_cast<std::uint32_t>(zone_.count());
    }
    if (is_attacking()) return {{1, std::max(1u, moves / 4)}, 1, ProofEntry::NO_MOVE, notes};
    return {{std::max(1u, moves / (notes & THREATENED ? 6 : 3)), 1}, 1, ProofEntry::NO_MOVE, notes};
}

void ProofNumberSearch::list_moves(std::uint8_t notes, std::vector<int>& moves) {
    moves.clear();
    if (by_lines_)
        if (const Threat threat = threat_against(position_); threat.count == 1) {
            moves.push_back(threat.cell);
            return;
        }
    if (marks_never_hurt_)
        cells_ = draws_.live_cells(position_);
    else
        cells_ = position_.legal_cells();
    if (find_threat(notes)) cells_ &= zone_;
    if (marks_never_hurt_ && techniques_.dominated) draws_.keep_undominated(position_, cells_);
    cells_.for_each([&](int cell) { moves.push_back(cell); });
    // Where no line is open any more no cell is worth a move, but one must be made all the same.
    if (moves.empty()) position_.for_each_legal([&](int cell) { moves.push_back(cell); });
}

int ProofNumberSearch::order_of(int cell) const {
    int order = position_.game().centrality(cell);
    for (int i : position_.game().lines_of(cell)) {
        const LineState line = position_.line(i);
        const int x = marks_of(line, X), o = marks_of(line, O);
        if (x == 0 || o == 0) order += 8 << (2 * std::min(x + o, 8));
    }
    return order;
}

// The children with what is known of them. The attacker has many moves and needs one: only the most promising are
// looked at now, the others when their turn comes. False when it had to end before all were there.
bool ProofNumberSearch::expand(std::uint8_t notes, std::size_t depth, WorkLimit& limit) {
    list_moves(notes, moves_);
    ordered_.clear();
    for (const int move : moves_) ordered_.push_back({move, order_of(move)});
    std::ranges::sort(ordered_, [](const ScoredMove& a, const ScoredMove& b) {
        return a.score != b.score ? a.score > b.score : a.move < b.move;
    });
    children_[depth].clear();
    keys_[depth].clear();
    int looked_at = 0;
    for (const auto& [move, order] : ordered_) {
        looked_at += add_child(move, order, is_attacking() && looked_at >= LOOK_AT, depth);
        if (!children_[depth].empty() && children_[depth].back().own == 0) break;
        if (limit.poll() && limit.is_spent()) return false;
    }
    return true;
}

// Adds a move unless a symmetric one is there; true when its position had to be looked at.
bool ProofNumberSearch::add_child(int move, int order, bool may_guess, std::size_t depth) {
    const bool attacking = is_attacking();
    play(move);
    ProofEntry known;
    symmetric_key_.write(position_, key_);
    const bool is_repetition = is_repeated(depth), is_known = !is_repetition && table_.probe(key_, tag(), known);
    bool is_guess = false;
    if (!is_repetition && !is_known) {
        Ground ground;
        known = look(ground, !may_guess);
        is_guess = may_guess && !known.numbers.is_solved();
        if (!is_guess) table_.store(key_, tag(), known);
    }
    undo();
    if (is_repetition) return false;
    keys_[depth].insert(keys_[depth].end(), key_.begin(), key_.end());
    const auto [proof, disproof] = known.numbers;
    children_[depth].push_back({static_cast<std::uint16_t>(move), known.notes, attacking ? proof : disproof,
                                attacking ? disproof : proof, order, !is_guess});
    return !is_known && !may_guess;
}

bool ProofNumberSearch::is_repeated(std::size_t depth) const {
    const auto& keys = keys_[depth];
    for (std::size_t at = 0; at < keys.size(); at += key_.size())
        if (std::equal(key_.begin(), key_.end(), keys.begin() + static_cast<std::ptrdiff_t>(at))) return true;
    return false;
}

ProofNumbers ProofNumberSearch::go_on(Child& child, ProofNumbers limits, std::size_t depth, WorkLimit& limit) {
    play(child.move);
    line_.push_back(child.move);
    ProofNumbers numbers;
    if (child.is_seen) {
        numbers = explore(limits, child.notes, depth + 1, limit);
    } else {
        const ProofEntry known = visit();
        numbers = known.numbers;
        child.notes = known.notes;
        child.is_seen = true;
    }
    line_.pop_back();
    undo();
    return numbers;
}

// Works on the position until its numbers reach the limits or it is solved, and returns them; the table then knows
// them.
ProofNumbers ProofNumberSearch::explore(ProofNumbers limits, std::uint8_t notes, std::size_t depth, WorkLimit& limit) {
    const std::uint64_t before = nodes_++;
    limit.count_node();
    if (!expand(notes, depth, limit)) return {};
    auto& children = children_[depth];
    assert(!children.empty());  // no moves would count as every move refuted
    const bool attacking = is_attacking();
    const std::uint32_t own_limit = attacking ? limits.proof : limits.disproof,
                        other_limit = attacking ? limits.disproof : limits.proof;
    ProofNumbers found;
    Choice choice;
    for (;;) {
        choice = choose(children);
        found = attacking ? ProofNumbers{choice.own, choice.other} : ProofNumbers{choice.other, choice.own};
        if (depth == 0) root_numbers_ = found;
        if (found.is_solved() || choice.own >= own_limit || choice.other >= other_limit || limit.must_end()) break;
        Child& child = *choice.child;
        const std::uint32_t child_own = std::min(own_limit, beyond(choice.second, attacking));
        const std::uint32_t child_other = other_limit >= INFINITE ? INFINITE : other_limit - choice.other + child.other;
        const ProofNumbers child_limits =
            attacking ? ProofNumbers{child_own, child_other} : ProofNumbers{child_other, child_own};
        const auto [proof, disproof] = go_on(child, child_limits, depth, limit);
        child.own = attacking ? proof : disproof;
        child.other = attacking ? disproof : proof;
    }
    store(found, nodes_ - before, choice.own == 0 ? choice.child->move : -1, notes);
    return found;
}

// One child will do to bring `own` to zero, so the least counts; all are needed for `other`, so they add up.
ProofNumberSearch::Choice ProofNumberSearch::choose(std::vector<Child>& children) {
    Choice choice;
    for (Child& child : children) {
        choice.other = std::max(choice.other, child.other) >= INFINITE ? INFINITE : added(choice.other, child.other);
        if (child.own < choice.own || (choice.child && child.own == choice.own && child.order > choice.child->order)) {
            choice.second = choice.own;
            choice.own = child.own;
            choice.child = &child;
        } else {
            choice.second = std::min(choice.second, child.own);
        }
    }
    if (choice.own == 0) choice.other = INFINITE;
    return choice;
}

int ProofNumberSearch::decisive_move(WorkLimit& limit) {
    if (const int known = known_move(); known != NO_CELL) return known;
    explore(UNSOLVED_LIMITS, 0, 0, limit);
    return known_move();
}

// The move the table names. One from a file may be nonsense.
int ProofNumberSearch::known_move() {
    ProofEntry known;
    const int symmetry = symmetric_key_.write(position_, key_);
    if (!table_.probe(key_, tag(), known) || known.move == ProofEntry::NO_MOVE) return NO_CELL;
    const int move = symmetric_key_.preimage(symmetry, known.move);
    return position_.is_legal(move) ? move : NO_CELL;
}

}  // namespace noughts
