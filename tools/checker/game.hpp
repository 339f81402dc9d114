// The rules of a game as data, from its id or from the object of a custom game.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json.hpp"
#include "rejection.hpp"

namespace checker {

using Cells = std::vector<int>;

struct Line {
    Cells cells, guards;
};

struct Game {
    int cells = 0;
    std::vector<Line> lines;
    std::vector<Cells> rests_on;  // for each cell
    bool is_misere = false;
    int blocks = 1;  // more in Ultimate, where all of the following is used
    Cells block_of, sends;
    std::vector<Cells> outer_lines;
    bool counts_blocks = false, keeps_won_blocks_open = false;
    std::vector<std::vector<Cells>> slices;  // the rows of the position string
};

constexpr int MAX_CELLS = 4096, MAX_LINES = 40'000, MAX_LINE_LENGTH = 15, MAX_GUARDS = 16, MAX_SUPPORTS = 255;
constexpr std::size_t MAX_ID = 200, MAX_NAME = 60, MAX_DIMENSIONS = 8;

inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char letter : text)
        if (letter == separator)
            parts.emplace_back();
        else
            parts.back().push_back(letter);
    return parts;
}

// The parsed id of a board or of Ultimate.
struct Id {
    Cells sides;  // {N} for Ultimate
    int k = 0;
    bool is_ultimate = false;
    std::vector<std::string> options;

    bool has(const char* option) const { return std::ranges::find(options, option) != options.end(); }
};

// A number without leading zeros.
inline int parse_size(const std::string& digits) {
    const int number = digits.size() <= 9 ? std::atoi(digits.c_str()) : 0;
    expect(std::to_string(number) == digits, "a number");
    return number;
}

inline void check_size(const Id& id) {
    const auto [shortest, longest] = std::ranges::minmax(id.sides);
    const auto product = [&](auto factor) {
        double result = 1;  // exact below 2^53, which all bounds are
        for (const int side : id.sides) result *= factor(side);
        return result;
    };
    const double cells = product([](int side) { return side; });
    expect(shortest >= 1 && id.sides.size() <= MAX_DIMENSIONS && cells <= MAX_CELLS, "a board of 1 to 4096 cells");
    expect(id.k >= 2 && id.k <= MAX_LINE_LENGTH, "2 to 15 in a row");
    expect(id.k <= longest || id.has("wrap"), "a line that fits");
    const double straight = product([&](int side) { return side + 2 * std::max(0, side - id.k + 1); });
    const double directions = (product([](int) { return 3; }) - 1) / 2;
    const bool fits = id.has("wrap") ? cells * directions <= 4 * MAX_LINES : (straight - cells) / 2 <= MAX_LINES;
    expect(fits, "a board of at most 40000 lines");
}

// Parses a canonical id: options in order, and the length of a line only if it is not the shortest side.
inline Id parse_id(const std::string& text) {
    expect(text.size() <= MAX_ID, "a game id of at most 200 characters");
    std::vector<std::string> parts = split(text, '+');
    Id id;
    id.is_ultimate = parts[0].starts_with("ultimate:");
    const std::vector<std::string> known = id.is_ultimate
                                               ? std::vector<std::string>{"misere", "count", "open"}
                                               : std::vector<std::string>{"gravity", "misere", "exact", "wrap"};
    auto from = known.begin();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        from = std::find(from, known.end(), parts[i]);
        expect(from != known.end(), "known options, each once and in order");
        ++from;
        id.options.push_back(parts[i]);
    }
    if (id.is_ultimate) {
        id.sides = {parse_size(parts[0].substr(9))};
        expect(id.sides[0] >= 2 && id.sides[0] <= 5, "ultimate:N with N from 2 to 5");
        return id;
    }
    const std::vector<std::string> halves = split(parts[0], ':'), sides = split(halves[0], 'x');
    expect(halves.size() <= 2 && sides.size() >= 2, "a game id such as 5x5:4");
    for (const std::string& side : sides) id.sides.push_back(parse_size(side));
    const int shortest = std::ranges::min(id.sides);
    id.k = halves.size() == 2 ? parse_size(halves[1]) : shortest;
    expect(halves.size() == 1 || id.k != shortest, "an id without the length of a line if it is the shortest side");
    check_size(id);
    return id;
}

