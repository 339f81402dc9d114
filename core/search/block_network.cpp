#include "search/block_network.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "search/evaluate.hpp"
#include "search/network_parts.hpp"

namespace noughts {
namespace {

constexpr std::uint8_t MAGIC[4] = {'N', 'N', 'N', '1'};
constexpr int MAX_BLOCK_CELLS = 25;  // so that both sides' marks and the place fit a key
constexpr std::size_t CACHED_ROWS = std::size_t{1} << 15;
constexpr std::uint64_t NO_KEY = ~std::uint64_t{0};

std::vector<BlockNetwork::Lanes> to_lanes(const std::vector<int>& parameters) {
    std::vector<BlockNetwork::Lanes> rows(parameters.size() / BlockNetwork::LANES);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        rows[i / BlockNetwork::LANES][i % BlockNetwork::LANES] =
            static_cast<std::int16_t>(scaled_down(parameters[i], 1));
    return rows;
}

void add(BlockNetwork::Lanes& sums, const BlockNetwork::Lanes& row) {
    for (int i = 0; i < BlockNetwork::LANES; ++i) sums[i] = static_cast<std::int16_t>(sums[i] + row[i]);
}

void subtract(BlockNetwork::Lanes& sums, const BlockNetwork::Lanes& row) {
    for (int i = 0; i < BlockNetwork::LANES; ++i) sums[i] = static_cast<std::int16_t>(sums[i] - row[i]);
}

// Bounds for the product of a matrix with inputs between 0 and `most[i]`: no partial sum exceeds `reach`, and column j
// is at most `high[j]`.
struct ProductBounds {
    std::int64_t reach = 0;
    std::vector<std::int64_t> high;
};
ProductBounds bounds_of(std::span<const std::int64_t> most, const int* weights, int columns) {
    ProductBounds bounds;
    for (int j = 0; j < columns; ++j) {
        std::int64_t reach = 0, high = 0;
        for (std::size_t i = 0; i < most.size(); ++i) {
            const std::int64_t part = most[i] * weights[i * columns + j];
            reach += std::abs(part);
            high += std::max<std::int64_t>(part, 0);
        }
        bounds.reach = std::max(bounds.reach, reach);
        bounds.high.push_back(high);
    }
    return bounds;
}

}  // namespace

// --- the parameters -----------------------------------------------------------------------------------------------

bool BlockNetwork::is_one(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= 4 && std::equal(MAGIC, MAGIC + 4, bytes.begin());
}

BlockNetwork::BlockNetwork(std::span<const std::uint8_t> bytes, const Game& game) {
    if (!is_one(bytes)) throw std::invalid_argument("expected a network, got something else");
    NetworkReader reader(bytes.subspan(4));
    cells_ = reader.number();
    blocks_ = reader.number();
    spread_ = reader.number();
    first_ = reader.number();
    second_ = reader.number();
    if (reader.number() != LANES || reader.number() != HEAD)
        throw std::invalid_argument("expected a network of another width");
    if (cells_ < 1 || cells_ > MAX_BLOCK_CELLS || !fits(game) || first_ < 1 || first_ > 1024 || second_ < 1 ||
        second_ > 1024)
        throw std::invalid_argument("expected a network for a game of this shape");
    first_weights_ = reader.parameters(static_cast<std::size_t>(2) * cells_ * first_);
    first_bias_ = reader.parameters(first_);
    second_weights_ = reader.parameters(static_cast<std::size_t>(first_) * second_);
    second_bias_ = reader.parameters(second_);
    places_ = reader.parameters(static_cast<std::size_t>(blocks_) * second_ * LANES);
    forced_ = reader.parameters(static_cast<std::size_t>(2) * second_ * LANES);
    decided_ = to_lanes(reader.parameters(static_cast<std::size_t>(blocks_) * 3 * LANES));
    sent_ = to_lanes(reader.parameters(static_cast<std::size_t>(2) * 2 * (blocks_ + 1) * LANES));
    head_.read(reader, 2 * LANES);
    reader.expect_end();
    check_sums();
}

bool BlockNetwork::fits(const Game& game) const { return blocks_ == game.blocks() && cells_ * blocks_ == game.cells(); }

// All sums have 32 bits: rejects parameters with which one could overflow.
void BlockNetwork::check_sums() const {
    std::vector<std::int64_t> hidden(first_bias_.begin(), first_bias_.end());
    for (int cell = 0; cell < cells_; ++cell)
        for (int i = 0; i < first_; ++i)
            hidden[i] +=
                std::max({0, first_weights_[2 * cell * first_ + i], first_weights_[(2 * cell + 1) * first_ + i]});
    for (auto& most : hidden) most = std::max<std::int64_t>(most, 0);
    ProductBounds code = bounds_of(hidden, second_weights_.data(), second_);
    for (int j = 0; j < second_; ++j)
        code.high[j] = std::max<std::int64_t>(0, (code.high[j] >> SCALE) + 1 + second_bias_[j]);
    std::int64_t reach = code.reach;
    for (int place = 0; place < blocks_; ++place)
        reach = std::max(reach, bounds_of(code.high, &places_[place * second_ * LANES], LANES).reach);
    for (int who = 0; who < 2; ++who)
        reach = std::max(reach, bounds_of(code.high, &forced_[who * second_ * LANES], LANES).reach);
    reach = std::max(reach, head_.reach(MAX_LANE));
    if (reach > std::numeric_limits<int>::max() / 2)
        throw std::invalid_argument("expected a network whose sums fit 32 bits");
}

// The encoder: the code of a block's marks.
void BlockNetwork::encode(std::uint32_t own, std::uint32_t others, int* code) const {
    std::vector<int> hidden = first_bias_;
    for (int who = 0; who < 2; ++who)
        for (std::uint32_t marks = who == 0 ? own : others; marks; marks &= marks - 1) {
            const int* weights = &first_weights_[(2 * std::countr_zero(marks) + who) * first_];
            for (int i = 0; i < first_; ++i) hidden[i] += weights[i];
        }
    std::fill_n(code, second_, 0);
    for (int i = 0; i < first_; ++i) {
        if (hidden[i] <= 0) continue;
        const int* weights = &second_weights_[i * second_];
        for (int j = 0; j < second_; ++j) code[j] += hidden[i] * weights[j];
    }
    for (int j = 0; j < second_; ++j) code[j] = std::max(0, scaled_down(code[j], SCALE) + second_bias_[j]);
}

BlockNetwork::Lanes BlockNetwork::project(const int* code, const int* projection) const {
    int sums[LANES] = {};
    for (int j = 0; j < second_; ++j)
        for (int i = 0; i < LANES; ++i) sums[i] += code[j] * projection[j * LANES + i];
    Lanes lanes;
    for (int i = 0; i < LANES; ++i) lanes[i] = static_cast<std::int16_t>(scaled_down(sums[i], 2 * SCALE - LANE_SCALE));
    return lanes;
}

BlockNetwork::Views BlockNetwork::project_views(std::uint32_t x, std::uint32_t o, const int* for_x,
                                                const int* for_o) const {
    std::vector<int> code(second_);
    Views views;
    encode(x, o, code.data());
    views[X] = project(code.data(), for_x);
    encode(o, x, code.data());
    views[O] = project(code.data(), for_o);
    return views;
}

BlockNetwork::Views BlockNetwork::open_block(int block, std::uint32_t x, std::uint32_t o) const {
    const int* projection = &places_[block * second_ * LANES];
    return project_views(x, o, projection, projection);
}

BlockNetwork::Views BlockNetwork::sent_to(Side turn, std::uint32_t x, std::uint32_t o) const {
    const int* projections[2] = {&forced_[0], &forced_[second_ * LANES]};
    return project_views(x, o, projections[turn != X], projections[turn != O]);
}

int BlockNetwork::head(const Views& sums, Side turn) const {
    alignas(64) std::int16_t lanes[2 * LANES];
    const Lanes &own = sums[turn], &others = sums[opponent(turn)];
    for (int i = 0; i < LANES; ++i) {
        lanes[i] = std::clamp<std::int16_t>(own[i], 0, MAX_LANE);
        lanes[LANES + i] = std::clamp<std::int16_t>(others[i], 0, MAX_LANE);
    }
    std::int64_t out = std::int64_t{head_.last_bias} << LANE_SCALE;
    alignas(64) int units[HEAD];
    head_.add(lanes, 2 * LANES, units);
    for (int k = 0; k < HEAD; ++k) {
        const int hidden = std::clamp((units[k] >> SCALE) + (head_.bias[k] >> (SCALE - LANE_SCALE)), 0, MAX_LANE);
        out += std::int64_t{hidden} * head_.last_weights[k];
    }
    // The first lane also bypasses the head, for terms that simply add up.
    out += std::int64_t{own[0] - others[0]} << SCALE;
    return static_cast<int>(
        std::clamp<std::int64_t>(out * spread_ >> (SCALE + LANE_SCALE), -MOST_ESTIMATED, MOST_ESTIMATED));
}

// --- the accumulator ----------------------------------------------------------------------------------------------

std::unique_ptr<Network::Accumulator> BlockNetwork::make_accumulator() const {
    return std::make_unique<BlockAccumulator>(*this);
}

BlockAccumulator::BlockAccumulator(const BlockNetwork& network)
    : network_(network), keys_(CACHED_ROWS, NO_KEY), rows_(keys_.size()), of_block_(network.blocks()) {}

std::uint32_t BlockAccumulator::marks_in(const Position& position, int block, Side side) const {
    const int cells = network_.cells(), first = block * cells, w = word_of(first), shift = first % WORD_BITS;
    const CellSet& marks = position.marks(side);
    Word bits = marks.word(w) >> shift;
    if (shift + cells > WORD_BITS) bits |= marks.word(w + 1) << (WORD_BITS - shift);
    return static_cast<std::uint32_t>(bits & (bit(cells) - 1));
}

// The row of a place: a block, or, numbered after the blocks, the block that X or O must play in.
const BlockNetwork::Views& BlockAccumulator::row(int place, std::uint32_t x, std::uint32_t o) {
    const std::uint64_t key = std::uint64_t{x} | std::uint64_t{o} << MAX_BLOCK_CELLS |
                              static_cast<std::uint64_t>(place) << 2 * MAX_BLOCK_CELLS;
    const std::size_t slot = (key * 0x9e3779b97f4a7c15ull) >> 49;
    static_assert(CACHED_ROWS == std::size_t{1} << (64 - 49));
    if (keys_[slot] != key) {
        const int turn = place - network_.blocks();
        rows_[slot] = turn < 0 ? network_.open_block(place, x, o) : network_.sent_to(side_at(turn), x, o);
        keys_[slot] = key;
    }
    return rows_[slot];
}

// The blocks whose marks differ from the position evaluated last.
Word BlockAccumulator::changed_blocks(const Position& position) {
    const Game& game = position.game();
    Word changed = 0;
    if (!has_position_) {
        has_position_ = true;
        for (CellSet& marks : marks_) marks = CellSet(game.cells());
        changed = (Word{2} << (game.blocks() - 1)) - 1;
    }
    for (Side side : BOTH_SIDES)
        for (int w = 0; w < game.words(); ++w) {
            const Word now = position.marks(side).word(w);
            for_each_bit(now ^ marks_[side].word(w), w * WORD_BITS,
                         [&](Cell cell) { changed |= bit(game.block_of(cell)); });
            marks_[side].set_word(w, now);
        }
    return changed;
}

void BlockAccumulator::update_block(const Position& position, int block) {
    BlockNetwork::Views& of_block = of_block_[block];
    for (Side side : BOTH_SIDES) subtract(sums_[side], of_block[side]);
    if (const Owner owner = position.owner(block); owner != Owner::UNDECIDED)
        of_block = {{network_.decided_block(block, owner, X), network_.decided_block(block, owner, O)}};
    else
        of_block = row(block, marks_in(position, block, X), marks_in(position, block, O));
    for (Side side : BOTH_SIDES) add(sums_[side], of_block[side]);
}

int BlockAccumulator::estimate(const Position& position) {
    for_each_bit(changed_blocks(position), 0, [&](int block) { update_block(position, block); });
    const Side turn = position.turn();
    const int sent = position.block_to_play();
    BlockNetwork::Views sums = sums_;
    for (Side side : BOTH_SIDES) add(sums[side], network_.sent(position.game().counts_blocks(), turn, sent, side));
    if (sent >= 0) {
        const BlockNetwork::Views& there =
            row(network_.blocks() + index(turn), marks_in(position, sent, X), marks_in(position, sent, O));
        for (Side side : BOTH_SIDES) add(sums[side], there[side]);
    }
    return network_.head(sums, turn);
}

}  // namespace noughts
