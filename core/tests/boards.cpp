#include "boards.hpp"

#include <set>

namespace noughts::testing {
namespace {

constexpr int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
const std::vector<int> WEIGHTS = {0, 1, 4, 16, 64, 256};

}  // namespace

GameData board(int width, int height, int k, bool exact, bool gravity) {
    GameData data;
    data.cells = width * height;
    auto inside = [&](int x, int y) { return 0 <= x && x < width && 0 <= y && y < height; };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (auto [dx, dy] : STEPS) {
                if (!inside(x + dx * (k - 1), y + dy * (k - 1))) continue;
                LineData line;
                for (int i = 0; i < k; ++i) line.cells.push_back((y + dy * i) * width + x + dx * i);
                for (int i : {-1, k})
                    if (exact && inside(x + dx * i, y + dy * i))
                        line.guards.push_back((y + dy * i) * width + x + dx * i);
                data.lines.push_back(line);
            }
    if (gravity) {
        data.rests_on.resize(data.cells);
        for (int cell = 0; cell + width < data.cells; ++cell) data.rests_on[cell] = {cell + width};
    }
    data.weights.line = WEIGHTS;
    return data;
}

GameData wrapped(int width, int height, int k, bool exact) {
    GameData data;
    data.cells = width * height;
    std::set<std::set<int>> seen;
    for (int cell = 0; cell < data.cells; ++cell)
        for (auto [dx, dy] : STEPS) {
            const auto at = [&, dx = dx, dy = dy](int i) {
                return (cell / width + dy * i + height * k) % height * width + (cell % width + dx * i + width) % width;
            };
            LineData line;
            for (int i = 0; i < k; ++i) line.cells.push_back(at(i));
            if (exact) line.guards = {at(-1), at(k)};
            const std::set<int> cells(line.cells.begin(), line.cells.end());
            if (static_cast<int>(cells.size()) == k && seen.insert(cells).second) data.lines.push_back(line);
        }
    data.weights.line = WEIGHTS;
    return data;
}

GameData cube(int n) {
    GameData data;
    data.cells = n * n * n;
    std::set<std::set<int>> seen;
    for (int cell = 0; cell < data.cells; ++cell)
        for (int step = 0; step < 27; ++step) {
            const int d[3] = {step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
            const int at[3] = {cell % n, cell / n % n, cell / n / n};
            LineData line;
            for (int i = 0; i < n && step != 13; ++i) {
                int p[3];
                bool inside = true;
                for (int axis = 0; axis < 3; ++axis) {
                    p[axis] = at[axis] + d[axis] * i;
                    inside &= 0 <= p[axis] && p[axis] < n;
                }
                if (inside) line.cells.push_back(p[0] + n * (p[1] + n * p[2]));
            }
            if (static_cast<int>(line.cells.size()) == n && seen.insert({line.cells.begin(), line.cells.end()}).second)
                data.lines.push_back(line);
        }
    data.weights.line = WEIGHTS;
    return data;
}

GameData ultimate(int n) {
    const GameData block = board(n, n, n);
    GameData data;
    data.cells = block.cells * block.cells;
    for (int b = 0; b < block.cells; ++b) {
        for (int c = 0; c < block.cells; ++c) {
            data.block_of.push_back(b);
            data.sends.push_back(c);
        }
        for (auto line : block.lines) {
            for (int& cell : line.cells) cell += b * block.cells;
            data.lines.push_back(line);
        }
    }
    for (const auto& line : block.lines) data.outer_lines.push_back(line.cells);
    data.weights.line = WEIGHTS;
    data.weights.outer = {0, 16, 64, 256};
    data.weights.block = 30;
    return data;
}

GameData with(GameData data, Variant variant) {
    data.misere = variant.misere;
    data.counts_blocks = variant.counts_blocks;
    data.keeps_won_blocks_open = variant.keeps_won_blocks_open;
    return data;
}

std::vector<GameData> ultimate_variants(int n) {
    std::vector<GameData> found;
    for (bool misere : {false, true})
        for (bool counts : {false, true})
            for (bool open : {false, true}) found.push_back(with(ultimate(n), {misere, counts, open}));
    return found;
}

std::shared_ptr<const Game> make(GameData data) { return std::make_shared<const Game>(std::move(data)); }

Position played(const std::shared_ptr<const Game>& game, const std::vector<Cell>& moves) {
    Position position(game);
    for (Cell cell : moves) position.play(cell);
    return position;
}

Cell random_move(const Position& position, std::mt19937& random) {
    std::vector<Cell> legal;
    position.for_each_legal([&](Cell cell) { legal.push_back(cell); });
    return legal[random() % legal.size()];
}

void step_randomly(Position& position, std::mt19937& random) {
    if (position.ply() > 0 && (position.is_over() || random() % 3 == 0))
        for (int plies = 1 + static_cast<int>(random() % position.ply()) % 8; plies > 0; --plies) position.undo();
    else
        position.play(random_move(position, random));
}

bool play_randomly(Position& position, int free, std::mt19937& random) {
    while (!position.is_over() && position.now().free > free) position.play(random_move(position, random));
    return !position.is_over();
}

}  // namespace noughts::testing
