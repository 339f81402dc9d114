#include "search/line_network.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "search/engine.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr int HEAD = 32;

struct Board {
    int width, height, k;
    bool exact;

    GameData data() const { return board(width, height, k, exact); }
};

int rows_for(const Board& board) { return 1 + std::ranges::max(kinds_of({board.k, board.exact})); }

// A network with random parameters up to `largest`, in the order of the file.
struct Parameters {
    int kinds, lanes;
    std::vector<int> rows, moves, head, head_bias, last;
    int last_bias = -77;

    Parameters(const Board& board, int lane_count, int largest) : Parameters(rows_for(board), lane_count, largest) {}
    Parameters(int kind_count, int lane_count, int largest) : kinds(kind_count), lanes(lane_count) {
        std::mt19937 random(3);
        for (auto [values, count] :
             {std::pair{&rows, kinds * 2 * lanes}, std::pair{&moves, 2 * lanes}, std::pair{&head, HEAD * 2 * lanes},
              std::pair{&head_bias, HEAD}, std::pair{&last, HEAD}})
            for (int i = 0; i < count; ++i) values->push_back(static_cast<int>(random() % (2 * largest + 1)) - largest);
    }

    std::vector<std::uint8_t> bytes(const Board& board) const { return bytes({board.k, board.exact}, 0); }
    std::vector<std::uint8_t> bytes(const Surroundings& kind, std::uint64_t fingerprint) const {
        std::vector<std::uint8_t> bytes = {'N', 'N', 'L', '1'};
        const auto put = [&](int value, int size) {
            for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
        };
        for (int number : {kind.length, static_cast<int>(kind.guarded), static_cast<int>(fingerprint),
                           static_cast<int>(fingerprint >> 32), kinds, lanes, HEAD, 400})
            put(number, 4);
        for (const auto* values : {&rows, &moves, &head, &head_bias, &last})
            for (int value : *values) put(value, 2);
        put(last_bias, 2);
        return bytes;
    }
};

// Reference implementation of the slot features of a cell, from the view of a side.
using KindsOf = std::function<std::vector<int>(const Position&, Side, Cell)>;

// For boards with strips: each cell looks along all four directions.
KindsOf kinds_along_strips(const Board& board) {
    return [board, kinds = kinds_of({board.k, board.exact})](const Position& position, Side side, Cell cell) {
        constexpr int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        const int radius = Surroundings{board.k, board.exact}.radius();
        std::vector<int> found;
        for (const auto& step : STEPS) {
            int number = 0;
            for (int distance = radius; distance >= -radius; --distance) {
                if (distance == 0) continue;
                const int x = cell % board.width + step[0] * distance, y = cell / board.width + step[1] * distance;
                const bool inside = 0 <= x && x < board.width && 0 <= y && y < board.height;
                const Side mark = inside ? position.at(y * board.width + x) : opponent(side);
                number = number * 3 + (mark == NO_SIDE ? 0 : mark == side ? 1 : 2);
            }
            found.push_back(kinds[number]);
        }
        return found;
    };
}

// For any game: the states are summed over all marks.
KindsOf kinds_by_features(std::shared_ptr<const LineFeatures> features) {
    return [features](const Position& position, Side side, Cell cell) {
        const int width = features->slots_of_cell();
        std::vector<std::uint32_t> states(features->start().begin() + cell * width,
                                          features->start().begin() + (cell + 1) * width);
        for (Cell other = 0; other < features->cells(); ++other)
            for (const LineFeatures::View& view : features->views_of(other))
                if (view.cell == cell && position.at(other) != NO_SIDE)
                    states[view.slot - cell * width] += view.added[position.at(other)];
        std::vector<int> found;
        for (std::uint32_t both : states) found.push_back(features->kind(both >> 16 * index(side) & 0xffff));
        return found;
    };
}

// Reference implementation of the network, without updates from position to position.
class SlowNetwork {
  public:
    SlowNetwork(KindsOf kinds, const Parameters& parameters) : kinds_(std::move(kinds)), parameters_(parameters) {}

    int estimate(const Position& position) const {
        const auto own = sums(position, position.turn()), others = sums(position, opponent(position.turn()));
        std::int64_t out = std::int64_t{parameters_.last_bias} * 256;
        for (int k = 0; k < HEAD; ++k) {
            int unit = 0;
            for (int i = 0; i < parameters_.lanes; ++i) {
                unit += ((own[i] + 4) >> 3) * parameters_.head[k * 2 * parameters_.lanes + i];
                unit += ((others[i] + 4) >> 3) * parameters_.head[(k * 2 + 1) * parameters_.lanes + i];
            }
            unit = ((unit + 512) >> 10) + ((parameters_.head_bias[k] + 2) >> 2);
            if (k > 0) unit = std::clamp(unit, 0, 2047);
            out += std::int64_t{unit} * parameters_.last[k];
        }
        return static_cast<int>(std::clamp<std::int64_t>(out * 400 >> 18, -500'000, 500'000));
    }

