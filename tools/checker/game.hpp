// The rules of a game as data: boards and Ultimate from their ids, custom games from their objects.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "json.hpp"

constexpr int MAX_CELLS = 4096, MAX_LINES = 40'000, MAX_LINE_LENGTH = 15, MAX_WRAPPED_LINES = 160'000;
constexpr int MAX_GUARDS = 16, MAX_SUPPORTS = 255, MAX_DIMENSIONS = 8, MAX_COORDINATE = 1'000'000;
constexpr std::size_t MAX_ID = 200, MAX_NAME = 60, MAX_POSITION_TEXT = 20'000, MAX_RUN_DIGITS = 6;

using Cells = std::vector<int>;

struct Line {
    Cells cells, guards;
    auto operator<=>(const Line&) const = default;
};

struct Game {
    int cells = 0;
    std::vector<Line> lines;
    std::vector<Cells> rests_on;  // for each cell
    bool is_misere = false;
    int blocks = 1;  // more in Ultimate, where cell c lies in block c / blocks and sends to block c % blocks
    std::vector<Cells> outer_lines{};
    bool counts_blocks = false, keeps_won_blocks_open = false;
    std::vector<Cells> rows{};  // of the position string
    int rows_per_slice = MAX_CELLS;
    bool is_custom = false;
    bool operator==(const Game&) const = default;
};

inline Cells numbers(int first, int count) {
    Cells all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), first);
    return all;
}

inline Cells sorted(Cells cells) {
    std::ranges::sort(cells);
    return cells;
}

// A box of cells, or a torus; the first coordinate runs fastest.
struct Board {
    Cells sides;
    bool wraps;
    int cells = 1, directions = 1;

    Board(const Cells& lengths, bool is_torus) : sides(lengths), wraps(is_torus) {
        expect(sides.size() >= 2 && sides.size() <= MAX_DIMENSIONS, "a board of 2 to 8 sides");
        for (const int side : sides) {
            expect(side <= MAX_CELLS / cells, "a board of at most 4096 cells");
            cells *= side;
            directions *= 3;
        }
    }

    // The lines of k cells, with their guards if they must not be longer.
    std::vector<Line> lines(int k, bool is_exact) const {
        const int none = directions / 2;  // of two opposite directions, the later one has 1 as its last step
        expect(!wraps || cells * none <= MAX_WRAPPED_LINES, "a smaller torus");
        std::map<Cells, Cells> found;
        for (int direction = none + 1; direction < directions; ++direction)
            for (int start = 0; start < cells; ++start) {
                if (walk(start, direction, k - 1) < 0) continue;
                std::set<int> run, guards;
                for (int i = 0; i < k; ++i) run.insert(walk(start, direction, i));
                if (static_cast<int>(run.size()) < k) continue;
                for (const int i : {-1, k})
                    if (const int end = walk(start, direction, i); is_exact && end >= 0 && !run.contains(end))
                        guards.insert(end);
                found.try_emplace(Cells(run.begin(), run.end()), guards.begin(), guards.end());
                expect(found.size() <= MAX_LINES, "at most 40000 lines");
            }
        std::vector<Line> lines;
        for (const auto& [cells, guards] : found) lines.push_back({cells, guards});
        return lines;
    }

    // The cell some steps away, or -1 off the board. The digits of a direction to the base 3 are its steps, plus 1.
    int walk(int cell, int direction, int steps) const {
        int number = 0, size = 1;
        for (const int side : sides) {
            int at = cell / size % side + steps * (direction % 3 - 1);
            if (wraps) at = (at % side + side) % side;
            if (at < 0 || at >= side) return -1;
            number += at * size;
            size *= side;
            direction /= 3;
        }
        return number;
    }
};

inline Game read_board(Cursor& id, bool is_in_proof) {
    Cells sides;
    do sides.push_back(id.positive_number());
    while (id.accept('x'));
    const auto [shortest, longest] = std::ranges::minmax(sides);
    const bool has_length = id.accept(':');
    const int k = has_length ? id.positive_number() : shortest;
    expect(!is_in_proof || !has_length || k != shortest,
           "an id without the length of a line if it is the shortest side");
    const bool has_gravity = id.accept("+gravity"), is_misere = id.accept("+misere");
    const bool is_exact = id.accept("+exact"), wraps = id.accept("+wrap");
    expect(k >= 2 && k <= MAX_LINE_LENGTH && (k <= longest || wraps), "2 to 15 in a row that fit");
    const Board board(sides, wraps);
    Game game{board.cells, board.lines(k, is_exact), std::vector<Cells>(board.cells), is_misere};
    expect(!game.lines.empty(), "a board with a line");
    // The cell below is on a board with two sides in the next row, otherwise at the last coordinate minus 1.
    const int layer = board.cells / sides.back(), step = sides.size() == 2 ? layer : -layer;
    for (int cell = 0; cell < game.cells && has_gravity; ++cell)
        if (cell + step >= 0 && cell + step < game.cells) game.rests_on[cell] = {cell + step};
    for (int start = 0; start < game.cells; start += sides[0]) game.rows.push_back(numbers(start, sides[0]));
    game.rows_per_slice = sides[1];
    return game;
}

