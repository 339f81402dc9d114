// A game as data: cells, lines over them, blocks, and the tables the machine runs on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace noughts {

using Side = int;  // X moves first; ~side would not do, so the opponent is 1 - side
inline constexpr Side X = 0;
inline constexpr Side O = 1;
inline constexpr Side NOBODY = -1;

// What became of a block: NOBODY while it is undecided, X or O when won, DEAD when full without a line.
inline constexpr int DEAD = 2;

inline constexpr int MAX_CELLS = 4096;
inline constexpr int MAX_LINES = 40000;
inline constexpr int MAX_LINE_LENGTH = 15;
inline constexpr int MAX_GUARDS = 16;
inline constexpr int MAX_BLOCKS = 64;
inline constexpr int MAX_WEIGHT = 16'384;

// One line's whole state in 32 bits, so that a mark is one addition:
//
//     31            16 15 14 13     10 9      5 4      0
//    +----------------+-----+---------+--------+--------+
//    | sum of empties |  0  | empties | o marks| x marks|
//    +----------------+-----+---------+--------+--------+
//
// The sum of the numbers of the empty cells names the last one when a single cell is left, and the partner of
// either when two are. A line is complete for X when no cell is empty and the o field is 0.
// A mark on a guard counts as one mark of the *other* side: it spoils the line for its owner, nothing else.
// Example, the row 3,4,5 of 3x3 with X on 4: sum 8, empties 2, o 0, x 1.
using LineState = std::uint32_t;
inline constexpr int O_SHIFT = 5;
inline constexpr int EMPTIES_SHIFT = 10;
inline constexpr int SUM_SHIFT = 16;
inline constexpr LineState MARKS_MASK = 0x1f;
inline constexpr LineState ONE_EMPTY = 1u << EMPTIES_SHIFT;
inline constexpr LineState TWO_EMPTY = 2u << EMPTIES_SHIFT;
inline constexpr LineState CLASS_MASK = (1u << 14) - 1;  // everything but the sum: what a line is worth depends on this

// The bits that must be zero for `side` to have completed the line: the empties and the opponent's marks.
inline constexpr std::array<LineState, 2> RIVAL_MASK = {
    (0xfu << EMPTIES_SHIFT) | (MARKS_MASK << O_SHIFT),
    (0xfu << EMPTIES_SHIFT) | MARKS_MASK,
};

constexpr LineState mark_delta(Side side, int cell) {
    return (1u << (side * O_SHIFT)) - ONE_EMPTY - (static_cast<LineState>(cell) << SUM_SHIFT);
}
constexpr LineState guard_delta(Side side) { return 1u << ((1 - side) * O_SHIFT); }

constexpr bool is_complete(LineState line, Side side) { return (line & RIVAL_MASK[side]) == 0; }
constexpr bool lacks_one(LineState line, Side side) { return (line & RIVAL_MASK[side]) == ONE_EMPTY; }
constexpr bool lacks_two(LineState line, Side side) { return (line & RIVAL_MASK[side]) == TWO_EMPTY; }
constexpr int sum_of_empties(LineState line) { return static_cast<int>(line >> SUM_SHIFT); }
constexpr int empties_of(LineState line) { return static_cast<int>((line >> EMPTIES_SHIFT) & 0xf); }
constexpr int marks_of(LineState line, Side side) { return static_cast<int>((line >> (side * O_SHIFT)) & MARKS_MASK); }

struct LineData {
    std::vector<int> cells;
    std::vector<int> guards;  // cells that must not be the owner's when the line is complete
};

// What the evaluation counts; integers, tuned by measurement, see bench/tune.
struct Weights {
    std::vector<int> line;   // worth of a line with so many marks of one side and none of the other
    std::vector<int> outer;  // the same for outer lines
    int tempo = 0;           // to have the move
    int block = 0;           // a won block, over and above its outer lines
    int free_move = 0;       // to be sent nowhere
    int exposed = 0;         // to be sent to a block where the opponent threatens to complete an outer line
    int threatened = 0;      // an undecided block that a side could win at once, were it sent there
    int lined_up = 0;        // an outer line of which a side has won or threatens every block
};

