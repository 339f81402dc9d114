// Positions and the rules: legal moves, the end of the game.
#pragma once

#include <array>
#include <bit>
#include <bitset>

#include "game.hpp"

// A set of cells, with at least one bit for each.
template <std::size_t N>
using Set = std::bitset<N>;

constexpr int X = 0, O = 1, DRAW = 2, NOT_OVER = -1;

template <std::size_t N, class Visit>
void for_each(const Set<N>& set, Visit visit) {
    for (std::size_t first = 0; first < N; first += 64)
        for (auto bits = (set >> first & Set<N>(~0ull)).to_ullong(); bits != 0; bits &= bits - 1)
            visit(static_cast<int>(first) + std::countr_zero(bits));
}

template <std::size_t N>
int first_of(const Set<N>& set) {
    int first = -1;
    for_each(set, [&](int cell) { first = first < 0 ? cell : first; });
    return first;
}

template <int LIMIT, std::size_t N>
bool has_at_most(const Set<N>& set) {
    if constexpr (N != 64) return set.count() <= LIMIT;
    std::uint64_t bits = set.to_ullong();  // faster than counting on processors without an instruction for it
    for (int i = 0; i < LIMIT; ++i) bits &= bits - 1;
    return bits == 0;
}

template <std::size_t N>
Set<N> set_of(const Cells& cells) {
    Set<N> set;
    for (const int cell : cells) set.set(cell);
    return set;
}

template <std::size_t N>
struct Position {
    std::array<Set<N>, 2> marks;
    std::array<std::bitset<32>, 2> owned;  // the blocks each side has won
    int wanted = -1;                       // the block to play, or -1
    bool has_passed = false;               // the opponent, an odd number of times

    Set<N> marked() const { return marks[X] | marks[O]; }
    int turn() const { return ((marks[X] ^ marks[O]).count() + has_passed) % 2 == 0 ? X : O; }
    bool operator==(const Position&) const = default;
};

template <std::size_t N>
struct LineSets {
    Set<N> cells, guards;

    bool is_complete(const Set<N>& own) const { return (cells & ~own).none() && (guards & own).none(); }
};

template <std::size_t N>
bool has_line(const std::vector<LineSets<N>>& lines, const Set<N>& own) {
    return std::ranges::any_of(lines, [&](const LineSets<N>& line) { return line.is_complete(own); });
}

template <std::size_t N>
class Rules {
  public:
    explicit Rules(const Game& source)
        : game(source), through(source.cells), above(source.cells), block_cells(source.blocks) {
        for (const Line& line : game.lines) {
            for (const int cell : line.cells) through[cell].push_back(lines.size());
            lines.push_back({set_of<N>(line.cells), set_of<N>(line.guards)});
            if (line.cells.size() == 1) lone_cells.set(line.cells.front());
            has_guards |= !line.guards.empty();
        }
        for (int cell = 0; cell < game.cells; ++cell) {
            board.set(cell);
            below.push_back(set_of<N>(game.rests_on[cell]));
            for (const int support : game.rests_on[cell]) above[support].push_back(cell);
            has_gravity |= below[cell].any();
            if (is_ultimate()) block_cells[cell / game.blocks].set(cell);
        }
        for (const Cells& line : game.outer_lines) outer_lines.push_back({set_of<32>(line), {}});
        for (Set<N> free = board, ready; free.any(); free &= ~ready) {
            ready = playable(free);
            expect(ready.any(), "every cell to be reachable, but some rest on each other in a circle");
        }
    }

    bool is_ultimate() const { return game.blocks > 1; }
    // Whether a side wins by completing a line and in no other way; also, whether every empty cell can be played;
    // also, whether a mark never hurts the side that makes it.
    bool wins_by_lines() const { return !is_ultimate() && !game.is_misere; }
    bool is_static() const { return wins_by_lines() && !has_gravity; }
    bool is_monotone() const { return is_static() && !has_guards; }

    // Whether a line through the cell is complete, given the marks of its side.
    bool completes(const Set<N>& own, int cell) const {
        return std::ranges::any_of(through[cell], [&](std::size_t line) { return lines[line].is_complete(own); });
    }

    // Those of the empty cells that rest on filled ones.
    Set<N> playable(const Set<N>& free) const {
        if (!has_gravity) return free;
        Set<N> found;
        for_each(free, [&](int cell) { found[cell] = (below[cell] & free).none(); });
        return found;
    }

    Set<N> legal(const Position<N>& position) const {
        const Set<N> free = open_cells(position);
        if (!is_ultimate()) return playable(free);
        return position.wanted < 0 ? free : free & block_cells[position.wanted];
    }

    // Plays a legal move; returns the winner, DRAW or NOT_OVER.
    int play(Position<N>& position, int cell) const {
        const int side = position.turn();
        position.marks[side].set(cell);
        if (is_ultimate()) return play_in_block(position, side, cell);
        if (completes(position.marks[side], cell)) return game.is_misere ? 1 - side : side;
        return position.marked() == board ? DRAW : NOT_OVER;
    }

    // The empty cells of each line without a mark of the prover and without one of the opponent on a guard.
    std::vector<Set<N>> open_lines(const Position<N>& position, int prover) const {
        const Set<N>& other = position.marks[1 - prover];
        std::vector<Set<N>> found;
        for (const auto& [cells, guards] : lines)
            if ((cells & position.marks[prover]).none() && (guards & other).none()) found.push_back(cells & ~other);
        return found;
    }

    // The empty cells, in Ultimate those of open blocks.
    Set<N> open_cells(const Position<N>& position) const {
        Set<N> free = board & ~position.marked();
        if (is_ultimate() && !game.keeps_won_blocks_open)
            for_each(position.owned[X] | position.owned[O], [&](int block) { free &= ~block_cells[block]; });
        return free;
    }

    const Game& game;
    Set<N> board, lone_cells;  // each of the latter is a line
    bool has_gravity = false, has_guards = false;
    std::vector<LineSets<N>> lines;
    std::vector<std::vector<std::size_t>> through;  // the lines through each cell
    std::vector<Cells> above;                       // the cells that rest on each cell
    std::vector<Set<N>> below, block_cells;
    std::vector<LineSets<32>> outer_lines;

  private:
    int play_in_block(Position<N>& position, int side, int cell) const {
        const int block = cell / game.blocks, sent = cell % game.blocks;
        const bool is_won = position.owned[X][block] || position.owned[O][block];
        if (!is_won && completes(position.marks[side], cell)) {
            position.owned[side].set(block);
            if (has_line(outer_lines, position.owned[side])) return game.is_misere ? 1 - side : side;
        }
        const Set<N> free = open_cells(position);
        position.wanted = (free & block_cells[sent]).any() ? sent : -1;
        if (free.any()) return NOT_OVER;
        const std::size_t x = position.owned[X].count(), o = position.owned[O].count();
        return !game.counts_blocks || x == o ? DRAW : x > o ? X : O;
    }
};
