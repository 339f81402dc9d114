#include "solve/proof_number/proof_number_search.hpp"

#include <algorithm>
#include <cassert>

#include "support/scoped_value.hpp"
#include "support/stack.hpp"

namespace noughts {
namespace {

constexpr ProofNumbers UNTIL_SOLVED{INFINITE, INFINITE};
constexpr int GRID_TRIES_PER_LINE = 200;
constexpr int PACKING_TRIES = 400'000;  // for each position
constexpr int MOST_PLIES_OF_PACKING = 2;
constexpr int VISITED_AT_ONCE = 3;  // children of the attacker that are visited when a position is first expanded

ProofEntry leaf(ProofNumbers numbers) { return {numbers, 1, ProofEntry::NO_MOVE, 0}; }

}  // namespace

ProofNumberSearch::ProofNumberSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                                     ProofTechniques techniques, PositionsInProgress* in_progress)
    : canonical_(position, symmetry),
      first_ply_(position.ply()),
      table_(table),
      techniques_(techniques),
      in_progress_(in_progress),
      draw_arguments_(position.game()),
      set_matching_(position.game()),
      forced_win_(position.game()),
      marks_never_hurt_(position.game().marks_never_hurt()),
      children_(position.game().cells() + 1),
      keys_(position.game().cells() + 1),
      key_(canonical_.key_words()),
      cells_(position.game().cells()) {
    assert(position.game().is_static());
    const Game& game = position.game();
    if (techniques.fork_win_nodes > 0 && game.cells() >= techniques.fork_win_cells && ForkWin::supports(game))
        fork_win_.emplace(game);
}

ProofNumbers ProofNumberSearch::search(Side attacker, WorkLimit& limit) {
    attacker_ = attacker;
    return settle(limit);
}

ProofNumbers ProofNumberSearch::settle(WorkLimit& limit) {
    const ScopedValue limited(limit_, &limit);
    const ProofEntry known = visit();
    if (known.numbers.is_solved()) return known.numbers;
    return explore(UNTIL_SOLVED, known.notes, 0, limit);
}

int ProofNumberSearch::decisive_move(WorkLimit& limit) {
    if (const int move = table_move(); move != NO_CELL) return move;
    const ScopedValue limited(limit_, &limit);
    if (!is_attacking() && find_sets()) return most_promising_move();
    explore(UNTIL_SOLVED, 0, 0, limit);
    return table_move();
}

// The move that comes first in the move order. Where sets stop the attacker, the other side may begin anywhere.
int ProofNumberSearch::most_promising_move() {
    list_moves(NOT_THREATENED);
    return *std::ranges::max_element(moves_, {}, [&](int cell) { return order_of(cell); });
}

// The move of the table entry; NO_CELL if it is not legal, since the table may come from a file.
int ProofNumberSearch::table_move() {
    const int symmetry = canonical_.write_key(key_);
    const auto known = table_.probe(key_, tag());
    if (!known || known->move == ProofEntry::NO_MOVE) return NO_CELL;
    const int move = canonical_.cell_of(symmetry, known->move);
    return position().is_legal(move) ? move : NO_CELL;
}

void ProofNumberSearch::store(ProofNumbers numbers, std::uint64_t work, int move, std::uint8_t notes) {
    const int symmetry = canonical_.write_key(key_);
    const int image = move == NO_CELL ? ProofEntry::NO_MOVE : canonical_.image_of(symmetry, move);
    const auto bounded_work = static_cast<std::uint32_t>(std::min<std::uint64_t>(work, ~0u));
    table_.store(key_, tag(), {numbers, bounded_work, static_cast<std::uint16_t>(image), notes});
}

// --- positions without search -------------------------------------------------------------------------------------

ProofEntry ProofNumberSearch::visit() {
    canonical_.write_key(key_);
    if (const auto known = table_.probe(key_, tag())) return *known;
    const ProofEntry entry = evaluate(true);
    if (!is_cut_short()) table_.store(key_, tag(), entry);
    return entry;
}

