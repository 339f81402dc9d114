// Positions and the rules: legal moves, the end of the game, symmetries. A set of cells has W words of 64 bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "game.hpp"

namespace checker {

constexpr int X = 0, O = 1, DRAW = 2, NOT_OVER = -1;

template <int W>
struct CellSet {
    std::array<std::uint64_t, W> words{};

    static CellSet of(int cell) {
        CellSet set;
        set.add(cell);
        return set;
    }
    bool has(int cell) const { return words[word(cell)] >> (cell & 63) & 1; }
    void add(int cell) { words[word(cell)] |= std::uint64_t{1} << (cell & 63); }
    void remove(int cell) { words[word(cell)] &= ~(std::uint64_t{1} << (cell & 63)); }
    bool any() const {
        for (const std::uint64_t bits : words)
            if (bits != 0) return true;
        return false;
    }
    template <int LIMIT>
    bool has_at_most() const {  // faster than counting on processors without an instruction for it
        static_assert(W == 1);
        std::uint64_t bits = words[0];
        for (int i = 0; i < LIMIT; ++i) bits &= bits - 1;
        return bits == 0;
    }
    int count() const {
        int total = 0;
        for (const std::uint64_t bits : words) total += std::popcount(bits);
        return total;
    }
    bool has_several() const {
        if constexpr (W == 1) return !has_at_most<1>();
        return count() > 1;
    }
    int first() const {
        for (int i = 0; i < W; ++i)
            if (words[i] != 0) return 64 * i + std::countr_zero(words[i]);
        return -1;
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (int i = 0; i < W; ++i)
            for (std::uint64_t bits = words[i]; bits != 0; bits &= bits - 1) visit(64 * i + std::countr_zero(bits));
    }
    CellSet& operator|=(const CellSet& other) {
        return combine(other, [](auto a, auto b) { return a | b; });
    }
    CellSet& operator&=(const CellSet& other) {
        return combine(other, [](auto a, auto b) { return a & b; });
    }
    CellSet& operator-=(const CellSet& other) {
        return combine(other, [](auto a, auto b) { return a & ~b; });
    }
    friend CellSet operator|(CellSet a, const CellSet& b) { return a |= b; }
    friend CellSet operator&(CellSet a, const CellSet& b) { return a &= b; }
    friend CellSet operator-(CellSet a, const CellSet& b) { return a -= b; }
    bool operator==(const CellSet&) const = default;

  private:
    static constexpr int word(int cell) { return W == 1 ? 0 : cell >> 6; }
    template <class Operation>
    CellSet& combine(const CellSet& other, Operation operation) {
        for (int i = 0; i < W; ++i) words[i] = operation(words[i], other.words[i]);
        return *this;
    }
};

template <int W>
struct Position {
    std::array<CellSet<W>, 2> marks;
    std::array<std::uint32_t, 2> owned{};  // the blocks each side has won
    std::int32_t wanted = -1;              // the block to play, or -1

    int turn() const {
        std::uint64_t odd = 0;
        for (int i = 0; i < W; ++i) odd ^= marks[X].words[i] ^ marks[O].words[i];
        return std::popcount(odd) % 2 == 1;
    }
    bool operator==(const Position&) const = default;
};

struct Symmetry {
    std::vector<std::uint16_t> cells;
    std::vector<std::uint8_t> blocks;
};

// The cells of a line in the form that is fastest to scan: a mask if it is one word, else a list.
template <int W>
using ScannedLine = std::conditional_t<W == 1, CellSet<1>, std::vector<std::uint16_t>>;

template <int W>
class Rules {
  public:
    using Set = CellSet<W>;

    explicit Rules(const Game& source) : game(source), through(source.cells), below(source.cells) {
        for (const Line& line : game.lines) add_line(line);
        for (int cell = 0; cell < game.cells; ++cell) {
            board.add(cell);
            for (const int other : game.rests_on[cell]) below[cell].push_back(static_cast<std::uint16_t>(other));
            has_gravity |= !below[cell].empty();
        }
        if (!is_ultimate()) return;
        block_cells.resize(game.blocks);
        for (int cell = 0; cell < game.cells; ++cell) block_cells[game.block_of[cell]].add(cell);
        for (const Cells& line : game.outer_lines) outer.push_back(mask_of(line));
    }

