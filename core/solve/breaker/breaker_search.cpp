#include "solve/breaker/breaker_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace noughts {
namespace {

using Outcome = BreakerState::Outcome;

constexpr std::uint8_t VISITED = 1;  // table note: the proof numbers come from a search, not from a guess
constexpr int THREAT_NODES = 200;
// With more symmetries, none is used: the tables of their images would take too much memory.
constexpr std::size_t MOST_SYMMETRIES = 64;
constexpr std::size_t OPEN_MOVES_KEPT = 1 << 16;

// Steps of PairingSearch: in full, after a move and a reply, and where only an estimate is needed.
constexpr int STEPS = 1000, STEPS_AFTER_REPLY = 500, FEW_STEPS = 200;
constexpr int MOST_REPLIES = 8;    // tried against one move of the maker
constexpr int MOST_FAILURES = 12;  // stop after this many replies in a row that answer no further move

// log(work to stop all lines) is linear in the sum of the line weights and in the number of lines that PairingSearch
// could not stop; fitted to states of 8x8:5.
constexpr double WORK_BASE = -3.1, WORK_OF_SUM = 1.7, WORK_OF_LINE = 0.35, MOST_WORK = 1e6;
// Nodes left per unit of the disproof number, and the factor by which that may be wrong; measured on 8x8:5.
constexpr double LEFT_PER_DISPROOF = 0.5, SHARE_ERROR = 4;
// log(nodes of a whole search) is linear in the sum of the line weights at its start.
constexpr double GROWTH = 7.5, EASY_SUM = 1.35;

std::uint32_t expected_work(double sum, int left_over, double share = 1) {
    const double work = share * std::exp(WORK_BASE + WORK_OF_SUM * sum + WORK_OF_LINE * left_over);
    return static_cast<std::uint32_t>(std::clamp(work, 1.0, MOST_WORK));
}

ProofNumbers numbers_of(Outcome outcome) { return outcome == Outcome::MAKER_WINS ? PROVED : DISPROVED; }

// Finds wins of the maker by lines that lack two cells: the maker takes one cell, and the breaker must take the other.
class MakerThreats {
  public:
    // Whether the maker, if it were to move, wins by such threats. If so, `cells()` are the cells used: unless the
    // breaker takes one of them, the maker still wins.
    bool find(std::span<const OpenLine> lines) {
        left_ = THREAT_NODES;
        cells_ = 0;
        Lines all;
        for (const OpenLine& line : lines) all.cells[all.count++] = line.cells;
        return wins(all);
    }
    Word cells() const { return cells_; }

  private:
    struct Lines {
        int count = 0;
        std::array<Word, BreakerState::MOST_LINES> cells;
    };

    bool wins(const Lines& lines) {
        for (int i = 0; i < lines.count; ++i) {
            if (std::popcount(lines.cells[i]) != 2) continue;
            const int a = lowest(lines.cells[i]), b = lowest(lines.cells[i] & (lines.cells[i] - 1));
            if (wins_by(lines, a, b) || wins_by(lines, b, a)) return true;
        }
        return false;
    }

    bool wins_by(const Lines& lines, int attack, int reply) {
        if (--left_ < 0) return false;
        Lines rest;
        for (int i = 0; i < lines.count; ++i) {
            if (contains(lines.cells[i], reply)) continue;
            const Word cells = lines.cells[i] & ~bit(attack);
            if (!has_several(cells)) {
                cells_ |= bit(attack) | bit(reply) | cells;
                return true;
            }
            rest.cells[rest.count++] = cells;
        }
        if (!wins(rest)) return false;
        cells_ |= bit(attack) | bit(reply);
        return true;
    }

    int left_ = 0;
    Word cells_ = 0;
};

// The cells, in order of decreasing weight.
std::vector<int> by_weight(Word cells, const BreakerState::Weights& weights) {
    std::vector<int> order;
    for_each_bit(cells, 0, [&](int cell) { order.push_back(cell); });
    std::ranges::stable_sort(order, std::greater{}, [&](int cell) { return weights[cell]; });
    return order;
}

}  // namespace