// Evaluates the position without searching its moves. The search for forced wins is the expensive part.
ProofEntry ProofNumberSearch::evaluate(bool with_forced_wins) {
    if (position().is_over()) return leaf(position().winner() == attacker_ ? PROVED : DISPROVED);
    const ProofNumbers if_mover_wins = is_attacking() ? PROVED : DISPROVED,
                       if_mover_loses = is_attacking() ? DISPROVED : PROVED;
    if (winning_move(position()) != NO_CELL) return leaf(if_mover_wins);
    const Threat threat = threat_against(position());
    if (threat.count > 1) return leaf(if_mover_loses);
    if (draw_arguments_.has_no_line(position(), attacker_)) return leaf(DISPROVED);
    if (techniques_.erdos_selfridge && draw_arguments_.potential_is_low(position(), attacker_)) return leaf(DISPROVED);
    if (find_sets()) return leaf(DISPROVED);
    if (!with_forced_wins) return first_guess(0);
    if (techniques_.forced_wins && forced_win_.find(position(), position().turn(), techniques_.forced_win_nodes))
        return leaf(if_mover_wins);
    if (threat.count == 1) return first_guess(FORCED);
    if (!techniques_.relevance_zones) return first_guess(0);
    return first_guess(is_threatened() ? THREATENED : NOT_THREATENED);
}

// Skips the search where it is unlikely to succeed: lines without a common pair need two cells each, though one pair
// may stop several lines; the bound was measured. The root, where sets would save most, is always tried.
bool ProofNumberSearch::find_sets() {
    if (!techniques_.set_matching) return false;
    const bool is_first = position().ply() == first_ply_;
    if (!is_first && draw_arguments_.count_open(position(), attacker_) > position().now().free) return false;
    sets_ = &set_matching_.sets();
    return set_matching_.find(position(), attacker_, techniques_.most_cells_of_set) ||
           (is_first && set_matching_.find_pairs_by_trial(position(), attacker_, limit_)) || find_packing();
}

// Long searches for packed sets, at the root and after the first moves: one move of the defender may leave enough
// cells. Small boards are solved faster without them.
bool ProofNumberSearch::find_packing() {
    const int plies = position().ply() - first_ply_;
    if (!techniques_.set_packing || position().game().cells() <= WORD_BITS) return false;
    if (plies > MOST_PLIES_OF_PACKING || (plies > 0 && !is_attacking())) return false;
    std::vector<Word> key(canonical_.key_words());
    const int symmetry = canonical_.write_key(key);
    auto known = packings_.find({key, attacker_});
    if (known == packings_.end()) {
        if (!limit_ || packing_tries_left_ <= 0) return false;
        PackingInProgress& packing = packings_in_progress_[{key, attacker_, symmetry}];
        const bool is_found = pack_sets(packing);
        if (!is_found && is_cut_short()) return false;
        if (packing.from_pool) packing_tries_left_ -= PACKING_TRIES;
        packings_in_progress_.erase({key, attacker_, symmetry});
        known = packings_.insert({{key, attacker_}, {}}).first;
        if (is_found) known->second = set_matching_.sets();
        for (auto& set : known->second)
            for (int& cell : set) cell = canonical_.image_of(symmetry, cell);
    }
    packed_sets_ = known->second;
    for (auto& set : packed_sets_)
        for (int& cell : set) cell = canonical_.cell_of(symmetry, cell);
    sets_ = &packed_sets_;
    return !packed_sets_.empty();
}

// Tries grids first, then sets from the pool, which takes a while to fill.
bool ProofNumberSearch::pack_sets(PackingInProgress& packing) {
    if (!set_matching_.has_room_for_packing(position(), attacker_)) return false;
    const auto pack = [&](std::optional<SetPacking>& search, const SetPool* pool, int tries) {
        if (!search) search = set_matching_.start_packing(position(), attacker_, pool, tries);
        return set_matching_.pack(position(), attacker_, *search, *limit_);
    };
    if (pack(packing.grids, nullptr, GRID_TRIES_PER_LINE * position().game().lines())) return true;
    if (is_cut_short()) return false;
    if (!set_pool_) set_pool_ = std::make_unique<SetPool>(position().game(), canonical_.symmetry());
    if (!set_pool_->fill(*limit_) || set_pool_->is_empty()) return false;
    return pack(packing.from_pool, set_pool_.get(), PACKING_TRIES);
}

// Whether the other side would win by force if the side to move passed. If so, zone_ holds the cells by which that win
// can still be stopped.
bool ProofNumberSearch::is_threatened() {
    const Side rival = opponent(position().turn());
    if (!forced_win_.find(position(), rival, techniques_.threat_nodes)) return false;
    zone_ = forced_win_.defence_zone(position(), rival);
    return true;
}

