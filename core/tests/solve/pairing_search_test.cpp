#include "solve/static_draw/pairing_search.hpp"

#include <algorithm>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "rules/symmetry.hpp"
#include "solve/breaker/breaker_search.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

Word cells_of(const std::vector<int>& set) {
    Word cells = 0;
    for (const int cell : set) cells |= bit(cell);
    return cells;
}

// Whether the sets stop all lines by the rules of docs/proof-format.md; at most one set may have more than two cells.
bool stop_all(const std::vector<std::vector<int>>& sets, std::span<const OpenLine> lines) {
    Word all = 0, larger = 0;
    for (const auto& set : sets) {
        if (set.size() < 2 || set.size() > SetMatching::MOST_CELLS || (all & cells_of(set))) return false;
        all |= cells_of(set);
        if (set.size() > 2) larger |= cells_of(set);
    }
    std::vector<Word> parts;
    for (const OpenLine& line : lines)
        if (std::ranges::none_of(
                sets, [&](const auto& set) { return set.size() == 2 && (cells_of(set) & ~line.cells) == 0; }))
            parts.push_back(line.cells & larger);
    return parts.empty() || (std::ranges::find(parts, Word{0}) == parts.end() && SetGame().breaker_wins(parts));
}

BreakerState random_state(const std::shared_ptr<const Game>& game, int free, std::mt19937& random) {
    return BreakerState(random_ending(game, free, random), O);
}

}  // namespace

TEST("pairs and a larger set that a local search finds stop all lines") {
    std::mt19937 random(2);
    PairingSearch search;
    int found = 0, larger = 0;
    const auto game = make(board(8, 8, 5));
    for (int i = 0; i < 300; ++i) {
        const BreakerState state = random_state(game, 34 + i % 9, random);
        if (!search.find(state.lines(), 300)) continue;
        ++found;
        CHECK_EQUAL(search.shortfall(), 0);
        const auto sets = search.sets();
        CHECK(stop_all(sets, state.lines()));
        Word cells = 0;
        for (const auto& set : sets) cells |= cells_of(set);
        CHECK(cells == search.needed());
        larger += std::ranges::any_of(sets, [](const auto& set) { return set.size() > 2; });
    }
    CHECK(found > 20);
    CHECK(found < 300);
    CHECK(larger > 3);
}

TEST("a local search finds more pairings than a matching of groups") {
    std::mt19937 random(3);
    const auto game = make(board(8, 8, 5));
    PairingSearch search;
    SetMatching matching(*game);
    int by_search = 0, by_matching = 0;
    for (int i = 0; i < 200; ++i) {
        const Position position = random_ending(game, 40, random);
        search.reset();
        by_search += search.find(BreakerState(position, O).lines(), 1000);
        by_matching += matching.find(position, O);
    }
    CHECK(by_matching > 5);
    CHECK(2 * by_search >= 3 * by_matching);
}

TEST("a search for pairs after a reset does not depend on those before") {
    std::mt19937 random(4);
    const auto game = make(board(8, 7, 5));
    PairingSearch used;
    for (int i = 0; i < 50; ++i) {
        const BreakerState state = random_state(game, 40, random);
        PairingSearch fresh;
        used.reset();
        CHECK_EQUAL(used.find(state.lines(), 200), fresh.find(state.lines(), 200));
        CHECK(used.sets() == fresh.sets());
        CHECK(used.misses() == fresh.misses());
    }
}

TEST("a line of one cell has no pair") {
    const OpenLine lines[] = {{0b11, 0}, {0b100, 1}};
    CHECK(!PairingSearch().find(lines, 100));
    CHECK(PairingSearch().find(std::span(lines).first(1), 100));
    CHECK(PairingSearch().find({}, 100));
}

TEST("answers to the maker's moves hold, and are the same whichever way the board is turned") {
    std::mt19937 random(6);
    const auto game = make(board(7, 7, 5));
    const Symmetry symmetry(*game, {});
    int answered = 0;
    std::vector<int> cells(49);
    for (int cell = 0; cell < 49; ++cell) cells[cell] = cell;
    for (int i = 0; i < fewer(40); ++i) {
        std::ranges::shuffle(cells, random);
        Position position(game), turned(game);
        for (const int cell : std::span(cells).first(10)) {
            position.play(cell);
            turned.play(symmetry.elements()[1][cell]);
        }
        ProofTable table(BreakerSearch::KEY_WORDS, 1);
        BreakerSearch search(position, symmetry, table);
        WorkLimit limit;
        const BreakerState state(position, position.turn());
        if (state.outcome() != BreakerState::Outcome::OPEN) continue;
        const auto [answers, open] = search.find_answers(state, limit);
        std::vector<int> sizes;
        for (const auto& answer : answers) {
            BreakerState after = state;
            after.give(answer.moves);
            after.play_breaker(answer.reply);
            CHECK(!contains(answer.moves, answer.reply));
            CHECK(stop_all(answer.sets, after.lines()));
            sizes.push_back(std::popcount(answer.moves));
        }
        answered += !answers.empty();
        const auto again = search.find_answers(BreakerState(turned, turned.turn()), limit);
        CHECK_EQUAL(std::popcount(again.open), std::popcount(open));
        CHECK_EQUAL(again.answers.size(), sizes.size());
    }
    CHECK(answered > 10 / SLOWNESS);
}