BreakerSearch::BreakerSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                             PositionsInProgress* in_progress)
    : position_(position),
      symmetry_(symmetry),
      table_(table),
      in_progress_(in_progress),
      images_(symmetry.elements().size() <= MOST_SYMMETRIES ? symmetry.elements().size() : 1),
      known_open_(OPEN_MOVES_KEPT),
      children_(position.game().cells() + 1) {
    const Game& game = position.game();
    assert(BreakerState::can_represent(game));
    for (int i = 0; i < game.lines(); ++i) {
        Word mask = 0;
        for (int cell : game.line_cells(i)) mask |= bit(cell);
        masks_.push_back(mask);
    }
    for (std::size_t s = 0; s < images_.size(); ++s)
        for (int cell = 0; cell < game.cells(); ++cell)
            for (int byte = 0; byte < 256; ++byte)
                if (byte >> cell % 8 & 1) images_[s][cell / 8][byte] |= bit(symmetry.elements()[s][cell]);
}

ProofNumbers BreakerSearch::search(Side maker, WorkLimit& limit) {
    if (maker != maker_) {
        nodes_ = 0;
        root_numbers_ = {};
    }
    maker_ = maker;
    BreakerState state = first_state();
    if (const Outcome outcome = state.outcome(); outcome != Outcome::OPEN) return numbers_of(outcome);
    return settle(state, limit);
}

ProofNumbers BreakerSearch::known_numbers(WorkLimit& limit) {
    const BreakerState state = first_state();
    if (const Outcome outcome = state.outcome(); outcome != Outcome::OPEN) return numbers_of(outcome);
    return visit(state, key_of(state), limit);
}

ProgressEstimate BreakerSearch::estimate_progress(int threads) const {
    if (nodes_ == 0 || root_numbers_.is_solved()) return {};
    return ProgressEstimate::of(static_cast<double>(nodes_) * threads, root_numbers_.disproof * LEFT_PER_DISPROOF,
                                SHARE_ERROR);
}

double BreakerSearch::expected_nodes(const BreakerState& state) {
    BreakerState::Weights weights;
    return std::exp(GROWTH * (state.weigh(weights) - EASY_SUM));
}

ProofNumbers BreakerSearch::settle(const BreakerState& state, WorkLimit& limit) {
    const Key key = key_of(state);
    const ProofNumbers known = visit(state, key, limit);
    return known.is_solved() ? known : explore(state, key, {INFINITE, INFINITE}, 0, limit);
}

int BreakerSearch::decisive_move(const BreakerState& state, WorkLimit& limit) {
    const Key key = key_of(state);
    const auto table_move = [&] {
        const auto known = table_.probe(key.words, tag(state.maker_moves()));
        if (!known || known->move >= WORD_BITS) return NO_CELL;
        const Word cell = preimage(key.symmetry, bit(known->move)) & state.cells();
        return cell ? lowest(cell) : NO_CELL;
    };
    if (const int move = table_move(); move != NO_CELL) return move;
    explore(state, key, {INFINITE, INFINITE}, 0, limit);
    return table_move();
}

// --- keys ---------------------------------------------------------------------------------------------------------

Word BreakerSearch::image(int symmetry, Word cells) const {
    Word image = 0;
    for (int byte = 0; byte < BYTES; ++byte) image |= images_[symmetry][byte][cells >> 8 * byte & 0xff];
    return image;
}

Word BreakerSearch::preimage(int symmetry, Word cells) const {
    const Permutation& permutation = symmetry_.elements()[symmetry];
    Word preimage = 0;
    for (std::size_t cell = 0; cell < permutation.size(); ++cell)
        if (contains(cells, permutation[cell])) preimage |= bit(static_cast<int>(cell));
    return preimage;
}

std::vector<std::vector<int>> BreakerSearch::preimage(int symmetry, std::vector<std::vector<int>> sets) const {
    for (auto& set : sets) {
        for (int& cell : set) cell = preimage_of(symmetry, cell);
        std::ranges::sort(set);
    }
    return sets;
}

BreakerState BreakerSearch::canonical(const BreakerState& state, const Key& key) const {
    return state.image([&](Word cells) { return image(key.symmetry, cells); });
}

// The open cells and the maker's marks on open lines determine the state: the open lines are exactly the lines within
// these cells, apart from those that BreakerState drops in any case.
BreakerSearch::Key BreakerSearch::key_of(const BreakerState& state) const {
    const Word cells = state.cells();
    Word marks = 0;
    for (const OpenLine& line : state.lines()) marks |= masks_[line.number] & ~line.cells;
    Key key{{cells, marks}, 0};
    for (std::size_t s = 1; s < images_.size(); ++s) {
        const Word first = image(static_cast<int>(s), cells);
        if (first > key.words[0]) continue;
        const Word second = image(static_cast<int>(s), marks);
        if (first < key.words[0] || second < key.words[1]) key = {{first, second}, static_cast<int>(s)};
    }
    return key;
}