inline Game read_ultimate(Cursor& id) {
    const int n = id.positive_number();
    expect(n >= 2 && n <= 5, "ultimate:N with N from 2 to 5");
    const int size = n * n;
    Game game{size * size, {}, std::vector<Cells>(size * size), id.accept("+misere"), size};
    game.counts_blocks = id.accept("+count");
    game.keeps_won_blocks_open = id.accept("+open");
    for (const Line& line : Board({n, n}, false).lines(n, false)) {
        game.outer_lines.push_back(line.cells);
        for (int block = 0; block < size; ++block) {
            game.lines.push_back(line);
            for (int& cell : game.lines.back().cells) cell += block * size;
        }
    }
    game.rows.assign(size, numbers(0, size));
    for (int y = 0; y < size; ++y)
        for (int& x : game.rows[y]) x = (y / n * n + x / n) * size + y % n * n + x % n;
    return game;
}

// The game of an id; proofs write it without the length of a line if that is the shortest side.
inline Game game_of_id(std::string_view text, bool is_in_proof) {
    expect(text.size() <= MAX_ID, "a game id of at most 200 characters");
    Cursor id(text);
    const Game game = id.accept("ultimate:") ? read_ultimate(id) : read_board(id, is_in_proof);
    id.finish();
    return game;
}

const std::map<std::string, std::string, std::less<>> ALIASES{
    {"connect4", "7x6:4+gravity"}, {"gomoku", "15x15:5"},      {"qubic", "4x4x4"},
    {"tictactoe", "3x3"},          {"ultimate", "ultimate:3"}, {"ultimate4", "ultimate:4+count"}};

inline bool is_id(const std::string& text) {
    try {
        return ALIASES.contains(text) || game_of_id(text, false).cells > 0;
    } catch (const Rejection&) {
        return false;
    }
}

// The name has no effect on the proof, and is printed as a name: whether all of it is printable is not checked.
inline void check_name(const std::string& name) {
    expect(!name.empty() && name.size() <= MAX_NAME, "a name of 1 to 60 characters");
    expect(name.front() != ' ' && name.back() != ' ', "a name without spaces around it");
    for (const char letter : name) expect(letter >= ' ' && letter != 127, "a name without control characters");
    expect(!is_id(name), "a name of a custom game that is not a game id");
}

inline void check_layout(const std::vector<std::vector<double>>& points, std::size_t cells) {
    const std::set different(points.begin(), points.end());
    expect(points.size() == cells && different.size() == cells, "a different point for each cell");
    for (const std::vector<double>& point : points) {
        const std::size_t size = point.size();
        expect(size == points[0].size() && (size == 2 || size == 3), "points of a plane or space");
        for (const double at : point) expect(std::abs(at) < MAX_COORDINATE, "coordinates below a million");
    }
}

// Sorts the cells of each list; there must be `count` lists, not all empty, of at most `most` different cells.
inline void check_lists(std::vector<Cells>& lists, std::size_t count, int cells, std::size_t most) {
    expect(lists.size() == count, "guards for each line, supports for each cell");
    for (Cells& list : lists) {
        std::ranges::sort(list);
        expect(list.empty() || (list.front() >= 0 && list.back() < cells), "cells as numbers from 0");
        expect(list.size() <= most && std::ranges::adjacent_find(list) == list.end(), "different cells, not too many");
    }
    expect(std::ranges::any_of(lists, [](const Cells& list) { return !list.empty(); }), "a list that is not empty");
}

// A game, with its lines in ascending order, and its name.
inline std::pair<Game, std::string> read_custom_game(Json& json) {
    Game game;
    game.is_custom = true;
    std::string name;
    std::vector<Cells> lines, guards;
    std::vector<std::vector<double>> points;
    const std::set<std::string> keys = json.read_object([&](const std::string& key) {
        if (key == "name") return json.read(name);
        if (key == "cells") return json.read(game.cells);
        if (key == "lines") return json.read(lines);
        if (key == "guards") return json.read(guards);
        if (key == "rests_on") return json.read(game.rests_on);
        if (key == "layout") return json.read(points);
        game.is_misere = json.token().accept("true");
        expect(key == "misere" && game.is_misere, "the keys of a custom game, with misere as true");
    });
    const std::size_t cells = static_cast<std::size_t>(game.cells);
    expect(game.cells >= 1 && game.cells <= MAX_CELLS && lines.size() <= MAX_LINES, "at most 4096 cells, 40000 lines");
    check_name(name);
    check_lists(lines, lines.size(), game.cells, MAX_LINE_LENGTH);
    if (keys.contains("guards")) check_lists(guards, lines.size(), game.cells, MAX_GUARDS);
    if (keys.contains("rests_on")) check_lists(game.rests_on, cells, game.cells, MAX_SUPPORTS);
    if (keys.contains("layout")) check_layout(points, cells);
    guards.resize(lines.size());
    game.rests_on.resize(cells);
    game.rows = {numbers(0, game.cells)};
    std::set<Cells> different{{}};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        expect(different.insert(lines[i]).second, "different lines, none of them empty");
        expect(std::ranges::find_first_of(lines[i], guards[i]) == lines[i].end(), "guards outside of their line");
        game.lines.push_back({lines[i], guards[i]});
    }
    std::ranges::sort(game.lines);
    return {game, name};
}
