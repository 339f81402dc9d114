#include "solve/blocking_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "support/stack.hpp"

namespace noughts {
namespace {

using Outcome = BlockingState::Outcome;

constexpr std::uint8_t VISITED = 1;  // note in the table: the numbers are more than a guess
constexpr int THREAT_NODES = 200;
constexpr std::size_t MOST_SYMMETRIES = 64;  // with more, none is used: their tables would take much memory
constexpr std::size_t OPEN_MOVES_KEPT = 1 << 16;

// The work to stop lines grows with the sum of their weights; measured on 8x7:5.
constexpr double GROWTH = 12, EASY_SUM = 1.7, MOST_WORK = 1e6;

std::uint32_t expected_work(double sum, double share = 1) {
    return static_cast<std::uint32_t>(std::clamp(share * std::exp(GROWTH * (sum - EASY_SUM)), 1.0, MOST_WORK));
}

ProofNumbers numbers_of(Outcome outcome) { return outcome == Outcome::MAKER_WINS ? PROVED : DISPROVED; }

// The maker's wins by lines that lack two cells: it takes one, and the breaker must take the other.
class MakerThreats {
  public:
    // Whether the maker, if it were to move, wins in this way. `cells()` are then those that matter: if the breaker
    // takes none of them, the maker still wins.
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
        std::array<Word, BlockingState::MOST_LINES> cells;
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

// Cells in the order in which they are tried, the heaviest first.
std::vector<int> by_weight(Word cells, const BlockingState::Weights& weights) {
    std::vector<int> order;
    for_each_bit(cells, 0, [&](int cell) { order.push_back(cell); });
    std::ranges::stable_sort(order, std::greater{}, [&](int cell) { return weights[cell]; });
    return order;
}

}  // namespace

BlockingSearch::BlockingSearch(const Position& position, const Symmetry& symmetry, ProofTable& table)
    : position_(position),
      symmetry_(symmetry),
      table_(table),
      matching_(position.game()),
      images_(symmetry.elements().size() <= MOST_SYMMETRIES ? symmetry.elements().size() : 1),
      known_open_(OPEN_MOVES_KEPT),
      children_(position.game().cells() + 1) {
    const Game& game = position.game();
    assert(BlockingState::can_represent(game));
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

ProofNumbers BlockingSearch::search(Side maker, WorkLimit& limit) {
    maker_ = maker;
    BlockingState state = first_state();
    if (const Outcome outcome = state.outcome(); outcome != Outcome::OPEN) return numbers_of(outcome);
    return settle(state, limit);
}

double BlockingSearch::expected_nodes(const BlockingState& state) {
    BlockingState::Weights weights;
    return std::exp(GROWTH * (state.weigh(weights) - EASY_SUM));
}

ProofNumbers BlockingSearch::settle(const BlockingState& state, WorkLimit& limit) {
    const Key key = key_of(state);
    const ProofNumbers known = visit(state, key);
    return known.is_solved() ? known : explore(state, key, {INFINITE, INFINITE}, 0, limit);
}

int BlockingSearch::decisive_move(const BlockingState& state, WorkLimit& limit) {
    const Key key = key_of(state);
    const auto table_move = [&] {
        const auto known = table_.probe(key.words, tag(state));
        if (!known || known->move >= WORD_BITS) return NO_CELL;
        const Word cell = preimage(key.symmetry, bit(known->move)) & state.cells();
        return cell ? lowest(cell) : NO_CELL;
    };
    if (const int move = table_move(); move != NO_CELL) return move;
    explore(state, key, {INFINITE, INFINITE}, 0, limit);
    return table_move();
}

// --- keys ---------------------------------------------------------------------------------------------------------

Word BlockingSearch::image(int symmetry, Word cells) const {
    Word image = 0;
    for (int byte = 0; byte < BYTES; ++byte) image |= images_[symmetry][byte][cells >> 8 * byte & 0xff];
    return image;
}

Word BlockingSearch::preimage(int symmetry, Word cells) const {
    const Permutation& permutation = symmetry_.elements()[symmetry];
    Word preimage = 0;
    for (std::size_t cell = 0; cell < permutation.size(); ++cell)
        if (contains(cells, permutation[cell])) preimage |= bit(static_cast<int>(cell));
    return preimage;
}

// The cells that lines lack and the maker's marks on these lines determine the state: exactly the lines within these
// cells are open, except for lines that are left out in any case.
BlockingSearch::Key BlockingSearch::key_of(const BlockingState& state) const {
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

std::uint8_t BlockingSearch::tag(const BlockingState& state) const {
    return static_cast<std::uint8_t>(ProofTable::BLOCKING_TAG | state.maker_moves() | index(maker_) << 1);
}

void BlockingSearch::store(const BlockingState& state, const Key& key, ProofNumbers numbers, std::uint64_t work,
                           int move, bool is_final) {
    const int moved = move == NO_CELL ? ProofEntry::NO_MOVE : lowest(image(key.symmetry, bit(move)));
    const auto bounded_work = static_cast<std::uint32_t>(std::min<std::uint64_t>(work, ~0u));
    table_.store(key.words, tag(state),
                 {numbers, bounded_work, static_cast<std::uint16_t>(moved), is_final ? VISITED : std::uint8_t{0}});
}

BlockingSearch::OpenMoves& BlockingSearch::slot_of(const Key& key) {
    const Word mixed = (key.words[0] * 0x9e3779b97f4a7c15u ^ key.words[1]) * 0xbf58476d1ce4e5b9u;
    return known_open_[(mixed >> 40) % OPEN_MOVES_KEPT];
}

// --- states without search ----------------------------------------------------------------------------------------

bool BlockingSearch::sum_is_low(const BlockingState& state) {
    BlockingState::Weights weights;
    const double sum = state.weigh(weights);
    return sum + (state.maker_moves() ? *std::ranges::max_element(weights) : 0) < 1;
}

BlockingSearch::Evaluation BlockingSearch::evaluate(const BlockingState& state, bool with_answers) {
    if (sum_is_low(state)) return {DISPROVED};
    BlockingState::Weights weights;
    const double sum = state.weigh(weights);
    const Word cells = state.cells();
    if (!state.maker_moves()) {
        const auto moves = static_cast<std::uint32_t>(std::popcount(cells));
        return {{std::max(1u, moves / 3), expected_work(sum - *std::ranges::max_element(weights))}};
    }
    if (MakerThreats().find(state.lines())) return {PROVED};
    if (!with_answers) return {{1, expected_work(sum)}, false};
    if (find_sets(state)) return {DISPROVED};
    const Word open = unanswered(state, state.undominated(cells));
    if (!open) return {DISPROVED};
    const auto count = static_cast<std::uint32_t>(std::popcount(open));
    return {{1, std::max(count, expected_work(sum, static_cast<double>(count) / std::popcount(cells)))}, true, open};
}

void BlockingSearch::add_answer(std::vector<Answer>* answers, Word moves, int reply) const {
    if (answers && moves) answers->push_back({moves, reply, sets()});
}

Word BlockingSearch::unanswered(const BlockingState& state, Word moves, std::vector<Answer>* answers) {
    BlockingState::Weights weights;
    state.weigh(weights);
    std::vector<int> good_replies;
    Word open = moves;
    for (const int reply : by_weight(state.cells(), weights)) {
        if (!open) return 0;
        BlockingState after = state;
        after.block(reply);
        if (!find_sets(after)) continue;
        Word unneeded = 0;
        for_each_bit(open & ~bit(reply), 0, [&](int cell) { unneeded |= matching_.needs(cell) ? 0 : bit(cell); });
        add_answer(answers, unneeded, reply);
        open &= ~unneeded;
        good_replies.push_back(reply);
    }
    for (const int reply : good_replies)
        for_each_bit(open & ~bit(reply), 0, [&](int move) {
            BlockingState after = state;
            after.give(bit(move));
            after.block(reply);
            if (after.outcome() != Outcome::OPEN || !find_sets(after)) return;
            add_answer(answers, bit(move), reply);
            open &= ~bit(move);
        });
    return open;
}

// The table does not keep the moves without an answer.
Word BlockingSearch::open_moves(const BlockingState& state, const Key& key) {
    OpenMoves& known = slot_of(key);
    if (known.key != key.words || !known.moves)
        known = {key.words, image(key.symmetry, unanswered(state, state.undominated(state.cells())))};
    return preimage(key.symmetry, known.moves);
}

ProofNumbers BlockingSearch::visit(const BlockingState& state, const Key& key) {
    const auto known = table_.probe(key.words, tag(state));
    if (known && (known->notes & VISITED)) return known->numbers;
    const Evaluation found = evaluate(state, true);
    if (found.open) slot_of(key) = {key.words, image(key.symmetry, found.open)};
    store(state, key, found.numbers, 1, NO_CELL, true);
    return found.numbers;
}

// --- the search ---------------------------------------------------------------------------------------------------

ProofNumbers BlockingSearch::explore(const BlockingState& state, const Key& key, ProofNumbers thresholds,
                                     std::size_t depth, WorkLimit& limit) {
    if (depth >= static_cast<std::size_t>(MAX_RECURSION)) limit.end();
    if (limit.is_spent()) return {};
    const std::uint64_t before = nodes_++;
    limit.count_node();
    expand(state, state.maker_moves() ? open_moves(state, key) : defences(state), depth);
    const bool is_maker = state.maker_moves();
    const std::uint32_t own_threshold = is_maker ? thresholds.proof : thresholds.disproof,
                        other_threshold = is_maker ? thresholds.disproof : thresholds.proof;
    ProofNumbers found;
    Choice choice;
    for (;;) {
        choice = choose(children_[depth]);
        found = is_maker ? ProofNumbers{choice.own, choice.other} : ProofNumbers{choice.other, choice.own};
        if (depth == 0) root_numbers_ = found;
        if (found.is_solved() || choice.own >= own_threshold || choice.other >= other_threshold) break;
        if (limit.poll()) break;
        const std::uint32_t beyond_second = choice.second + (is_maker ? choice.second : choice.second / 4) + 1;
        const std::uint32_t own = std::min({own_threshold, beyond_second, INFINITE});
        const std::uint32_t other =
            other_threshold >= INFINITE ? INFINITE : other_threshold - choice.other + choice.child->other;
        descend(state, *choice.child, is_maker ? ProofNumbers{own, other} : ProofNumbers{other, own}, depth, limit);
    }
    store(state, key, found, nodes_ - before, choice.own == 0 ? choice.child->move : NO_CELL, true);
    return found;
}

// One child is enough to bring `own` to zero, so the least counts; all are needed for `other`, so they add up.
BlockingSearch::Choice BlockingSearch::choose(std::vector<Child>& children) {
    Choice choice;
    for (Child& child : children) {
        const bool is_infinite = std::max(choice.other, child.other) >= INFINITE;
        choice.other = is_infinite ? INFINITE : std::min(choice.other + child.other, INFINITE - 1);
        if (child.own < choice.own) {
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

void BlockingSearch::descend(const BlockingState& state, Child& child, ProofNumbers thresholds, std::size_t depth,
                             WorkLimit& limit) {
    BlockingState after = state;
    after.play(child.move);
    after.play_forced();
    line_.push_back(child.move);
    const ProofNumbers numbers =
        child.is_visited ? explore(after, child.key, thresholds, depth + 1, limit) : visit(after, child.key);
    line_.pop_back();
    child.is_visited = true;
    child.own = state.maker_moves() ? numbers.proof : numbers.disproof;
    child.other = state.maker_moves() ? numbers.disproof : numbers.proof;
}

// The breaker's moves, without those after which the maker wins by threats.
Word BlockingSearch::defences(const BlockingState& state) {
    MakerThreats threats;
    const Word cells = state.cells();
    return state.undominated(threats.find(state.lines()) ? cells & threats.cells() : cells);
}

void BlockingSearch::expand(const BlockingState& state, Word moves, std::size_t depth) {
    BlockingState::Weights weights;
    state.weigh(weights);
    children_[depth].clear();
    bool is_first = true;
    for (const int move : by_weight(moves, weights)) {
        if (add_child(state, move, is_first, depth)) return;
        is_first = false;
    }
}

// Adds a move unless a symmetric one is there; true if it decides.
bool BlockingSearch::add_child(const BlockingState& state, int move, bool is_first, std::size_t depth) {
    const bool is_maker = state.maker_moves();
    BlockingState after = state;
    after.play(move);
    Child child{move, {{0, 0}, 0}, 0, 0, true};
    ProofNumbers numbers;
    if (const Outcome outcome = after.play_forced(); outcome != Outcome::OPEN) {
        numbers = numbers_of(outcome);
    } else {
        child.key = key_of(after);
        const auto is_same = [&](const Child& other) { return other.key.words == child.key.words; };
        if (std::ranges::any_of(children_[depth], is_same)) return false;
        if (const auto known = table_.probe(child.key.words, tag(after))) {
            numbers = known->numbers;
            child.is_visited = known->notes & VISITED;
        } else if (is_first && !is_maker) {
            numbers = visit(after, child.key);
        } else {
            const Evaluation found = evaluate(after, false);
            numbers = found.numbers;
            child.is_visited = found.is_final;
            store(after, child.key, numbers, 1, NO_CELL, found.is_final);
        }
    }
    child.own = is_maker ? numbers.proof : numbers.disproof;
    child.other = is_maker ? numbers.disproof : numbers.proof;
    children_[depth].push_back(child);
    return child.own == 0;
}

}  // namespace noughts