    bool is_ultimate() const { return game.blocks > 1; }

    // Whether a line through the cell is complete, given the marks of its side.
    bool completes(const Set& own, int cell) const {
        for (const std::uint32_t index : through[cell])
            if (is_complete(game.lines[index], own)) return true;
        return false;
    }

    // Those of the empty cells that rest on filled ones.
    Set playable(const Set& free) const {
        if (!has_gravity) return free;
        Set held;
        free.for_each([&](int cell) {
            for (const int other : below[cell])
                if (free.has(other)) return;
            held.add(cell);
        });
        return held;
    }

    Set legal(const Position<W>& position) const {
        const Set free = open_cells(position);
        if (!is_ultimate()) return playable(free);
        return position.wanted < 0 ? free : free & block_cells[position.wanted];
    }

    // Plays a legal move; returns the winner, DRAW or NOT_OVER.
    int play(Position<W>& position, int side, int cell) const {
        position.marks[side].add(cell);
        if (is_ultimate()) return play_in_block(position, side, cell);
        if (completes(position.marks[side], cell)) return game.is_misere ? 1 - side : side;
        return (position.marks[X] | position.marks[O]) == board ? DRAW : NOT_OVER;
    }

    // The empty cells, in Ultimate those of open blocks.
    Set open_cells(const Position<W>& position) const {
        Set free = board - (position.marks[X] | position.marks[O]);
        if (is_ultimate() && !game.keeps_won_blocks_open)
            for (std::uint32_t won = position.owned[X] | position.owned[O]; won != 0; won &= won - 1)
                free -= block_cells[std::countr_zero(won)];
        return free;
    }

    bool has_outer_line(std::uint32_t owned) const {
        return std::ranges::any_of(outer, [&](std::uint32_t line) { return (owned & line) == line; });
    }

    Position<W> image(const Position<W>& position, const Symmetry& symmetry) const {
        Position<W> turned;
        for (const int side : {X, O}) {
            position.marks[side].for_each([&](int cell) { turned.marks[side].add(symmetry.cells[cell]); });
            for (std::uint32_t left = position.owned[side]; left != 0; left &= left - 1)
                turned.owned[side] |= 1u << symmetry.blocks[std::countr_zero(left)];
        }
        if (position.wanted >= 0) turned.wanted = symmetry.blocks[position.wanted];
        return turned;
    }

    static std::uint32_t mask_of(const Cells& blocks) {
        std::uint32_t mask = 0;
        for (const int block : blocks) mask |= 1u << block;
        return mask;
    }

    const Game& game;
    Set board;
    bool has_gravity = false, has_guards = false;
    std::vector<ScannedLine<W>> scanned;
    std::vector<std::vector<std::uint32_t>> through;
    std::vector<std::vector<std::uint16_t>> below;
    std::vector<Set> block_cells;
    std::vector<std::uint32_t> outer;

  private:
    void add_line(const Line& line) {
        ScannedLine<W> cells;
        if constexpr (W == 1)
            for (const int cell : line.cells) cells.add(cell);
        else
            cells.assign(line.cells.begin(), line.cells.end());
        for (const int cell : line.cells) through[cell].push_back(static_cast<std::uint32_t>(scanned.size()));
        has_guards |= !line.guards.empty();
        scanned.push_back(std::move(cells));
    }

    static bool is_complete(const Line& line, const Set& own) {
        return std::ranges::all_of(line.cells, [&](int cell) { return own.has(cell); }) &&
               std::ranges::none_of(line.guards, [&](int cell) { return own.has(cell); });
    }

    int play_in_block(Position<W>& position, int side, int cell) const {
        const int block = game.block_of[cell], sent = game.sends[cell];
        const bool is_won = (position.owned[X] | position.owned[O]) >> block & 1;
        if (!is_won && completes(position.marks[side], cell)) {
            position.owned[side] |= 1u << block;
            if (has_outer_line(position.owned[side])) return game.is_misere ? 1 - side : side;
        }
        position.wanted = -1;
        const Set free = open_cells(position);
        if (!free.any()) {
            const int x = std::popcount(position.owned[X]), o = std::popcount(position.owned[O]);
            return !game.counts_blocks || x == o ? DRAW : x > o ? X : O;
        }
        if ((free & block_cells[sent]).any()) position.wanted = sent;
        return NOT_OVER;
    }
};

// Checks permutations of the cells: a symmetry preserves all the data of the game.
class SymmetryReader {
  public:
    explicit SymmetryReader(const Game& game) : game_(game) {
        for (const Line& line : game.lines) guards_[sorted(line.cells)] = sorted(line.guards);
        for (const Cells& line : game.outer_lines) outer_.insert(sorted(line));
    }

