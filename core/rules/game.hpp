// A game as data: its cells, lines, blocks, and the tables that positions use.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/cell_set.hpp"
#include "rules/side.hpp"

namespace noughts {

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
// The sum of the numbers of the empty cells is the last empty cell when one is left; when two are left, subtracting
// one of them gives the other. A line is complete for X when no cell is empty and the o field is 0.
// A mark on a guard counts as one mark of the *other* side: it spoils the line only for the side that made it.
// Example, the row 3,4,5 of 3x3 with X on 4: sum 8, empties 2, o 0, x 1.
using LineState = std::uint32_t;
inline constexpr int O_SHIFT = 5;
inline constexpr int EMPTIES_SHIFT = 10;
inline constexpr int SUM_SHIFT = 16;
inline constexpr LineState MARKS_MASK = 0x1f;
inline constexpr LineState ONE_EMPTY = 1u << EMPTIES_SHIFT;
inline constexpr LineState TWO_EMPTY = 2u << EMPTIES_SHIFT;
inline constexpr LineState CLASS_MASK = (1u << 14) - 1;  // all but the sum: determines the weight of a line

constexpr LineState one_mark(Side side) { return 1u << (index(side) * O_SHIFT); }
constexpr LineState marks_mask(Side side) { return MARKS_MASK << (index(side) * O_SHIFT); }

// The bits that must be zero for a side to have completed the line: the number of empty cells and the opponent's marks.
inline constexpr PerSide<LineState> RIVAL_MASK = {{
    (0xfu << EMPTIES_SHIFT) | marks_mask(O),
    (0xfu << EMPTIES_SHIFT) | marks_mask(X),
}};

// The change of a line's state by a mark on one of its cells, and by a mark on one of its guards.
constexpr LineState mark_delta(Side side, Cell cell) {
    return one_mark(side) - ONE_EMPTY - (static_cast<LineState>(cell) << SUM_SHIFT);
}
constexpr LineState guard_delta(Side side) { return one_mark(opponent(side)); }

constexpr bool is_complete(LineState line, Side side) { return (line & RIVAL_MASK[side]) == 0; }
constexpr bool lacks_one(LineState line, Side side) { return (line & RIVAL_MASK[side]) == ONE_EMPTY; }
constexpr bool lacks_two(LineState line, Side side) { return (line & RIVAL_MASK[side]) == TWO_EMPTY; }
constexpr int sum_of_empties(LineState line) { return static_cast<int>(line >> SUM_SHIFT); }
constexpr int empties_of(LineState line) { return static_cast<int>((line >> EMPTIES_SHIFT) & 0xf); }
constexpr int marks_of(LineState line, Side side) {
    return static_cast<int>((line >> (index(side) * O_SHIFT)) & MARKS_MASK);
}

struct LineData {
    std::vector<int> cells;
    std::vector<int> guards;  // cells in which the owner of the complete line must have no mark
};

// Weights of the hand-written evaluation: integers, tuned by measurement (bench/tune).
struct Weights {
    std::vector<int> line;   // of a line with n marks of one side and none of the other, by n
    std::vector<int> outer;  // of an outer line, by n
    int tempo = 0;           // for the side to move
    int block = 0;           // of a won block, in addition to its outer lines
    int free_move = 0;       // for being allowed to play in any open block
    int exposed = 0;         // for being sent to a block where the opponent threatens to complete an outer line
    int threatened = 0;      // of an undecided block that a side could win at once if it were sent there
    int lined_up = 0;        // of an outer line in which a side has won or threatens every block
};

// The description of a game, as Python passes it. An empty vector means that the game has none: no blocks, no sending,
// no gravity.
struct GameData {
    int cells = 0;
    std::vector<LineData> lines;
    std::vector<std::vector<int>> rests_on;     // by cell: the cells that must be filled before it
    std::vector<int> block_of;                  // by cell
    std::vector<int> sends;                     // by cell: the block in which the opponent must play next, or NO_BLOCK
    std::vector<std::vector<int>> outer_lines;  // as lists of blocks
    bool misere = false;                        // completing a line (or outer line) loses
    bool counts_blocks = false;                 // if there is no outer line, the side with more blocks wins
    bool keeps_won_blocks_open = false;         // a won block stays playable until it is full
    Weights weights;
    std::vector<std::uint8_t> network;  // used instead of the weights unless empty, see network.hpp
};

inline constexpr std::uint64_t TURN_KEY = 0x7d2f6bb1c9a3e845ull;  // part of the keys of positions with O to move

// Lists of different lengths in one array: row i is values[start[i]] to values[start[i + 1] - 1].
struct Rows {
    std::vector<std::uint32_t> start{0};
    std::vector<std::uint16_t> values;