// What Python hands over. An empty vector stands for "nothing of the kind": no blocks, nowhere sent, no gravity.
struct GameData {
    int cells = 0;
    std::vector<LineData> lines;
    std::vector<std::vector<int>> rests_on;     // per cell: cells that must be filled before it
    std::vector<int> block_of;                  // per cell
    std::vector<int> sends;                     // per cell: the block the opponent must play in, or -1
    std::vector<std::vector<int>> outer_lines;  // lines over blocks
    bool misere = false;                        // completing an (outer) line loses
    bool counts_blocks = false;                 // with no line, more blocks win
    bool keeps_won_blocks_open = false;         // a won block stays playable until it is full
    Weights weights;
    std::vector<std::uint8_t> network;  // judges positions in place of the weights, see network.hpp
};

inline constexpr std::uint64_t TURN_KEY = 0x7d2f6bb1c9a3e845ull;  // in keys of positions where O is to move

// Lists of different lengths in one array: items of row i are values[start[i]] to values[start[i + 1] - 1].
struct Rows {
    std::vector<std::uint32_t> start{0};
    std::vector<std::uint16_t> values;

    std::span<const std::uint16_t> operator[](int row) const {
        return {values.data() + start[row], values.data() + start[row + 1]};
    }
};

// What play and undo need to know of a cell, in one place: half a cache line instead of six arrays.
struct CellInfo {
    std::uint32_t first_line, last_line;  // in lines_of.values
    std::uint64_t keys[2];                // Zobrist: a mark of either side
    std::uint8_t block;
    std::int8_t sends;  // block, or -1
};

// The compiled, immutable game. Shared by all its positions.
class Game {
  public:
    // Throws std::invalid_argument when the data contradict themselves or exceed a limit.
    explicit Game(GameData data);

    const GameData& data() const { return data_; }
    int cells() const { return data_.cells; }
    int words() const { return words_; }  // 64-bit words in a set of cells
    int blocks() const { return blocks_; }
    int lines() const { return static_cast<int>(data_.lines.size()); }
    bool has_guards() const { return has_guards_; }
    bool has_gravity() const { return has_gravity_; }
    // Whether positions keep the sets of lines that lack two: with few lines a look at all of them costs less.
    bool keeps_pairs() const { return keeps_pairs_; }
    bool misere() const { return data_.misere; }
    bool counts_blocks() const { return data_.counts_blocks; }
    bool keeps_won_blocks_open() const { return data_.keeps_won_blocks_open; }

    Rows lines_of;                       // cell -> lines through it
    Rows guarded_by;                     // cell -> lines it guards
    Rows carries;                        // cell -> cells that rest on it
    Rows cells_of;                       // block -> its cells
    Rows line_cells;                     // line -> its cells
    Rows outer_lines_of;                 // block -> outer lines through it
    std::vector<std::uint8_t> supports;  // cell -> how many cells it rests on
    std::vector<CellInfo> cell_info;
    std::vector<std::uint8_t> centrality;  // cell -> 0 to 60: how many lines pass through it and through its neighbours
    std::vector<LineState> start_lines;    // all lines empty
    std::vector<LineState> start_outer;
    std::vector<std::uint64_t> block_masks;                // blocks x words
    std::vector<std::uint64_t> all_cells;                  // words: every cell of the game
    std::vector<std::uint64_t> outer_masks;                // outer line -> its blocks
    std::vector<std::uint64_t> send_keys;                  // the block to be played
    std::vector<std::array<std::uint64_t, 3>> owner_keys;  // X's, O's, dead
    std::uint64_t start_key = 0;                           // tells games apart: a fingerprint of the data
    std::vector<std::int16_t> line_scores;                 // line class -> worth to X
    std::vector<std::int16_t> outer_scores;

    int block_of(int cell) const { return cell_info[cell].block; }
    std::uint64_t cell_key(Side side, int cell) const { return cell_info[cell].keys[side]; }
    std::span<const std::uint64_t> block_mask(int block) const {
        return {block_masks.data() + static_cast<std::size_t>(block) * words_, static_cast<std::size_t>(words_)};
    }

  private:
    void check() const;
    void check_blocks() const;
    void check_weights() const;
    void index_lines();
    void index_gravity();
    void index_blocks();
    void rank_centrality();
    void make_keys();
    void make_scores();

    GameData data_;
    int words_ = 0;
    int blocks_ = 1;
    bool has_guards_ = false;
    bool has_gravity_ = false;
    bool keeps_pairs_ = false;
};

// A well-mixed 64-bit value; the only source of "randomness" in the core, the same on every machine.
constexpr std::uint64_t mix(std::uint64_t v) {
    v += 0x9e3779b97f4a7c15ull;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ull;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebull;
    return v ^ (v >> 31);
}

}  // namespace noughts