std::uint8_t BreakerSearch::tag(bool maker_moves) const {
    return static_cast<std::uint8_t>(ProofTable::BREAKER_TAG | maker_moves | index(maker_) << 1);
}

void BreakerSearch::store(const BreakerState& state, const Key& key, ProofNumbers numbers, std::uint64_t work, int move,
                          bool is_final) {
    const int moved = move == NO_CELL ? ProofEntry::NO_MOVE : lowest(image(key.symmetry, bit(move)));
    const auto bounded_work = static_cast<std::uint32_t>(std::min<std::uint64_t>(work, ~0u));
    table_.store(key.words, tag(state.maker_moves()),
                 {numbers, bounded_work, static_cast<std::uint16_t>(moved), is_final ? VISITED : std::uint8_t{0}});
}

BreakerSearch::OpenMoves& BreakerSearch::slot_of(const Key& key) {
    const Word mixed = (key.words[0] * 0x9e3779b97f4a7c15u ^ key.words[1]) * 0xbf58476d1ce4e5b9u;
    return known_open_[(mixed >> 40) % OPEN_MOVES_KEPT];
}

// --- states without search ----------------------------------------------------------------------------------------

bool BreakerSearch::sum_is_low(const BreakerState& state) {
    BreakerState::Weights weights;
    const double sum = state.weigh(weights);
    return sum + (state.maker_moves() ? *std::ranges::max_element(weights) : 0) < 1;
}

BreakerSearch::Evaluation BreakerSearch::evaluate(const BreakerState& state) {
    if (sum_is_low(state)) return {DISPROVED};
    if (!state.maker_moves()) return {evaluate_defence(state)};
    if (MakerThreats().find(state.lines())) return {PROVED};
    if (pairing_.find(state.lines(), FEW_STEPS)) return {DISPROVED};
    BreakerState::Weights weights;
    return {{1, expected_work(state.weigh(weights), pairing_.shortfall())}, false};
}

// Estimates a state with the breaker to move as if it took the heaviest cell.
ProofNumbers BreakerSearch::evaluate_defence(const BreakerState& state) {
    BreakerState::Weights weights;
    const double sum = state.weigh(weights);
    const auto heaviest = std::ranges::max_element(weights);
    BreakerState after = state;
    after.play_breaker(static_cast<int>(heaviest - weights.begin()));
    if (after.lines().empty() || pairing_.find(after.lines(), FEW_STEPS)) return DISPROVED;
    const auto moves = static_cast<std::uint32_t>(std::popcount(state.cells()));
    return {std::max(1u, moves / 3), expected_work(sum - *heaviest, pairing_.shortfall())};
}

BreakerSearch::Evaluation BreakerSearch::evaluate_with_answers(const BreakerState& canonical, WorkLimit& limit) {
    if (sum_is_low(canonical)) return {DISPROVED};
    if (MakerThreats().find(canonical.lines())) return {PROVED};
    if (find_canonical_sets(canonical)) return {DISPROVED};
    const int left_over = pairing_.shortfall();
    const Word open = unanswered(canonical, nullptr, limit);
    if (!open) return {DISPROVED};
    BreakerState::Weights weights;
    const auto count = static_cast<std::uint32_t>(std::popcount(open));
    const double share = 2.0 * count / std::popcount(canonical.cells());
    return {{1, std::max(count, expected_work(canonical.weigh(weights), left_over, share))}, true, open};
}

bool BreakerSearch::find_canonical_sets(const BreakerState& canonical) {
    pairing_.reset();
    return pairing_.find(canonical.lines(), STEPS);
}

std::vector<std::vector<int>> BreakerSearch::find_sets(const BreakerState& state) {
    const Key key = key_of(state);
    if (!find_canonical_sets(canonical(state, key))) return {};
    return preimage(key.symmetry, pairing_.sets());
}

BreakerSearch::Replies BreakerSearch::find_answers(const BreakerState& state, WorkLimit& limit) {
    const Key key = key_of(state);
    const BreakerState image = canonical(state, key);
    Replies replies;
    if (!find_canonical_sets(image)) replies.open = preimage(key.symmetry, unanswered(image, &replies.answers, limit));
    for (Answer& answer : replies.answers) {
        answer.moves = preimage(key.symmetry, answer.moves);
        answer.reply = preimage_of(key.symmetry, answer.reply);
        answer.sets = preimage(key.symmetry, std::move(answer.sets));
    }
    return replies;
}