    std::span<const std::uint16_t> operator[](int row) const {
        return {values.data() + start[row], values.data() + start[row + 1]};
    }
};

// The data of a cell that play and undo need, in half a cache line.
struct CellInfo {
    std::uint32_t first_line, last_line;  // range of the lines through the cell
    PerSide<std::uint64_t> keys;          // Zobrist keys of a mark of either side
    std::uint8_t block;
    std::int8_t sends;  // a block, or NO_BLOCK
};

// A compiled game. Immutable, and shared by all its positions.
class Game {
  public:
    // Throws std::invalid_argument if the data are inconsistent or exceed a limit.
    explicit Game(GameData data);

    const GameData& data() const { return data_; }
    int cells() const { return data_.cells; }
    int words() const { return words_; }  // number of 64-bit words in a set of cells
    int blocks() const { return blocks_; }
    int lines() const { return static_cast<int>(data_.lines.size()); }
    bool has_one_block() const { return blocks_ == 1; }
    bool has_guards() const { return has_guards_; }
    bool has_gravity() const { return has_gravity_; }
    bool misere() const { return data_.misere; }
    bool counts_blocks() const { return data_.counts_blocks; }
    bool keeps_won_blocks_open() const { return data_.keeps_won_blocks_open; }
    // Whether the game has one block, is won by completing a line, and lets any empty cell be played: no gravity, no
    // misère.
    bool is_static() const { return has_one_block() && !has_gravity_ && !misere(); }
    // Whether an extra mark never hurts its owner: in static games without guards.
    bool marks_never_hurt() const { return is_static() && !has_guards_; }
    // Whether positions maintain the sets of lines that lack two cells. With few lines, scanning all of them is
    // cheaper.
    bool keeps_pairs() const { return keeps_pairs_; }

    std::span<const std::uint16_t> lines_of(Cell cell) const {
        const CellInfo& info = cell_info_[cell];
        return {lines_of_.values.data() + info.first_line, lines_of_.values.data() + info.last_line};
    }
    // The lines that the cell guards.
    std::span<const std::uint16_t> guarded_by(Cell cell) const { return guarded_by_[cell]; }
    std::span<const std::uint16_t> carries(Cell cell) const { return carries_[cell]; }  // the cells that rest on it
    std::span<const std::uint16_t> cells_of(Block block) const { return cells_of_[block]; }
    std::span<const std::uint16_t> line_cells(int line) const { return line_cells_[line]; }
    std::span<const std::uint16_t> outer_lines_of(Block block) const { return outer_lines_of_[block]; }

    const CellInfo& cell_info(Cell cell) const { return cell_info_[cell]; }
    Block block_of(Cell cell) const { return cell_info_[cell].block; }
    Block sends(Cell cell) const { return cell_info_[cell].sends; }  // or NO_BLOCK
    // By cell: the number of cells it rests on.
    const std::vector<std::uint8_t>& supports() const { return supports_; }
    int supports(Cell cell) const { return supports_[cell]; }
    // From 0 to 60: grows with the number of lines through the cell and through its neighbours.
    int centrality(Cell cell) const { return centrality_[cell]; }
    const CellSet& all_cells() const { return all_cells_; }
    auto block_mask(Block block) const {
        return CellView(
            words_, [mask = block_masks_.data() + static_cast<std::size_t>(block) * words_](int w) { return mask[w]; });
    }
    const std::vector<Word>& outer_masks() const { return outer_masks_; }  // the blocks of each outer line

    // The states of all lines, and of all outer lines, without marks.
    const std::vector<LineState>& start_lines() const { return start_lines_; }
    const std::vector<LineState>& start_outer_lines() const { return start_outer_; }
    // The weight for X of a line, and of an outer line, by line class.
    const std::int16_t* line_scores() const { return line_scores_.data(); }
    const std::int16_t* outer_scores() const { return outer_scores_.data(); }

    // A hash of the rules, which identifies the game. Also the hash of the empty position.
    std::uint64_t fingerprint() const { return fingerprint_; }
    std::uint64_t cell_key(Side side, Cell cell) const { return cell_info_[cell].keys[side]; }
    std::uint64_t send_key(Block block) const { return send_keys_[block]; }
    std::uint64_t owner_key(Block block, Owner owner) const { return owner_keys_[block][owner]; }

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
    Rows lines_of_, guarded_by_, carries_, cells_of_, line_cells_, outer_lines_of_;
    std::vector<std::uint8_t> supports_;
    std::vector<CellInfo> cell_info_;
    std::vector<std::uint8_t> centrality_;
    std::vector<LineState> start_lines_, start_outer_;
    CellSet all_cells_;
    std::vector<Word> block_masks_;  // blocks x words
    std::vector<Word> outer_masks_;
    std::vector<std::uint64_t> send_keys_;
    std::vector<PerOwner<std::uint64_t>> owner_keys_;
    std::uint64_t fingerprint_ = 0;
    std::vector<std::int16_t> line_scores_, outer_scores_;
};

// Mixes the bits of a number. This is the only source of "randomness" in the core, and the same on every machine.
constexpr std::uint64_t mix(std::uint64_t v) {
    v += 0x9e3779b97f4a7c15ull;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ull;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebull;
    return v ^ (v >> 31);
}

}  // namespace noughts