    int worth(const Position& position, Cell cell) const {
        const Side side = position.turn();
        const auto own = view(position, side, cell), others = view(position, opponent(side), cell);
        int sum = 0;
        for (int i = 0; i < parameters_.lanes; ++i)
            sum += own[i] * parameters_.moves[i] + others[i] * parameters_.moves[parameters_.lanes + i];
        return sum >> 10;
    }

  private:
    std::vector<int> sums(const Position& position, Side side) const {
        std::vector<int> sums(parameters_.lanes);
        for (Cell cell : position.empty_cells()) {
            const auto lanes = view(position, side, cell);
            for (int i = 0; i < parameters_.lanes; ++i) sums[i] += lanes[i];
        }
        return sums;
    }

    std::vector<int> view(const Position& position, Side side, Cell cell) const {
        const int size = parameters_.lanes;
        std::vector<int> lanes(size);
        for (int kind : kinds_(position, side, cell))
            for (int i = 0; i < size; ++i) lanes[i] += parameters_.rows[2 * size * kind + i];
        for (int kind : kinds_(position, opponent(side), cell))
            for (int i = 0; i < size; ++i) lanes[i] += parameters_.rows[2 * size * kind + size + i];
        for (int& lane : lanes) lane = std::clamp(lane, 0, 255);
        return lanes;
    }

    KindsOf kinds_;
    Parameters parameters_;
};

