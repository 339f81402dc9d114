#include "solve/narrow_win/narrow_win_search.hpp"

#include <algorithm>
#include <cassert>

#include "support/stack.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr ProofNumbers UNTIL_WON{INFINITE, INFINITE};
constexpr int OUT_OF_REACH = 1000;  // missing marks of a side without an open line
constexpr int BY_COUNTING = 20;     // guess of the missing marks where only the number of won blocks can decide

}  // namespace

NarrowWinSearch::NarrowWinSearch(const Position& position, const Symmetry& symmetry, std::size_t megabytes)
    : symmetry_(symmetry),
      canonical_(std::in_place, position, symmetry),
      table_(canonical_->key_words(), megabytes),
      lines_in_(position.game().blocks()),
      children_(position.game().cells() + 1),
      keys_(position.game().cells() + 1),
      key_(canonical_->key_words()) {
    const Game& game = position.game();
    assert(!game.has_one_block());
    for (int i = 0; i < game.lines(); ++i) lines_in_[game.block_of(game.line_cells(i).front())].push_back(i);
}

ProofNumbers NarrowWinSearch::search(Side attacker, WorkLimit& limit) {
    attacker_ = attacker;
    const ProofNumbers known = numbers();
    return known.is_solved() ? known : explore(UNTIL_WON, 0, limit);
}

int NarrowWinSearch::winning_attack(WorkLimit& limit) {
    assert(is_attacking());
    if (const int move = winning_move(position()); move != NO_CELL) return move;
    if (const int move = table_move(); move != NO_CELL) return move;
    explore(UNTIL_WON, 0, limit);
    return table_move();
}

// The move of the table entry; NO_CELL if it is not legal, since the table may come from a file.
int NarrowWinSearch::table_move() {
    const int symmetry = canonical_->write_key(key_);
    const auto known = table_.probe(key_, tag());
    if (!known || !known->numbers.is_proved() || known->move == ProofEntry::NO_MOVE) return NO_CELL;
    const int move = canonical_->cell_of(symmetry, known->move);
    return position().is_legal(move) ? move : NO_CELL;
}

void NarrowWinSearch::store(ProofNumbers numbers, std::uint64_t work, int move) {
    const int symmetry = canonical_->write_key(key_);
    const int image = move == NO_CELL ? ProofEntry::NO_MOVE : canonical_->image_of(symmetry, move);
    const auto bounded_work = static_cast<std::uint32_t>(std::min<std::uint64_t>(work, ~0u));
    table_.store(key_, tag(), {numbers, bounded_work, static_cast<std::uint16_t>(image), 0});
}

// --- positions without search -------------------------------------------------------------------------------------

// Returns the numbers of the position from the table, or a first guess. Leaves the key in key_.
ProofNumbers NarrowWinSearch::numbers() {
    canonical_->write_key(key_);
    const auto known = table_.probe(key_, tag());
    return known ? known->numbers : evaluate();
}

// A first guess: the more replies and the more missing marks, the harder the win. The weights were measured on
// ultimate:3+open.
ProofNumbers NarrowWinSearch::evaluate() const {
    const Game& game = position().game();
    if (position().is_over()) return position().winner() == attacker_ ? PROVED : DISPROVED;
    if (winning_move(position()) != NO_CELL) return is_attacking() ? PROVED : DISPROVED;
    int missing = marks_missing(game.misere() ? opponent(attacker_) : attacker_);
    if (missing >= OUT_OF_REACH) {
        if (!game.counts_blocks()) return DISPROVED;
        missing = BY_COUNTING;
    }
    const auto work = static_cast<std::uint32_t>(game.misere() ? 0 : missing);
    const auto moves = static_cast<std::uint32_t>(position().count_legal());
    return is_attacking() ? ProofNumbers{1 + work, moves} : ProofNumbers{moves + work, 1};
}

// The least number of marks by which `side` could complete an outer line if the other side never moved.
int NarrowWinSearch::marks_missing(Side side) const {
    int least = OUT_OF_REACH;
    for (const Word blocks : position().game().outer_masks()) {
        int sum = 0;
        for_each_bit(blocks, 0, [&](int block) { sum += sum < least ? marks_missing_in(block, side) : 0; });
        least = std::min(least, sum);
    }
    return least;
}