// First numbers for an open position. The more moves must be refuted, the more work; a threatened forced win refutes
// most of them. The larger the potential of the attacker's lines, the more work it takes to stop the attacker. The
// divisors were measured on 4x4x4 and on boards with lines of four and five cells.
ProofEntry ProofNumberSearch::first_guess(std::uint8_t notes) const {
    auto moves = static_cast<std::uint32_t>(canonical_.position().now().free);
    if (notes & FORCED) moves = 1;
    if (notes & THREATENED) moves = static_cast<std::uint32_t>(zone_.count());
    if (!(notes & (FORCED | THREATENED))) {
        const std::uint32_t eighths =
            draw_arguments_.potential(canonical_.position(), attacker_) >> (MAX_LINE_LENGTH - 3);
        const std::uint32_t lines = std::max(1u, eighths * eighths / (is_attacking() ? 4 : 128));
        return {{is_attacking() ? 1 : std::max(1u, moves / 3), lines}, 1, ProofEntry::NO_MOVE, notes};
    }
    if (is_attacking()) return {{1, std::max(1u, moves / 4)}, 1, ProofEntry::NO_MOVE, notes};
    return {{std::max(1u, moves / (notes & THREATENED ? 6 : 3)), 1}, 1, ProofEntry::NO_MOVE, notes};
}

// --- the search ---------------------------------------------------------------------------------------------------

// Searches the position until its numbers reach the thresholds, it is solved or the limit ends the search. Stores and
// returns the numbers.
ProofNumbers ProofNumberSearch::explore(ProofNumbers thresholds, std::uint8_t notes, std::size_t depth,
                                        WorkLimit& limit) {
    if (depth >= static_cast<std::size_t>(MAX_RECURSION)) limit.end();
    if (limit.is_spent()) return {};
    const std::uint64_t before = nodes_++;
    limit.count_node();
    if (const auto numbers = find_fork_win()) {
        if (depth == 0) note_root_numbers(*numbers);
        return *numbers;
    }
    if (!expand(notes, depth, limit)) return {};
    auto& children = children_[depth];
    assert(!children.empty());  // a node without moves would count as having every move refuted
    const bool attacking = is_attacking();
    ProofNumbers found;
    Choice choice;
    for (;;) {
        if (in_progress_) look_up_children(depth);
        choice = choose(children);
        found = choice.numbers(attacking);
        if (depth == 0) note_root_numbers(found);
        if (found.reach(thresholds) || limit.must_end()) break;
        Child& child = *choice.child;
        set_numbers(child, descend(child, choice.child_thresholds(thresholds, attacking), depth, limit), attacking);
    }
    store(found, nodes_ - before, choice.own == 0 ? choice.child->move : NO_CELL, notes);
    return found;
}

// Called when a position is searched, not when it is evaluated: few of the evaluated positions are ever searched.
std::optional<ProofNumbers> ProofNumberSearch::find_fork_win() {
    if (!fork_win_ || !fork_win_->find(position(), techniques_.fork_win_nodes)) return std::nullopt;
    const ProofNumbers numbers = is_attacking() ? PROVED : DISPROVED;
    store(numbers, 1, fork_win_->move(), 0);
    return numbers;
}

ProofNumbers ProofNumberSearch::descend(Child& child, ProofNumbers thresholds, std::size_t depth, WorkLimit& limit) {
    const auto key = key_of(depth, child);
    if (in_progress_) in_progress_->arrive(key);
    canonical_.play(child.move);
    path_.push_back(child.move);
    ProofNumbers numbers;
    if (child.is_visited) {
        numbers = explore(thresholds, child.notes, depth + 1, limit);
    } else {
        const ProofEntry known = visit();
        numbers = known.numbers;
        child.notes = known.notes;
        child.is_visited = true;
    }
    path_.pop_back();
    canonical_.undo();
    if (in_progress_) in_progress_->leave(key);
    return numbers;
}

std::span<const Word> ProofNumberSearch::key_of(std::size_t depth, const Child& child) const {
    const auto number = static_cast<std::size_t>(&child - children_[depth].data());
    return std::span<const Word>(keys_[depth]).subspan(number * key_.size(), key_.size());
}

// Refreshes the children's numbers from the table and notes where other threads are at work.
void ProofNumberSearch::look_up_children(std::size_t depth) {
    const bool attacking = is_attacking();
    const auto tag = static_cast<std::uint8_t>(index(opponent(position().turn())) | index(attacker_) << 1);
    for (Child& child : children_[depth]) {
        if (child.own == 0 || child.other == 0) continue;
        const auto key = key_of(depth, child);
        const std::uint32_t state = in_progress_->state(key);
        if (state == child.in_progress) continue;
        child.in_progress = state;
        const auto known = table_.probe(key, tag);
        if (!known) continue;
        set_numbers(child, known->numbers, attacking);
        child.notes = known->notes;
        child.is_visited = true;
    }
}