// A box of cells, or a torus; the first coordinate runs fastest.
class Board {
  public:
    Board(const Cells& sides, bool wraps) : sides_(sides), wraps_(wraps) {}

    int cells() const { return std::accumulate(sides_.begin(), sides_.end(), 1, std::multiplies<>()); }

    std::vector<Line> lines(int k, bool is_exact) const {
        std::map<Cells, Cells> found;
        for (const Cells& step : steps(k))
            for (int cell = 0; cell < cells(); ++cell) add_line(cell, step, k, is_exact, found);
        std::vector<Line> lines;
        for (const auto& [line, guards] : found) lines.push_back({line, guards});
        return lines;
    }

    // The cell `times` steps away, or -1 off the board.
    int walk(int cell, const Cells& step, int times) const {
        int number = 0, size = 1;
        for (std::size_t axis = 0; axis < sides_.size(); ++axis) {
            const int side = sides_[axis];
            int at = cell / size % side + times * step[axis];
            if (wraps_) at = (at % side + side) % side;
            if (at < 0 || at >= side) return -1;
            number += at * size;
            size *= side;
        }
        return number;
    }

  private:
    // One of each pair of opposite directions: the last step that is not 0 is 1.
    std::vector<Cells> steps(int k) const {
        std::vector<Cells> all{{}};
        for (std::size_t axis = 0; axis < sides_.size(); ++axis) {
            std::vector<Cells> longer;
            for (const Cells& step : all)
                for (const int by : {-1, 0, 1}) {
                    if (by != 0 && !wraps_ && sides_[axis] < k) continue;  // no line fits
                    longer.push_back(step);
                    longer.back().push_back(by);
                }
            all = std::move(longer);
        }
        std::erase_if(all, [](const Cells& step) {
            const auto last = std::find_if(step.rbegin(), step.rend(), [](int by) { return by != 0; });
            return last == step.rend() || *last < 0;
        });
        return all;
    }

    void add_line(int start, const Cells& step, int k, bool is_exact, std::map<Cells, Cells>& found) const {
        if (walk(start, step, k - 1) < 0) return;
        std::set<int> run, ends;
        for (int i = 0; i < k; ++i) run.insert(walk(start, step, i));
        if (static_cast<int>(run.size()) < k) return;
        if (is_exact)
            for (const int i : {-1, k})
                if (const int end = walk(start, step, i); end >= 0 && !run.contains(end)) ends.insert(end);
        found.try_emplace(Cells(run.begin(), run.end()), ends.begin(), ends.end());
    }

    Cells sides_;
    bool wraps_;
};

inline Cells numbers(int first, int count) {
    Cells all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), first);
    return all;
}

inline Game build_board(const Id& id) {
    const Board board(id.sides, id.has("wrap")), box(id.sides, false);
    Game game;
    game.cells = board.cells();
    game.lines = board.lines(id.k, id.has("exact"));
    expect(!game.lines.empty() && game.lines.size() <= MAX_LINES, "a board of 1 to 40000 lines");
    game.rests_on.resize(static_cast<std::size_t>(game.cells));
    Cells down(id.sides.size(), 0);
    down.back() = id.sides.size() == 2 ? 1 : -1;
    for (int cell = 0; cell < game.cells && id.has("gravity"); ++cell)
        if (const int below = box.walk(cell, down, 1); below >= 0) game.rests_on[cell] = {below};
    game.is_misere = id.has("misere");
    const int width = id.sides[0], height = id.sides[1];
    for (int first = 0; first < game.cells; first += width * height) {
        game.slices.emplace_back();
        for (int y = 0; y < height; ++y) game.slices.back().push_back(numbers(first + y * width, width));
    }
    return game;
}