    Symmetry read(const Json& json, std::size_t list) const {
        Symmetry symmetry;
        std::vector<bool> seen(static_cast<std::size_t>(game_.cells));
        for (std::size_t item = json.begin(list); item != json.end(list); item = json.next(item)) {
            const auto cell = json.integer(item);
            expect(cell && *cell >= 0 && *cell < game_.cells && !seen[*cell], "each cell once in a symmetry");
            seen[*cell] = true;
            symmetry.cells.push_back(static_cast<std::uint16_t>(*cell));
        }
        expect(symmetry.cells.size() == seen.size(), "each cell once in a symmetry");
        check(symmetry);
        if (game_.blocks > 1) map_blocks(symmetry);
        return symmetry;
    }

    static Symmetry inverse(const Symmetry& symmetry) {
        Symmetry back = symmetry;
        for (std::size_t i = 0; i < symmetry.cells.size(); ++i)
            back.cells[symmetry.cells[i]] = static_cast<std::uint16_t>(i);
        for (std::size_t i = 0; i < symmetry.blocks.size(); ++i)
            back.blocks[symmetry.blocks[i]] = static_cast<std::uint8_t>(i);
        return back;
    }

  private:
    static Cells sorted(Cells cells) {
        std::ranges::sort(cells);
        return cells;
    }

    template <class Numbers>
    static Cells mapped(const Cells& cells, const Numbers& images) {
        Cells result;
        for (const int cell : cells) result.push_back(images[cell]);
        return sorted(result);
    }

    // Lines are distinct, so if every image is a line, every line is an image.
    void check(const Symmetry& symmetry) const {
        for (const Line& line : game_.lines) {
            const auto image = guards_.find(mapped(line.cells, symmetry.cells));
            expect(image != guards_.end() && image->second == mapped(line.guards, symmetry.cells),
                   "a symmetry that takes lines and their guards to lines");
        }
        for (int cell = 0; cell < game_.cells; ++cell)
            expect(mapped(game_.rests_on[cell], symmetry.cells) == sorted(game_.rests_on[symmetry.cells[cell]]),
                   "a symmetry that keeps what each cell rests on");
    }

    void map_blocks(Symmetry& symmetry) const {
        constexpr std::uint8_t UNKNOWN = 255;
        symmetry.blocks.assign(static_cast<std::size_t>(game_.blocks), UNKNOWN);
        for (int cell = 0; cell < game_.cells; ++cell) {
            std::uint8_t& image = symmetry.blocks[game_.block_of[cell]];
            const int to = game_.block_of[symmetry.cells[cell]];
            expect(image == UNKNOWN || image == to, "a symmetry that takes blocks to blocks");
            image = static_cast<std::uint8_t>(to);
        }
        for (int cell = 0; cell < game_.cells; ++cell)
            expect(symmetry.blocks[game_.sends[cell]] == game_.sends[symmetry.cells[cell]],
                   "a symmetry that keeps where each cell sends");
        for (const Cells& line : game_.outer_lines)
            expect(outer_.contains(mapped(line, symmetry.blocks)),
                   "a symmetry that takes lines of blocks to such lines");
    }

    const Game& game_;
    std::map<Cells, Cells> guards_;
    std::set<Cells> outer_;
};

// Reads a position string; see docs/proofs.md.
template <int W>
class PositionReader {
  public:
    explicit PositionReader(const Rules<W>& rules) : rules_(rules), game_(rules.game) {}