// Returns the maker's moves for which no answer was found: one reply, followed by sets that stop all lines. Moves that
// have an answer or are dominated are left out; the answers are added to `answers` unless that is null. For states
// where find_sets failed. Takes up to a tenth of a second, so it ends early when the limit is spent.
Word BreakerSearch::unanswered(const BreakerState& state, std::vector<Answer>* answers, WorkLimit& limit) {
    Word open = state.undominated(state.cells());
    answer_several(state, open, answers, limit);
    for_each_bit(open, 0, [&](int move) {
        if (contains(open, move)) answer(state, move, open, answers, limit);
    });
    return open;
}

// Tries replies that are good against most moves. A reply followed by sets answers every move whose cell is in none of
// these sets.
void BreakerSearch::answer_several(const BreakerState& state, Word& open, std::vector<Answer>* answers,
                                   WorkLimit& limit) {
    int failures = 0;
    const auto misses = pairing_.misses();
    for (const int reply : by_misses(state)) {
        limit.poll();
        if (!open || misses[reply] == 0 || failures == MOST_FAILURES || limit.is_spent()) return;
        ++failures;
        BreakerState after = state;
        after.play_breaker(reply);
        if (!pairing_.find(after.lines(), STEPS_AFTER_REPLY)) continue;
        const Word answered = open & ~bit(reply) & ~pairing_.needed();
        if (!answered) continue;
        failures = 0;
        open &= ~answered;
        if (answers) answers->push_back({answered, reply, pairing_.sets()});
    }
}

// Looks for a reply to one move. If sets then stop all lines, the reply also answers every other move whose cell is in
// none of these sets.
void BreakerSearch::answer(const BreakerState& state, int move, Word& open, std::vector<Answer>* answers,
                           WorkLimit& limit) {
    BreakerState given = state;
    given.give(bit(move));
    if (given.outcome() != Outcome::OPEN) return;
    std::vector<int> replies;
    for (const OpenLine& line : given.lines())
        if (!has_several(line.cells)) replies = {lowest(line.cells)};
    if (replies.empty()) {
        pairing_.find(given.lines(), STEPS_AFTER_REPLY);
        replies = by_misses(given);
        replies.resize(std::min<std::size_t>(replies.size(), MOST_REPLIES));
    }
    for (const int reply : replies) {
        limit.poll();
        if (limit.is_spent()) return;
        BreakerState after = given;
        after.play_breaker(reply);
        if (after.outcome() == Outcome::MAKER_WINS || !pairing_.find(after.lines(), STEPS_AFTER_REPLY)) continue;
        const Word answered = bit(move) | (open & ~bit(reply) & ~pairing_.needed());
        open &= ~answered;
        if (answers) answers->push_back({answered, reply, pairing_.sets()});
        return;
    }
}

// The cells, ordered by how often the last search for sets failed to stop a line through them, then by decreasing
// weight.
std::vector<int> BreakerSearch::by_misses(const BreakerState& state) const {
    BreakerState::Weights weights;
    state.weigh(weights);
    std::vector<int> order = by_weight(state.cells(), weights);
    std::ranges::stable_sort(order, std::greater{}, [&](int cell) { return pairing_.misses()[cell]; });
    return order;
}

// The maker's moves without an answer, computed again if they are not in the small cache: the table does not store
// them.
Word BreakerSearch::open_moves(const BreakerState& state, const Key& key, WorkLimit& limit) {
    OpenMoves& known = slot_of(key);
    if (known.key == key.words && known.moves) return preimage(key.symmetry, known.moves);
    const BreakerState image = canonical(state, key);
    const Word open = find_canonical_sets(image) ? 0 : unanswered(image, nullptr, limit);
    if (!limit.is_spent()) known = {key.words, open};
    return preimage(key.symmetry, open);
}

ProofNumbers BreakerSearch::visit(const BreakerState& state, const Key& key, WorkLimit& limit) {
    const auto known = table_.probe(key.words, tag(state.maker_moves()));
    if (known && (known->notes & VISITED)) return known->numbers;
    const Evaluation found =
        state.maker_moves() ? evaluate_with_answers(canonical(state, key), limit) : evaluate(state);
    if (limit.is_spent()) return {};
    if (found.open) slot_of(key) = {key.words, found.open};
    store(state, key, found.numbers, 1, NO_CELL, true);
    return found.numbers;
}

// --- the search ---------------------------------------------------------------------------------------------------