inline Game build_ultimate(const Id& id) {
    const int n = id.sides[0], size = n * n;
    const std::vector<Line> block = Board({n, n}, false).lines(n, false);
    Game game;
    game.cells = size * size;
    game.blocks = size;
    game.rests_on.resize(static_cast<std::size_t>(game.cells));
    for (int cell = 0; cell < game.cells; ++cell) {
        game.block_of.push_back(cell / size);
        game.sends.push_back(cell % size);
    }
    for (const Line& line : block) game.outer_lines.push_back(line.cells);
    for (int b = 0; b < size; ++b)
        for (Line line : block) {
            for (int& cell : line.cells) cell += b * size;
            game.lines.push_back(line);
        }
    game.is_misere = id.has("misere");
    game.counts_blocks = id.has("count");
    game.keeps_won_blocks_open = id.has("open");
    game.slices.emplace_back(size, Cells(static_cast<std::size_t>(size)));
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) game.slices[0][y][x] = (y / n * n + x / n) * size + y % n * n + x % n;
    return game;
}

// Reads the object of a custom game; see docs/formats.md.
class CustomGame {
  public:
    CustomGame(const Json& json, std::size_t object) : json_(json), object_(object) {}

    Game build() const {
        check_keys();
        check_name();
        Game game;
        const auto cells = json_.integer(*json_.member(object_, "cells"));
        expect(cells && *cells >= 1 && *cells <= MAX_CELLS, "1 to 4096 cells");
        game.cells = *cells;
        game.rests_on.resize(static_cast<std::size_t>(game.cells));
        read_lines(game);
        if (const auto value = json_.member(object_, "rests_on")) read_supports(game, *value);
        if (const auto value = json_.member(object_, "layout")) check_layout(game, *value);
        if (const auto value = json_.member(object_, "misere")) {
            expect(json_.kind(*value) == Json::Kind::TRUE, "misere as true, or no such key");
            game.is_misere = true;
        }
        game.slices = {{numbers(0, game.cells)}};
        return game;
    }

  private:
    void check_keys() const {
        static const std::set<std::string> KNOWN{"name", "cells", "lines", "guards", "rests_on", "layout", "misere"};
        for (const char* key : {"name", "cells", "lines"})
            expect(json_.member(object_, key).has_value(), "the keys name, cells and lines in a custom game");
        for (std::size_t key = json_.begin(object_); key != json_.end(object_); key = json_.next(key + 1))
            expect(KNOWN.contains(json_.text(key)), "only the known keys in a custom game");
    }

    // The name has no effect on the proof: whether it is printable and no id is not checked.
    void check_name() const {
        const std::size_t value = *json_.member(object_, "name");
        expect(json_.kind(value) == Json::Kind::TEXT, "a name as text");
        const std::string name = json_.text(value);
        expect(!name.empty() && name.front() != ' ' && name.back() != ' ', "a name without spaces around it");
        expect(std::ranges::none_of(name, [](char letter) { return (letter >= 0 && letter < ' ') || letter == 127; }) &&
                   utf8_length(name).value_or(0) <= MAX_NAME,
               "a name of at most 60 characters");
    }

    void read_lines(Game& game) const {
        const std::size_t lines = *json_.member(object_, "lines");
        expect(json_.kind(lines) == Json::Kind::LIST, "lines as a list");
        std::set<Cells> sets;
        for (std::size_t line = json_.begin(lines); line != json_.end(lines); line = json_.next(line)) {
            game.lines.push_back({cells_of(game, line), {}});
            Cells sorted = game.lines.back().cells;
            std::ranges::sort(sorted);
            expect(sets.insert(sorted).second, "distinct lines");
            expect(!sorted.empty() && sorted.size() <= MAX_LINE_LENGTH, "lines of 1 to 15 cells");
            expect(game.lines.size() <= MAX_LINES, "at most 40000 lines");
        }
        expect(!game.lines.empty(), "at least one line");
        if (const auto guards = json_.member(object_, "guards")) read_guards(game, *guards);
        for (const Line& line : game.lines) {
            Cells all = line.cells;
            all.insert(all.end(), line.guards.begin(), line.guards.end());
            expect_distinct(all);
        }
    }

