#include "search/block_network.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "search/engine.hpp"
#include "search/evaluate.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

void put(std::vector<std::uint8_t>& bytes, std::int64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

// A network with random parameters up to `largest`.
std::vector<std::uint8_t> random_network(int blocks, int largest) {
    constexpr int FIRST = 8, SECOND = 4, LANES = 32, HEAD = 16;
    std::vector<std::uint8_t> bytes = {'N', 'N', 'N', '2'};
    for (int number : {blocks, blocks, 1000, LANES, HEAD, 2, FIRST, SECOND}) put(bytes, number, 4);
    const int parameters = 2 * blocks * FIRST + FIRST + FIRST * SECOND + SECOND + (blocks + 2) * SECOND * LANES +
                           blocks * 3 * LANES + 4 * (blocks + 1) * LANES + HEAD * 2 * LANES + HEAD + HEAD + 1;
    std::mt19937 random(7);
    for (int i = 0; i < parameters; ++i) put(bytes, static_cast<int>(random() % (2 * largest + 1)) - largest, 2);
    return bytes;
}

std::shared_ptr<const Game> game_with(int n, std::vector<std::uint8_t> network) {
    GameData data = ultimate(n);
    data.network = std::move(network);
    return make(std::move(data));
}

bool is_refused(const std::vector<std::uint8_t>& bytes) {
    const auto game = make(ultimate(3));
    try {
        BlockNetwork network(bytes, *game);
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

TEST("an evaluator that is updated from position to position agrees with a fresh one") {
    const auto game = game_with(3, random_network(9, 700));
    std::mt19937 random(1);
    Position position(game);
    NetworkEvaluator evaluator(network_of(*game));
    for (int step = 0; step < 3000; ++step) {
        step_randomly(position, random);
        if (!position.is_over())
            CHECK_EQUAL(evaluator.evaluate(position), NetworkEvaluator(network_of(*game)).evaluate(position));
    }
}

TEST("a network that is broken or for another game is refused") {
    const auto good = random_network(9, 700);
    CHECK(!is_refused(good));
    CHECK(is_refused({}));
    CHECK(is_refused(random_network(16, 700)));
    CHECK(is_refused(std::vector<std::uint8_t>(good.begin(), good.end() - 1)));
    auto longer = good;
    longer.push_back(0);
    CHECK(is_refused(longer));
    auto other = good;
    other[0] = 'M';
    CHECK(is_refused(other));
}

TEST("a network whose sums could overflow is refused") { CHECK(is_refused(random_network(9, 32767))); }

TEST("an engine that has searched other games searches like a fresh one") {
    const auto first = game_with(3, random_network(9, 700)), second = game_with(3, random_network(9, 500)),
               third = make(ultimate(3));
    Engine engine(1, 1);
    for (const auto& game : {first, second, first, third, second}) {
        Engine fresh(1, 1);
        engine.clear();
        const Report report = engine.search(Position(game), {.nodes = 3000}, 1, {}, {}),
                     other = fresh.search(Position(game), {.nodes = 3000}, 1, {}, {});
        CHECK_EQUAL(report.lines[0].move, other.lines[0].move);
        CHECK_EQUAL(report.lines[0].score, other.lines[0].score);
        CHECK_EQUAL(report.depth, other.depth);
    }
}

TEST("the claims of a search with any network are true before its end") {
    const auto game = game_with(3, random_network(9, 700)), plain = make(ultimate(3));
    std::mt19937 random(5);
    const int rounds = SLOWNESS > 1 ? 20 : 40;
    int claims = 0;
    for (int round = 0; round < rounds; ++round) {
        Position position(game), same(plain);
        while (!position.is_over() && position.now().free > 24) {
            const Cell move = random_move(position, random);
            position.play(move);
            same.play(move);
        }
        if (position.is_over()) continue;
        Engine thorough(1, 4);
        const RootVariation truth = thorough.search(same, {}, 1, {}, {}).lines[0];
        CHECK(truth.proven);
        for (std::uint64_t nodes : {100, 1000, 10'000}) {
            Engine engine(1, 1);
            const RootVariation claim = engine.search(position, {.nodes = nodes}, 1, {}, {}).lines[0];
            if (!claim.proven) continue;
            ++claims;
            CHECK_EQUAL(is_win(claim.score), is_win(truth.score));
            CHECK_EQUAL(is_loss(claim.score), is_loss(truth.score));
        }
    }
    CHECK(claims > rounds / 3);
}