ProofNumbers BreakerSearch::explore(const BreakerState& state, const Key& key, ProofNumbers thresholds,
                                    std::size_t depth, WorkLimit& limit) {
    if (limit.is_spent()) return {};
    const std::uint64_t before = nodes_++;
    limit.count_node();
    expand(state, state.maker_moves() ? open_moves(state, key, limit) : defences(state), depth, limit);
    const bool is_maker = state.maker_moves();
    ProofNumbers found;
    Choice choice;
    for (;;) {
        if (in_progress_) look_up_children(is_maker, depth);
        choice = choose(children_[depth]);
        found = choice.numbers(is_maker);
        if (depth == 0) root_numbers_ = found;
        if (found.reach(thresholds) || limit.poll()) break;
        descend(state, *choice.child, choice.child_thresholds(thresholds, is_maker), depth, limit);
    }
    store(state, key, found, nodes_ - before, choice.own == 0 ? choice.child->move : NO_CELL, true);
    return found;
}

BreakerSearch::Choice BreakerSearch::choose(std::vector<Child>& children) {
    return choose_child(children, [](const Child&, const Child&) { return false; });
}

// Refreshes the children's numbers from the table and notes where other threads are at work.
void BreakerSearch::look_up_children(bool is_maker, std::size_t depth) {
    for (Child& child : children_[depth]) {
        if (child.own == 0 || child.other == 0) continue;
        const std::uint32_t state = in_progress_->state(child.key.words);
        if (state == child.in_progress) continue;
        child.in_progress = state;
        const auto known = table_.probe(child.key.words, tag(child.maker_moves));
        if (!known) continue;
        set_numbers(child, known->numbers, is_maker);
        child.is_visited = known->notes & VISITED;
    }
}

void BreakerSearch::descend(const BreakerState& state, Child& child, ProofNumbers thresholds, std::size_t depth,
                            WorkLimit& limit) {
    BreakerState after = state;
    after.play(child.move);
    after.play_forced();
    if (in_progress_) in_progress_->arrive(child.key.words);
    path_.push_back(child.move);
    const ProofNumbers numbers =
        child.is_visited ? explore(after, child.key, thresholds, depth + 1, limit) : visit(after, child.key, limit);
    path_.pop_back();
    if (in_progress_) in_progress_->leave(child.key.words);
    child.is_visited = true;
    set_numbers(child, numbers, state.maker_moves());
}

// The breaker's moves, without those after which the maker wins by threats.
Word BreakerSearch::defences(const BreakerState& state) {
    MakerThreats threats;
    const Word cells = state.cells();
    return state.undominated(threats.find(state.lines()) ? cells & threats.cells() : cells);
}

void BreakerSearch::expand(const BreakerState& state, Word moves, std::size_t depth, WorkLimit& limit) {
    BreakerState::Weights weights;
    state.weigh(weights);
    children_[depth].clear();
    bool is_first = true;
    for (const int move : by_weight(moves, weights)) {
        if (add_child(state, move, is_first, depth, limit)) return;
        is_first = false;
    }
}

// Adds a move as a child unless a symmetric move was added before. Returns true if the move decides the state.
bool BreakerSearch::add_child(const BreakerState& state, int move, bool is_first, std::size_t depth, WorkLimit& limit) {
    const bool is_maker = state.maker_moves();
    BreakerState after = state;
    after.play(move);
    const Outcome outcome = after.play_forced();
    Child child{move, {{0, 0}, 0}, after.maker_moves(), 0, 0, true};
    ProofNumbers numbers;
    if (outcome != Outcome::OPEN) {
        numbers = numbers_of(outcome);
    } else {
        child.key = key_of(after);
        const auto is_same = [&](const Child& other) {
            return other.key.words == child.key.words && other.maker_moves == child.maker_moves;
        };
        if (std::ranges::any_of(children_[depth], is_same)) return false;
        if (const auto known = table_.probe(child.key.words, tag(child.maker_moves))) {
            numbers = known->numbers;
            child.is_visited = known->notes & VISITED;
        } else if (is_first && !is_maker) {
            numbers = visit(after, child.key, limit);
        } else {
            const Evaluation found = evaluate(after);
            numbers = found.numbers;
            child.is_visited = found.is_final;
            store(after, child.key, numbers, 1, NO_CELL, found.is_final);
        }
    }
    set_numbers(child, numbers, is_maker);
    if (in_progress_) child.in_progress = in_progress_->state(child.key.words);
    children_[depth].push_back(child);
    return child.own == 0;
}

}  // namespace noughts