    Position<W> read(const std::string& text) const {
        expect(text.size() <= MAX_TEXT, "a position of at most 20000 characters");
        const std::vector<std::string> fields = split(text, ' ');
        const std::size_t wanted = !rules_.is_ultimate() ? 2 : game_.keeps_won_blocks_open ? 4 : 3;
        expect(fields.size() == wanted, "a position string with 2 fields, in Ultimate 3, with +open 4");
        Position<W> position;
        read_board(fields[0], position);
        check_turn(fields[1], position);
        if (rules_.is_ultimate())
            read_blocks(fields, position);
        else
            check_flat(position);
        return position;
    }

  private:
    static constexpr std::size_t MAX_TEXT = 20'000, MAX_RUN_DIGITS = 6;

    void read_board(const std::string& text, Position<W>& position) const {
        const std::vector<std::string> slices = split(text, '|');
        expect(slices.size() == game_.slices.size(), "as many slices as the board has");
        for (std::size_t i = 0; i < slices.size(); ++i) {
            const std::vector<std::string> rows = split(slices[i], '/');
            expect(rows.size() == game_.slices[i].size(), "as many rows as the board has");
            for (std::size_t y = 0; y < rows.size(); ++y) read_row(rows[y], game_.slices[i][y], position);
        }
    }

    static void read_row(const std::string& text, const Cells& cells, Position<W>& position) {
        std::size_t at = 0;
        std::string run;
        const auto skip = [&] {
            at += run.empty() ? 0 : std::stoul(run);
            run.clear();
        };
        for (const char letter : text) {
            if (letter >= '0' && letter <= '9') {
                run.push_back(letter);
                expect(run.size() <= MAX_RUN_DIGITS, "rows of the board's width");
                continue;
            }
            expect(letter == 'x' || letter == 'o', "rows of x, o and numbers of empty cells");
            skip();
            expect(at < cells.size(), "rows of the board's width");
            position.marks[letter == 'x' ? X : O].add(cells[at++]);
        }
        skip();
        expect(at == cells.size(), "rows of the board's width");
    }

    static void check_turn(const std::string& field, const Position<W>& position) {
        const int more = position.marks[X].count() - position.marks[O].count();
        expect(more == 0 || more == 1, "as many X as O, or one more");
        expect(field == (more == 0 ? "x" : "o"), "the side to move, of a game that is not over");
    }

    void check_flat(const Position<W>& position) const {
        const auto marked = position.marks[X] | position.marks[O];
        for (const auto& own : position.marks)
            own.for_each([&](int cell) { expect(!rules_.completes(own, cell), "a position without a complete line"); });
        marked.for_each([&](int cell) {
            for (const int other : rules_.below[cell]) expect(marked.has(other), "marks that rest on others");
        });
        expect(marked != rules_.board, "a board with an empty cell");
    }

    void read_blocks(const std::vector<std::string>& fields, Position<W>& position) const {
        const bool is_open = game_.keeps_won_blocks_open;
        expect(!is_open || fields[3].size() == static_cast<std::size_t>(game_.blocks), "an owner for each block");
        for (int block = 0; block < game_.blocks; ++block) {
            const bool x = has_line(position, X, block), o = has_line(position, O, block);
            char owner = x ? 'x' : o ? 'o' : '.';
            if (is_open) owner = fields[3][block];
            expect(owner == '.' ? !x && !o : (owner == 'x' && x) || (owner == 'o' && o), "owners with a line there");
            expect(is_open || !(x && o), "blocks with a line of one side at most");
            if (owner != '.') position.owned[owner == 'x' ? X : O] |= 1u << block;
        }
        for (const std::uint32_t owned : position.owned)
            expect(!rules_.has_outer_line(owned), "a position without a complete line of blocks");
        const auto free = rules_.open_cells(position);
        expect(free.any(), "a position with a legal move");
        if (fields[2] == "-") return;
        position.wanted = parse_size(fields[2]) - 1;
        expect(position.wanted >= 0 && position.wanted < game_.blocks, "a block to play, or -");
        expect((free & rules_.block_cells[position.wanted]).any(), "an open block to play");
    }

    bool has_line(const Position<W>& position, int side, int block) const {
        bool found = false;
        (position.marks[side] & rules_.block_cells[block]).for_each([&](int cell) {
            found |= rules_.completes(position.marks[side], cell);
        });
        return found;
    }

    const Rules<W>& rules_;
    const Game& game_;
};

}  // namespace checker
