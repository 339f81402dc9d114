#include "solve/breaker/breaker_search.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "rules/symmetry.hpp"
#include "solve/parallel/search_team.hpp"
#include "solve/solver.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Reference implementation of the Maker-Breaker game.
class BruteForce {
  public:
    BruteForce(const Game& game, Side maker) : game_(game), maker_(maker) {}

    bool maker_wins(const Position& position) {
        return maker_wins(position.marks(maker_).word(0), position.marks(opponent(maker_)).word(0),
                          position.turn() == maker_);
    }

  private:
    bool maker_wins(Word maker, Word breaker, bool maker_moves) {
        for (int i = 0; i < game_.lines(); ++i)
            if (std::ranges::all_of(game_.line_cells(i), [&](int cell) { return contains(maker, cell); })) return true;
        const auto [found, is_new] = known_.try_emplace({maker, breaker}, false);
        if (!is_new) return found->second;
        bool maker_has_move = false, breaker_has_move = false;
        for (int cell = 0; cell < game_.cells(); ++cell) {
            if (contains(maker | breaker, cell)) continue;
            const bool wins = maker_moves ? maker_wins(maker | bit(cell), breaker, false)
                                          : maker_wins(maker, breaker | bit(cell), true);
            (wins ? maker_has_move : breaker_has_move) = true;
        }
        return known_[{maker, breaker}] = maker_moves ? maker_has_move : maker_has_move && !breaker_has_move;
    }

    const Game& game_;
    Side maker_;
    std::map<std::pair<Word, Word>, bool> known_;
};

GameData random_lines(std::mt19937& random) {
    GameData data;
    data.cells = 12;
    for (int i = 0; i < 14; ++i) {
        std::vector<int> cells(12);
        for (int cell = 0; cell < 12; ++cell) cells[cell] = cell;
        std::ranges::shuffle(cells, random);
        cells.resize(3 + random() % 2);
        std::ranges::sort(cells);
        if (std::ranges::find(data.lines, cells, &LineData::cells) == data.lines.end())
            data.lines.push_back({cells, {}});
    }
    return data;
}

// Compares the search with brute force. Returns how often the breaker won.
int check_random_positions(const std::shared_ptr<const Game>& game, int free, int positions, std::mt19937& random) {
    const Symmetry symmetry(*game, {});
    int held = 0;
    for (int i = 0; i < positions; ++i) {
        const Position position = random_ending(game, free, random);
        if (position.is_over()) continue;
        for (const Side maker : BOTH_SIDES) {
            ProofTable table(BreakerSearch::KEY_WORDS, 1);
            BreakerSearch search(position, symmetry, table);
            WorkLimit limit;
            const ProofNumbers numbers = search.search(maker, limit);
            CHECK(numbers.is_solved());
            CHECK(numbers.is_proved() == BruteForce(*game, maker).maker_wins(position));
            held += !numbers.is_proved();
        }
    }
    return held;
}

}  // namespace

TEST("the search finds who wins the Maker-Breaker game, as brute force does") {
    std::mt19937 random(5);
    int held = 0;
    for (int i = 0; i < fewer(60); ++i) held += check_random_positions(make(random_lines(random)), 10, 2, random);
    CHECK(held > 10 / SLOWNESS);
    const int endings = SLOWNESS > 1 ? 6 : 30;
    held = check_random_positions(make(board(5, 4, 4)), 10, endings, random);
    CHECK(held > endings / 2);
    held = check_random_positions(make(board(4, 3, 3)), 10, endings, random);
    CHECK(held < 2 * endings);
}

TEST("several threads agree with one on who wins the Maker-Breaker game, also where there are many threats") {
    std::mt19937 random(10);
    const auto game = make(board(6, 6, 4));
    const Symmetry symmetry(*game, {});
    int held = 0, positions = 0;
    for (int i = 0; i < fewer(60); ++i) {
        const Position position = random_ending(game, 20 + i % 6, random);
        if (position.is_over()) continue;
        for (const Side maker : BOTH_SIDES) {
            ProofTable table(BreakerSearch::KEY_WORDS, 1), shared(BreakerSearch::KEY_WORDS, 1, 3);
            WorkLimit limit, together_limit;
            const bool wins = BreakerSearch(position, symmetry, table).search(maker, limit).is_proved();
            SearchTeam<BreakerSearch> team;
            team.form(3, [&](PositionsInProgress* in_progress) {
                return std::make_unique<BreakerSearch>(position, symmetry, shared, in_progress);
            });
            const ProofNumbers together = team.search(maker, together_limit);
            CHECK(together.is_solved());
            CHECK_EQUAL(together.is_proved(), wins);
            held += !wins;
            ++positions;
        }
    }
    CHECK(held > 0);
    CHECK(held < positions);
}

TEST("a line that lacks all the cells that another one lacks is left out") {
    const auto game = make(board(3, 3, 3));
    Position position(game);
    position.play(4);  // the lines through the centre lack two cells each
    position.play(0);
    BreakerState state(position, X);
    CHECK(state.lines().size() == 5);
    state.play(1);  // the middle column now lacks one cell, which the bottom row lacks too
    CHECK(state.lines().size() == 4);
    CHECK(!state.maker_moves());
    CHECK(state.play_forced() == BreakerState::Outcome::OPEN);
    CHECK(state.maker_moves());
    CHECK(!contains(state.cells(), 7));
}

TEST("a draw by the Maker-Breaker game has a certificate that says so") {
    const auto game = make(board(7, 7, 5));
    const Symmetry symmetry(*game, {});
    Solver solver(Position(game), symmetry, 16);
    const SolveResult result = solver.solve({});
    CHECK(result.lower == 0);
    CHECK(result.upper == 0);
    const Certificate certificate = solver.certificate();
    CHECK(certificate.text.find("claim O block") != std::string::npos);
}
