// A small trained network that evaluates positions of games with blocks, in integer arithmetic.
//
//   marks of a block -> encoder (shared by all blocks) -> projection (one per place) -> a row of LANES numbers
//
// A position is the sum of the rows of its blocks, from the point of view of either side, and of rows for the block to
// play; a head of two layers turns the two sums into a score. docs/engine.md says how the parameters were trained.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/network.hpp"
#include "search/network_parts.hpp"

namespace noughts {

class BlockNetwork : public Network {
  public:
    static constexpr int LANES = 32;
    using Lanes = std::array<std::int16_t, LANES>;
    using Views = PerSide<Lanes>;  // from the point of view of either side

    static bool is_one(std::span<const std::uint8_t> bytes);  // whether a file says so
    // Reads a file written by bench/train; throws std::invalid_argument when it is not for a game of this shape.
    BlockNetwork(std::span<const std::uint8_t> bytes, const Game& game);

    int cells() const { return cells_; }  // of a block
    int blocks() const { return blocks_; }
    bool fits(const Game& game) const override;  // whether the game has the shape of the network
    int spread() const override { return spread_; }
    std::unique_ptr<Accumulator> make_accumulator() const override;

    // The row of an open block with these marks.
    Views open_block(int block, std::uint32_t x, std::uint32_t o) const;
    // The row of the marks in the block that `turn` must play in.
    Views sent_to(Side turn, std::uint32_t x, std::uint32_t o) const;
    const Lanes& decided_block(Block block, Owner owner, Side seen_by) const {
        return decided_[block * 3 + (owner == Owner::DEAD ? 2 : owner != owned_by(seen_by))];
    }
    // `block` is NO_BLOCK when the side to move may play anywhere.
    const Lanes& sent(bool count, Side turn, Block block, Side seen_by) const {
        return sent_[((count ? 2 : 0) + (seen_by != turn)) * (blocks_ + 1) + (block < 0 ? blocks_ : block)];
    }
    // The estimate for the side to move, from the sums of all rows.
    int head(const Views& sums, Side turn) const;

  private:
    static constexpr int HEAD = 16;
    static constexpr int SCALE = 10;       // parameters are in units of 2^-10
    static constexpr int LANE_SCALE = 9;   // rows in units of 2^-9
    static constexpr int MAX_LANE = 2047;  // lanes are clipped to the range from 0 to 4

    void encode(std::uint32_t own, std::uint32_t others, int* code) const;
    Lanes project(const int* code, const int* projection) const;
    Views project_views(std::uint32_t x, std::uint32_t o, const int* for_x, const int* for_o) const;
    void check_sums() const;

    int cells_, blocks_, spread_, first_, second_;
    std::vector<int> first_weights_, first_bias_, second_weights_, second_bias_, places_, forced_;
    std::vector<Lanes> decided_;  // block, owner
    std::vector<Lanes> sent_;     // rules, who looks, block to play in (the last: any)
    Head<2 * LANES, HEAD> head_;
};

// Most blocks are the same from one position to the next, so the sums of the last position are updated where the new
// one differs, and rows are cached by the marks of the block.
class BlockAccumulator : public Network::Accumulator {
  public:
    explicit BlockAccumulator(const BlockNetwork& network);

    int estimate(const Position& position) override;

  private:
    const BlockNetwork::Views& row(int place, std::uint32_t x, std::uint32_t o);
    std::uint32_t marks_in(const Position& position, int block, Side side) const;
    Word changed_blocks(const Position& position);
    void update_block(const Position& position, int block);

    const BlockNetwork& network_;
    std::vector<std::uint64_t> keys_;  // of the cached rows
    std::vector<BlockNetwork::Views> rows_;
    // The position evaluated last:
    bool has_position_ = false;
    PerSide<CellSet> marks_;
    std::vector<BlockNetwork::Views> of_block_;  // the row of each block
    BlockNetwork::Views sums_{};                 // of those rows
};

}  // namespace noughts