bool is_refused(const std::vector<std::uint8_t>& bytes, const Board& board) {
    GameData data = board.data();
    data.network = bytes;
    try {
        network_of(*make(std::move(data)));
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

constexpr Board FIVE{8, 7, 5, false}, EXACT_FIVE{7, 8, 5, true}, FOUR{6, 7, 4, false};

}  // namespace

TEST("surroundings are of one kind if they give every mark in them the same shapes, and of few kinds") {
    for (const auto& [k, guarded] :
         {std::pair{3, false}, std::pair{5, false}, std::pair{4, true}, std::pair{5, true}}) {
        const Surroundings kind{k, guarded};
        const auto shapes = shapes_in(kind);
        const auto kinds = kinds_of(kind);
        std::map<int, Shape> shape_of;
        for (std::size_t number = 0; number < kinds.size(); ++number)
            CHECK(shape_of.try_emplace(kinds[number], shapes[number]).first->second == shapes[number]);
        CHECK(shape_of.size() < 1300);
    }
}

void check_updates(const std::shared_ptr<const Game>& game, const std::vector<std::uint8_t>& bytes,
                   const SlowNetwork& slow, int steps) {
    const LineNetwork network(bytes, *game);
    LineAccumulator accumulator(network);
    std::mt19937 random(1);
    Position position(game);
    for (int step = 0; step < fewer(steps); ++step) {
        step_randomly(position, random);
        if (position.is_over() || random() % 3 == 0) continue;
        CHECK_EQUAL(accumulator.estimate(position), slow.estimate(position));
        const Cell cell = position.empty_cells().first();
        if (random() % 4 == 0) CHECK_EQUAL(accumulator.worth(position, cell), slow.worth(position, cell));
    }
}

TEST("a network for strips that is updated from position to position agrees with its definition") {
    for (const Board& board : {FIVE, EXACT_FIVE, FOUR})
        for (int lanes : {16, 32}) {
            const Parameters parameters(board, lanes, 300);
            const SlowNetwork slow(kinds_along_strips(board), parameters);
            check_updates(make(board.data()), parameters.bytes(board), slow, 1000);
        }
}

TEST("a network for one game that is updated from position to position agrees with its definition") {
    GameData crossing;  // pairs of cells share several lines, and lines differ in length
    crossing.cells = 9;
    crossing.lines = {{{0, 1, 2, 3}, {4}}, {{0, 1, 4}, {}}, {{1, 2, 5, 6}, {}}, {{0, 2, 7}, {8}}, {{3, 6, 8}, {}}};
    crossing.weights.line = {0, 1, 4, 16, 64};
    GameData wide = cube(3);
    for (int i = 0; i < 120; ++i) wide.lines.push_back({{0, 1 + i % 26, 1 + (i + 1 + i / 26) % 26}, {}});
    for (GameData data : {cube(4), board(7, 6, 4, false, true), board(4, 4, 3), board(5, 5, 4, true), crossing, wide}) {
        const auto game = make(std::move(data));
        const auto features = LineFeatures::of(*game, LineFeatures::Scope::GAME);
        const Parameters parameters(features->kinds(), 16, 100);
        const SlowNetwork slow(kinds_by_features(features), parameters);
        check_updates(game, parameters.bytes(features->surroundings(), game->fingerprint()), slow, 200);
    }
}

TEST("cells see the marks of their lines, what they rest on, and whether guards spoil a line") {
    const auto kinds = [](const GameData& data, std::initializer_list<Cell> moves, Side side, Cell cell) {
        const auto game = make(data);
        const auto features = LineFeatures::of(*game, LineFeatures::Scope::GAME);
        auto found = kinds_by_features(features)(played(game, moves), side, cell);
        std::ranges::sort(found);
        return found;
    };
    // Without strips, only the numbers of marks in lines count.
    CHECK(kinds(cube(4), {1, 6}, X, 0) == kinds(cube(4), {2, 6}, X, 0));
    CHECK(kinds(cube(4), {1, 6}, X, 0) == kinds(cube(4), {4, 6}, X, 0));
    CHECK(kinds(cube(4), {1, 6}, X, 0) != kinds(cube(4), {1, 6}, O, 0));
    CHECK(kinds(cube(4), {1, 6}, X, 0) != kinds(cube(4), {1, 2}, X, 0));
    // Symmetric cells have the same place; cells that are not symmetric do not.
    CHECK(kinds(cube(4), {}, X, 0) == kinds(cube(4), {}, X, 63));
    CHECK(kinds(cube(4), {}, X, 0) != kinds(cube(4), {}, X, 1));
    // With gravity, the number of filled cells below a cell counts, and whose view it is.
    const GameData falling = board(7, 6, 4, false, true);
    CHECK(kinds(falling, {}, X, 0) == kinds(falling, {}, X, 6));
    CHECK(kinds(falling, {}, X, 0) != kinds(falling, {}, O, 0));
    CHECK(kinds(falling, {35}, X, 0) != kinds(falling, {}, X, 0));
    GameData guarded;
    guarded.cells = 5;
    guarded.lines = {{{0, 1, 2}, {4}}};
    guarded.weights.line = {0, 1, 4, 16};
    CHECK(kinds(guarded, {4, 3}, X, 0) != kinds(guarded, {3, 4}, X, 0));
    CHECK(kinds(guarded, {3, 4}, X, 0) == kinds(guarded, {}, X, 0));
}

TEST("a network that is broken or for other lines or another game is refused") {
    const auto good = Parameters(FIVE, 32, 300).bytes(FIVE);
    CHECK(!is_refused(good, FIVE));
    CHECK(!is_refused(good, {15, 15, 5, false}));
    CHECK(is_refused(good, EXACT_FIVE));
    CHECK(is_refused(good, FOUR));
    CHECK(is_refused(good, {3, 3, 3, false}));
    CHECK(is_refused(std::vector<std::uint8_t>(good.begin(), good.end() - 1), FIVE));
    CHECK(is_refused(Parameters(FIVE, 24, 300).bytes(FIVE), FIVE));
    CHECK(is_refused(Parameters(FIVE, 32, 32767).bytes(FIVE), FIVE));
    const auto game = make(FIVE.data());
    const int kinds = LineFeatures::of(*game, LineFeatures::Scope::GAME)->kinds();
    CHECK(!is_refused(Parameters(kinds, 32, 300).bytes({5, false}, game->fingerprint()), FIVE));
    CHECK(is_refused(Parameters(kinds, 32, 300).bytes({5, false}, game->fingerprint()), {15, 15, 5, false}));
    CHECK(is_refused(Parameters(kinds + 1, 32, 300).bytes({5, false}, game->fingerprint()), FIVE));
}

TEST("an engine searches with a network for strips") {
    GameData data = board(15, 15, 5);
    data.network = Parameters({15, 15, 5, false}, 32, 100).bytes({15, 15, 5, false});
    const auto game = make(std::move(data));
    Engine engine(1, 1), other(1, 1);
    const Report report = engine.search(Position(game), {.nodes = 2000}, 1, {}, {});
    CHECK_EQUAL(other.search(Position(game), {.nodes = 2000}, 1, {}, {}).lines[0].score, report.lines[0].score);
    CHECK(report.nodes >= 2000);
}