int NarrowWinSearch::marks_missing_in(Block block, Side side) const {
    if (position().is_decided(block)) return position().owner(block) == owned_by(side) ? 0 : OUT_OF_REACH;
    int least = OUT_OF_REACH;
    for (const int i : lines_in_[block]) {
        const LineState line = position().line(i);
        if (marks_of(line, opponent(side)) > 0) continue;
        least = std::min(least, static_cast<int>(position().game().line_cells(i).size()) - marks_of(line, side));
    }
    return least;
}

// --- the search ---------------------------------------------------------------------------------------------------

// Searches the position until its numbers reach the thresholds, it is solved or the limit ends the search. Stores and
// returns the numbers.
ProofNumbers NarrowWinSearch::explore(ProofNumbers thresholds, std::size_t depth, WorkLimit& limit) {
    if (depth >= static_cast<std::size_t>(MAX_RECURSION)) limit.end();
    if (limit.must_end()) return {};
    const std::uint64_t before = nodes_++;
    limit.count_node();
    expand(depth);
    auto& children = children_[depth];
    const bool attacking = is_attacking();
    const auto [own_threshold, other_threshold] = thresholds.for_mover(attacking);
    ProofNumbers found;
    Choice choice;
    for (;;) {
        choice = choose(children);
        found = ProofNumbers{choice.own, choice.other}.for_mover(attacking);
        if (depth == 0) root_numbers_ = found;
        if (found.reach(thresholds) || limit.must_end()) break;
        // The threshold is a little above the second best, to avoid jumping between moves that look alike.
        const std::uint32_t own = std::min(own_threshold, choice.second + choice.second / 4 + 1);
        const std::uint32_t other = other_threshold >= INFINITE ? INFINITE : other_threshold - choice.rest;
        const std::size_t chosen = choice.child - children.data();
        const ProofNumbers next = ProofNumbers{own, other}.for_mover(attacking);
        set_numbers(children[chosen], descend(choice.child->move, next, depth, limit), attacking);
    }
    store(found, nodes_ - before, choice.own == 0 ? choice.child->move : NO_CELL);
    return found;
}

ProofNumbers NarrowWinSearch::descend(int move, ProofNumbers thresholds, std::size_t depth, WorkLimit& limit) {
    canonical_->play(move);
    path_.push_back(move);
    const ProofNumbers numbers = explore(thresholds, depth + 1, limit);
    path_.pop_back();
    canonical_->undo();
    return numbers;
}

// One child must bring `own` to zero, so the least `own` counts. All must bring `other` to zero: the largest counts in
// full, and every other open child as 1.
NarrowWinSearch::Choice NarrowWinSearch::choose(const std::vector<Child>& children) {
    Choice choice;
    std::uint32_t open = 0;
    for (const Child& child : children) {
        choice.other = std::max(choice.other, child.other);
        open += child.other > 0 ? 1 : 0;
        if (child.own < choice.own) {
            choice.second = choice.own;
            choice.own = child.own;
            choice.child = &child;
        } else {
            choice.second = std::min(choice.second, child.own);
        }
    }
    choice.rest = open > 0 ? open - 1 : 0;
    if (choice.own == 0) choice.other = INFINITE;
    if (choice.other < INFINITE) choice.other = std::min(choice.other + choice.rest, INFINITE - 1);
    if (choice.own == INFINITE) choice.other = 0;
    return choice;
}

// --- children -----------------------------------------------------------------------------------------------------

void NarrowWinSearch::expand(std::size_t depth) {
    const bool attacking = is_attacking();
    auto& children = children_[depth];
    children.clear();
    keys_[depth].clear();
    for (const int move : moves_to_try()) {
        canonical_->play(move);
        const auto [own, other] = numbers().for_mover(attacking);
        canonical_->undo();
        if (contains_key(keys_[depth], key_)) continue;
        keys_[depth].insert(keys_[depth].end(), key_.begin(), key_.end());
        children.push_back({move, own, other});
        if (children.back().own == 0) return;
    }
}

std::vector<int> NarrowWinSearch::moves_to_try() {
    std::vector<int> moves, replies;
    position().for_each_legal([&](int move) { moves.push_back(move); });
    if (!is_attacking()) return moves;
    for (const int move : moves) {
        const ScopedMove played(canonical_->position(), move);
        replies.push_back(position().count_legal());
    }
    const int fewest = *std::ranges::min_element(replies);
    const auto taking = position().completing_cells(attacker_);
    std::vector<int> narrow;
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (replies[i] == fewest || taking.contains(moves[i])) narrow.push_back(moves[i]);
    return narrow;
}

}  // namespace noughts
