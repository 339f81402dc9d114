// A small trained network that evaluates positions of games with blocks, in integer arithmetic.
//
//   marks of a block -> encoder (shared by all blocks) -> projection (one per place) -> a row of lanes
//
// A position is the sum of the rows of its blocks, from the point of view of either side, and of rows for the block to
// play; a head of two layers turns the two sums into a score. bench/notes/networks.md says how it was trained.
//
// A file begins with "NNN2" and int32: cells of a block, blocks, spread, lanes, units of the head, layers of the
// encoder, and the units of each layer. Then all parameters follow as int16, in the order of the constructor.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/network.hpp"
#include "search/network_parts.hpp"
#include "support/aligned.hpp"
#include "support/huge_pages.hpp"

namespace noughts {

class BlockNetwork : public Network {
  public:
    static bool is_one(std::span<const std::uint8_t> bytes);  // whether the bytes are a network of this kind
    // Reads a file written by noughts/learn/block_parameters.py. Throws std::invalid_argument if the network is not for
    // games of this shape.
    BlockNetwork(std::span<const std::uint8_t> bytes, const Game& game);

    int cells() const { return cells_; }  // of a block
    int blocks() const { return blocks_; }
    int lanes() const { return lanes_; }
    bool fits(const Game& game) const override;  // whether the game has the shape of the network
    int spread() const override { return spread_; }
    std::unique_ptr<Accumulator> make_accumulator() const override;

    int code_size() const { return places_[0].inputs(); }
    // Computes the code of a block's marks from one point of view.
    void encode(std::uint32_t own, std::uint32_t others, std::int16_t* code) const;
    // Computes the row of an open block from the codes of its marks. In codes and rows, the part from X's point of view
    // comes first, then that from O's.
    void open_block(int block, const std::int16_t* codes, std::int16_t* row) const;
    // Computes the row for the marks in the block that `turn` must play in.
    void sent_to(Side turn, const std::int16_t* codes, std::int16_t* row) const;
    const std::int16_t* decided_block(Block block, Owner owner) const;
    // The row for the block to play in; `block` is NO_BLOCK if the side to move may play anywhere.
    const std::int16_t* sent(bool count, Side turn, Block block) const;
    // The estimate for the side to move, from the sum of all rows.
    int head(const std::int16_t* sums, Side turn) const;

    static constexpr int MAX_LANES = 64;

  private:
    static constexpr int MAX_WIDTH = 128, MAX_LAYERS = 4;  // of the encoder
    static constexpr int MAX_UNITS = 64;                   // of the head
    static constexpr int SCALE = 10;                       // parameters are in units of 2^-10
    static constexpr int MAX_CODE = 32767;          // outputs of the encoder are clipped to the range from 0 to 32
    static constexpr int LANE_SCALE = 9;            // rows are in units of 2^-9
    static constexpr std::int16_t MAX_LANE = 2047;  // lanes are clipped to the range from 0 to 4

    struct Layer {
        Matrix weights;
        std::vector<int> bias;
    };

    void read_encoder(NetworkReader& reader, std::span<const int> widths);
    void read_rows(NetworkReader& reader);
    void project(const std::int16_t* code, const Matrix& projection, std::int16_t* lanes) const;
    void check_sums() const;

    int cells_, blocks_, spread_, lanes_;
    std::vector<int> first_weights_, first_bias_;  // the first layer of the encoder, whose inputs are the marks
    std::vector<Layer> layers_;                    // the other layers of the encoder
    std::vector<Matrix> places_;                   // the projection of each block
    // The projections of the block to play in: for the side to move, and for the other.
    std::array<Matrix, 2> forced_;
    AlignedVector<std::int16_t> decided_;  // rows by block and owner
    AlignedVector<std::int16_t> sent_;     // rows by rules, turn and block to play in (the last one: any block)
    Head head_;
};

// From one position to the next most blocks do not change, so the sums are updated only where the new position differs.
// Codes are cached by the marks of a block, rows by the marks and the place.
class BlockAccumulator : public Network::Accumulator {
  public:
    explicit BlockAccumulator(const BlockNetwork& network);

    int estimate(const Position& position) override;

  private:
    const std::int16_t* codes(std::uint32_t x, std::uint32_t o);
    const std::int16_t* row(int place, std::uint32_t x, std::uint32_t o);
    std::uint32_t marks_in(const Position& position, int block, Side side) const;
    Word changed_blocks(const Position& position);
    void update_block(const Position& position, int block);

    const BlockNetwork& network_;
    int size_;  // of a row
    // Caches of codes and rows, indexed by a hash of their keys.
    std::vector<std::uint64_t> keys_of_codes_, keys_of_rows_;
    HugePages codes_, rows_;
    // The position evaluated last:
    bool has_position_ = false;
    PerSide<CellSet> marks_;
    AlignedVector<std::int16_t> of_block_;  // the row of each block
    AlignedVector<std::int16_t> sums_;      // of the rows in of_block_
};

}  // namespace noughts
