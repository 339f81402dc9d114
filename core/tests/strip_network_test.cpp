#include "search/strip_network.hpp"

#include <algorithm>
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
    int lanes;
    std::vector<int> rows, moves, head, head_bias, last;
    int last_bias = -77;

    Parameters(const Board& board, int lane_count, int largest) : lanes(lane_count) {
        std::mt19937 random(3);
        for (auto [values, count] :
             {std::pair{&rows, rows_for(board) * 2 * lanes}, std::pair{&moves, 2 * lanes},
              std::pair{&head, HEAD * 2 * lanes}, std::pair{&head_bias, HEAD}, std::pair{&last, HEAD}})
            for (int i = 0; i < count; ++i) values->push_back(static_cast<int>(random() % (2 * largest + 1)) - largest);
    }

    std::vector<std::uint8_t> bytes(const Board& board) const {
        std::vector<std::uint8_t> bytes = {'N', 'N', 'S', '1'};
        const auto put = [&](int value, int size) {
            for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
        };
        for (int number : {board.k, static_cast<int>(board.exact), rows_for(board), lanes, HEAD, 400}) put(number, 4);
        for (const auto* values : {&rows, &moves, &head, &head_bias, &last})
            for (int value : *values) put(value, 2);
        put(last_bias, 2);
        return bytes;
    }
};

// The same network by its definition: every cell of every position is looked at along all four directions.
class SlowNetwork {
  public:
    SlowNetwork(const Board& board, const Parameters& parameters)
        : board_(board), kind_({board.k, board.exact}), kinds_(kinds_of(kind_)), parameters_(parameters) {}

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
        std::vector<int> lanes(parameters_.lanes);
        constexpr int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        for (const auto& step : STEPS) {
            const int *own = row(position, side, cell, step), *others = row(position, opponent(side), cell, step);
            for (int i = 0; i < parameters_.lanes; ++i) lanes[i] += own[i] + others[parameters_.lanes + i];
        }
        for (int& lane : lanes) lane = std::clamp(lane, 0, 255);
        return lanes;
    }

    const int* row(const Position& position, Side side, Cell cell, const int (&step)[2]) const {
        const int radius = kind_.radius();
        int number = 0;
        for (int distance = radius; distance >= -radius; --distance) {
            if (distance == 0) continue;
            const int x = cell % board_.width + step[0] * distance, y = cell / board_.width + step[1] * distance;
            const bool inside = 0 <= x && x < board_.width && 0 <= y && y < board_.height;
            const Side mark = inside ? position.at(y * board_.width + x) : opponent(side);
            number = number * 3 + (mark == NO_SIDE ? 0 : mark == side ? 1 : 2);
        }
        return &parameters_.rows[static_cast<std::size_t>(kinds_[number]) * 2 * parameters_.lanes];
    }

    Board board_;
    Surroundings kind_;
    std::vector<std::uint16_t> kinds_;
    Parameters parameters_;
};

void step_randomly(Position& position, std::mt19937& random) {
    if (position.ply() > 0 && (position.is_over() || random() % 3 == 0)) {
        for (int plies = 1 + static_cast<int>(random() % position.ply()) % 6; plies > 0; --plies) position.undo();
        return;
    }
    std::vector<int> moves;
    position.for_each_legal([&](int cell) { moves.push_back(cell); });
    position.play(moves[random() % moves.size()]);
}

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

TEST("a strip network that is updated from position to position agrees with its definition") {
    for (const Board& board : {FIVE, EXACT_FIVE, FOUR})
        for (int lanes : {16, 32}) {
            const Parameters parameters(board, lanes, 300);
            const SlowNetwork slow(board, parameters);
            const auto game = make(board.data());
            const StripNetwork network(parameters.bytes(board), *game);
            StripAccumulator accumulator(network);
            std::mt19937 random(1);
            Position position(game);
            for (int step = 0; step < fewer(1000); ++step) {
                step_randomly(position, random);
                if (position.is_over() || random() % 3 == 0) continue;
                CHECK_EQUAL(accumulator.estimate(position), slow.estimate(position));
                const Cell cell = position.empty_cells().first();
                if (random() % 4 == 0) CHECK_EQUAL(accumulator.worth(position, cell), slow.worth(position, cell));
            }
        }
}

TEST("a strip network that is broken or for other lines is refused") {
    const auto good = Parameters(FIVE, 32, 300).bytes(FIVE);
    CHECK(!is_refused(good, FIVE));
    CHECK(!is_refused(good, {15, 15, 5, false}));
    CHECK(is_refused(good, EXACT_FIVE));
    CHECK(is_refused(good, FOUR));
    CHECK(is_refused(good, {3, 3, 3, false}));
    CHECK(is_refused(std::vector<std::uint8_t>(good.begin(), good.end() - 1), FIVE));
    CHECK(is_refused(Parameters(FIVE, 24, 300).bytes(FIVE), FIVE));
    CHECK(is_refused(Parameters(FIVE, 32, 32767).bytes(FIVE), FIVE));
}

TEST("an engine searches with a strip network") {
    GameData data = board(15, 15, 5);
    data.network = Parameters({15, 15, 5, false}, 32, 100).bytes({15, 15, 5, false});
    const auto game = make(std::move(data));
    Engine engine(1, 1), other(1, 1);
    const Report report = engine.search(Position(game), {.nodes = 2000}, 1, {}, {});
    CHECK_EQUAL(other.search(Position(game), {.nodes = 2000}, 1, {}, {}).lines[0].score, report.lines[0].score);
    CHECK(report.nodes >= 2000);
}