ProofNumberSearch::Choice ProofNumberSearch::choose(std::vector<Child>& children) {
    return choose_child(children, [](const Child& child, const Child& best) { return child.order > best.order; });
}

void ProofNumberSearch::note_root_numbers(ProofNumbers numbers) {
    root_numbers_ = numbers;
    if (first_numbers_[attacker_].is_solved()) first_numbers_[attacker_] = numbers;
}

std::vector<SearchedMoves> ProofNumberSearch::searched_moves() const {
    std::vector<SearchedMoves> searched;
    bool attacking = is_attacking() == (path_.size() % 2 == 0);
    for (std::size_t depth = 0; depth < path_.size(); ++depth, attacking = !attacking) {
        const auto& children = children_[depth];
        const auto refuted = std::ranges::count_if(children, [](const Child& child) { return child.other == 0; });
        searched.push_back({attacking, static_cast<int>(children.size()), static_cast<int>(refuted)});
    }
    return searched;
}

// --- children -----------------------------------------------------------------------------------------------------

// Lists the children with their table entries. The attacker has many moves and needs only one, so only its most
// promising moves are visited now, the others when they are chosen. Returns false if the limit ended the search before
// all were listed.
bool ProofNumberSearch::expand(std::uint8_t notes, std::size_t depth, WorkLimit& limit) {
    list_moves(notes);
    ordered_.clear();
    for (const int move : moves_) ordered_.push_back({move, order_of(move)});
    std::ranges::sort(ordered_, [](const ScoredMove& a, const ScoredMove& b) {
        return a.score != b.score ? a.score > b.score : a.move < b.move;
    });
    children_[depth].clear();
    keys_[depth].clear();
    int visited = 0;
    for (const auto& [move, order] : ordered_) {
        visited += add_child(move, order, is_attacking() && visited >= VISITED_AT_ONCE, depth);
        if (!children_[depth].empty() && children_[depth].back().own == 0) break;
        if (limit.poll() && limit.is_spent()) return false;
    }
    return true;
}

// Lists in moves_ the moves that must be tried.
void ProofNumberSearch::list_moves(std::uint8_t notes) {
    moves_.clear();
    if (const Threat threat = threat_against(position()); threat.count == 1) {
        moves_.push_back(threat.cell);
        return;
    }
    if (marks_never_hurt_)
        cells_ = draw_arguments_.live_cells(position());
    else
        cells_ = position().legal_cells();
    if (techniques_.relevance_zones && !(notes & NOT_THREATENED) && is_threatened()) cells_ &= zone_;
    if (marks_never_hurt_ && techniques_.domination) draw_arguments_.keep_undominated(position(), cells_);
    cells_.for_each([&](Cell cell) { moves_.push_back(cell); });
    // If no line is open, no cell is worth playing, but a move must be made.
    if (moves_.empty()) position().for_each_legal([&](int cell) { moves_.push_back(cell); });
}

int ProofNumberSearch::order_of(int cell) const {
    const Position& position = canonical_.position();
    int order = position.game().centrality(cell);
    for (int i : position.game().lines_of(cell)) {
        const LineState line = position.line(i);
        const int x = marks_of(line, X), o = marks_of(line, O);
        if (x == 0 || o == 0) order += 8 << (2 * std::min(x + o, 8));
    }
    return order;
}

// Adds a move as a child unless a symmetric move was added before. Returns true if the position after the move was not
// in the table and had to be evaluated.
bool ProofNumberSearch::add_child(int move, int order, bool may_guess, std::size_t depth) {
    const bool attacking = is_attacking();
    canonical_.play(move);
    canonical_.write_key(key_);
    if (contains_key(keys_[depth], key_)) {
        canonical_.undo();
        return false;
    }
    const auto known = table_.probe(key_, tag());
    const ProofEntry entry = known ? *known : evaluate(!may_guess);
    const bool is_guess = !known && may_guess && !entry.numbers.is_solved();
    if (!known && !is_guess && !is_cut_short()) table_.store(key_, tag(), entry);
    canonical_.undo();
    keys_[depth].insert(keys_[depth].end(), key_.begin(), key_.end());
    const auto [own, other] = entry.numbers.for_mover(attacking);
    children_[depth].push_back({static_cast<std::uint16_t>(move), entry.notes, own, other, order, !is_guess,
                                in_progress_ ? in_progress_->state(key_) : 0});
    return !known && !may_guess;
}

}  // namespace noughts