    void read_guards(Game& game, std::size_t guards) const {
        expect(json_.kind(guards) == Json::Kind::LIST && json_.length(guards) == game.lines.size(),
               "guards for each line");
        std::size_t item = json_.begin(guards);
        for (Line& line : game.lines) {
            line.guards = cells_of(game, item);
            expect(line.guards.size() <= MAX_GUARDS, "at most 16 guards on a line");
            item = json_.next(item);
        }
        expect(std::ranges::any_of(game.lines, [](const Line& line) { return !line.guards.empty(); }),
               "a line with guards, or no guards");
    }

    void read_supports(Game& game, std::size_t value) const {
        expect(json_.kind(value) == Json::Kind::LIST && json_.length(value) == game.rests_on.size(),
               "what each cell rests on, as a list");
        std::size_t item = json_.begin(value);
        for (Cells& below : game.rests_on) {
            below = cells_of(game, item);
            expect(below.size() <= MAX_SUPPORTS, "a cell to rest on at most 255 others");
            expect_distinct(below);
            item = json_.next(item);
        }
        expect(std::ranges::any_of(game.rests_on, [](const Cells& below) { return !below.empty(); }),
               "a cell that rests on others, or no rests_on");
        expect_reachable(game);
    }

    static void expect_reachable(const Game& game) {
        std::vector<Cells> above(game.rests_on.size());
        Cells missing, ready;
        for (int cell = 0; cell < game.cells; ++cell) {
            for (const int below : game.rests_on[cell]) above[below].push_back(cell);
            missing.push_back(static_cast<int>(game.rests_on[cell].size()));
            if (missing.back() == 0) ready.push_back(cell);
        }
        for (std::size_t i = 0; i < ready.size(); ++i)
            for (const int cell : above[ready[i]])
                if (--missing[cell] == 0) ready.push_back(cell);
        expect(ready.size() == above.size(), "every cell to be reachable, but some rest on each other in a circle");
    }

    void check_layout(const Game& game, std::size_t layout) const {
        expect(json_.kind(layout) == Json::Kind::LIST, "layout as a list");
        std::set<std::vector<double>> points;
        std::size_t count = 0;
        for (std::size_t item = json_.begin(layout); item != json_.end(layout); item = json_.next(item), ++count) {
            expect(json_.kind(item) == Json::Kind::LIST, "a point as a list");
            std::vector<double> point;
            for (std::size_t at = json_.begin(item); at != json_.end(item); at = json_.next(at)) {
                expect(json_.is_number(at) && std::abs(json_.real(at)) < 1e6, "coordinates below a million");
                point.push_back(json_.real(at) + 0.0);  // -0 is 0
            }
            expect(point.size() == 2 || point.size() == 3, "two or three coordinates for every cell");
            expect(points.empty() || points.begin()->size() == point.size(), "as many coordinates for every cell");
            expect(points.insert(point).second, "different coordinates for every cell");
        }
        expect(count == static_cast<std::size_t>(game.cells), "coordinates for each cell");
    }

    int cell_of(const Game& game, std::size_t value) const {
        const auto cell = json_.integer(value);
        expect(cell && *cell >= 0 && *cell < game.cells, "cells as numbers from 0");
        return *cell;
    }

    Cells cells_of(const Game& game, std::size_t list) const {
        expect(json_.kind(list) == Json::Kind::LIST, "a list of cells");
        Cells cells;
        for (std::size_t item = json_.begin(list); item != json_.end(list); item = json_.next(item))
            cells.push_back(cell_of(game, item));
        return cells;
    }

    static void expect_distinct(Cells cells) {
        std::ranges::sort(cells);
        expect(std::ranges::adjacent_find(cells) == cells.end(), "distinct cells");
    }

    const Json& json_;
    std::size_t object_;
};

inline Game read_game(const Json& json, std::size_t value) {
    if (json.kind(value) == Json::Kind::OBJECT) return CustomGame(json, value).build();
    expect(json.kind(value) == Json::Kind::TEXT, "a game id or a custom game");
    const Id id = parse_id(json.text(value));
    return id.is_ultimate ? build_ultimate(id) : build_board(id);
}

}  // namespace checker
