// A small trained network for games of one block, in integer arithmetic. Each cell looks along its lines.
//
//   state of a slot (search/line_features.hpp) -> kind -> a row of 2 * lanes numbers
//
// A side's view of an empty cell is a sum over the slots of the cell, clipped: the first half of the row for the slot's
// kind from the side's view, plus the second half of the row for its kind from the opponent's view. A side's view of
// the position is the sum over all empty cells. A head of two layers turns the two views of the position into a score,
// and a dot product turns the two views of a cell into a worth for ordering moves. docs/training.md says how the
// parameters are trained.
//
// A file begins with "NNL1", then int32: length of a line and guarded (of strips; else 0); uint64: fingerprint of the
// game, or 0 for any board with such strips; int32: kinds, lanes, units of the head, spread. Then int16: the rows, the
// weights of moves, the weights and the biases of the head, the weights and the bias of its last layer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/line_features.hpp"
#include "search/network.hpp"
#include "search/network_parts.hpp"

namespace noughts {

class LineNetwork : public Network {
  public:
    static constexpr int MAX_LANES = 64;  // their number is a multiple of CHUNK
    // Views of cells are in units of 1/128, clipped to the range from 0 to 2.
    static constexpr std::int16_t MAX_LANE = 255;

    static bool is_one(std::span<const std::uint8_t> bytes);  // whether the bytes are a network of this kind
    // Reads a file. Throws std::invalid_argument if the network is neither for the game nor for lines like those of the
    // game.
    LineNetwork(std::span<const std::uint8_t> bytes, const Game& game);

    bool fits(const Game& game) const override { return game.fingerprint() == fingerprint_; }
    int spread() const override { return spread_; }
    std::unique_ptr<Accumulator> make_accumulator() const override;

    const LineFeatures& features() const { return *features_; }
    int lanes() const { return lanes_; }
    const std::int16_t* row(int kind) const { return rows_.data() + static_cast<std::size_t>(kind) * 2 * lanes_; }

    // The estimate for the side to move, from the views of the position of the side to move (`own`) and of its
    // opponent.
    int head(std::span<const std::int32_t> own, std::span<const std::int32_t> others) const;
    // The worth of a cell as a move, from both sides' views of the cell before clipping.
    int worth(const std::int16_t* own, const std::int16_t* others) const;

  private:
    static constexpr int HEAD = 32;  // units of the head; the first is not clipped
    static constexpr int VIEW_SHIFT =
        3;                            // from sums of views, in 1/128, to inputs of the head, in 1/256 of a sixteenth
    static constexpr int SCALE = 10;  // parameters of the head are in units of 2^-10
    static constexpr int UNIT_SCALE = 8;   // units of the head are in units of 2^-8
    static constexpr int MAX_UNIT = 2047;  // units of the head are clipped to the range from 0 to 8
    static constexpr int MAX_VIEW = 32767;

    void check_sums() const;

    std::uint64_t fingerprint_;  // of the game; 0 for any board with such strips
    std::shared_ptr<const LineFeatures> features_;
    int lanes_, spread_;
    AlignedVector<std::int16_t> rows_;
    AlignedVector<std::int16_t> move_weights_;  // for the own lanes, then for the opponent's
    Head head_;
};

// Both sides' views of every empty cell and of the position. For a new position, marks are set or removed one by one;
// each changes the views of the cells that see it.
class LineAccumulator : public Network::Accumulator {
  public:
    explicit LineAccumulator(const LineNetwork& network);

    int estimate(const Position& position) override;
    bool has_worth() const override { return true; }
    int worth(const Position& position, Cell cell) override;

  private:
    using Sums = PerSide<std::array<std::int32_t, LineNetwork::MAX_LANES>>;
    struct Slot {
        std::uint32_t states;  // from X's view in the lower half, from O's in the upper
        PerSide<std::uint16_t> kinds;
    };
    static constexpr int MAX_CHANGES = 96;  // limit for changes that are applied together

    std::int16_t* views(Cell cell) { return views_.data() + static_cast<std::size_t>(cell) * 2 * network_.lanes(); }
    PerSide<std::uint16_t> kinds(std::uint32_t states) const {
        return {{network_.features().kind(states & 0xffff), network_.features().kind(states >> 16)}};
    }

    void update(const Position& position, Cell spared);
    void set_mark(Cell cell, Side side, bool marked);
    void try_mark(Cell cell, Side side, Sums& sums);
    void note_change(Cell cell, PerSide<std::uint16_t> before, PerSide<std::uint16_t> after);
    void apply_changes(bool keeps);
    void look_at(Cell cell);
    void add_cell(Cell cell, int sign);
    void add_gains(Sums& sums);

    const LineNetwork& network_;
    int width_;  // slots of a cell
    std::vector<Slot> slots_;
    PerSide<CellSet> marks_;
    std::vector<std::uint8_t> is_marked_;          // by cell
    AlignedVector<std::int16_t> views_;            // by cell and side, before clipping
    Sums sums_{};                                  // of the clipped views of all empty cells
    std::array<ViewChange, MAX_CHANGES> changes_;  // the new kind in one slot of a cell
    int change_count_ = 0;
    // The amounts that one mark adds to the sums. 16 bits suffice, because a view changes by at most MAX_LANE.
    PerSide<std::array<std::int16_t, LineNetwork::MAX_LANES>> gains_{};
};

}  // namespace noughts
