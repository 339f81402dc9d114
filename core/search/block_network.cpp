#include "search/block_network.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "search/evaluate.hpp"
#include "search/network_parts.hpp"

namespace noughts {
namespace {

constexpr std::uint8_t BLOCK_MAGIC[4] = {'N', 'N', 'N', '2'};
constexpr int MAX_BLOCK_CELLS = 25;           // a key has room for the marks of both sides and the place
constexpr int CODE_BITS = 13, ROW_BITS = 15;  // logarithms of the cache sizes
constexpr std::uint64_t NO_KEY = ~std::uint64_t{0};

std::uint64_t key_of(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{first} | std::uint64_t{second} << MAX_BLOCK_CELLS;
}

std::size_t slot_of(std::uint64_t key, int bits) { return (key * 0x9e3779b97f4a7c15ull) >> (64 - bits); }

Matrix read_matrix(NetworkReader& reader, int inputs, int units) {
    Matrix matrix(inputs, units);
    for (int i = 0; i < inputs; ++i) {
        const auto values = reader.parameters(units);
        for (int j = 0; j < units; ++j) matrix.set(i, j, values[j]);
    }
    return matrix;
}

}  // namespace

// --- the parameters -----------------------------------------------------------------------------------------------

bool BlockNetwork::is_one(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= 4 && std::equal(BLOCK_MAGIC, BLOCK_MAGIC + 4, bytes.begin());
}

BlockNetwork::BlockNetwork(std::span<const std::uint8_t> bytes, const Game& game) {
    if (!is_one(bytes)) throw std::invalid_argument("expected a network, got something else");
    NetworkReader reader(bytes.subspan(4));
    cells_ = reader.number();
    blocks_ = reader.number();
    spread_ = reader.number();
    lanes_ = reader.number();
    const int units = reader.number(), layers = reader.number();
    if (cells_ < 1 || cells_ > MAX_BLOCK_CELLS || !fits(game))
        throw std::invalid_argument("expected a network for a game of this shape");
    std::vector<int> widths;
    for (int i = 0; i < std::clamp(layers, 1, MAX_LAYERS); ++i) widths.push_back(reader.number());
    const auto is_width = [](int width) { return 1 <= width && width <= MAX_WIDTH; };
    if (lanes_ < CHUNK || lanes_ > MAX_LANES || lanes_ % CHUNK != 0 || units < 1 || units > MAX_UNITS ||
        layers != static_cast<int>(widths.size()) || !std::ranges::all_of(widths, is_width))
        throw std::invalid_argument("expected a network of another width");
    read_encoder(reader, widths);
    read_rows(reader);
    head_.read(reader, 2 * lanes_, units);
    reader.expect_end();
    check_sums();
}

void BlockNetwork::read_encoder(NetworkReader& reader, std::span<const int> widths) {
    first_weights_ = reader.parameters(static_cast<std::size_t>(2) * cells_ * widths[0]);
    first_bias_ = reader.parameters(widths[0]);
    for (std::size_t i = 1; i < widths.size(); ++i) {
        Matrix weights = read_matrix(reader, widths[i - 1], widths[i]);
        layers_.push_back({std::move(weights), reader.parameters(widths[i])});
    }
    for (int place = 0; place < blocks_; ++place) places_.push_back(read_matrix(reader, widths.back(), lanes_));
    for (Matrix& projection : forced_) projection = read_matrix(reader, widths.back(), lanes_);
}

void BlockNetwork::read_rows(NetworkReader& reader) {
    const auto lanes = [&](std::size_t count) {
        auto values = reader.parameters(count * lanes_);
        for (int& value : values) value = scaled_down(value, 1);
        return values;
    };
    const auto append = [&](AlignedVector<std::int16_t>& rows, const std::vector<int>& from, int x, int o) {
        for (int which : {x, o})
            for (int i = 0; i < lanes_; ++i) rows.push_back(static_cast<std::int16_t>(from[which * lanes_ + i]));
    };
    // The file has three rows for each block: for one that the viewing side owns, the opponent owns, or is dead.
    const auto decided = lanes(static_cast<std::size_t>(blocks_) * 3);
    for (int at = 0; at < 3 * blocks_; at += 3) {
        append(decided_, decided, at, at + 1);
        append(decided_, decided, at + 1, at);
        append(decided_, decided, at + 2, at + 2);
    }
    // The file has, for each kind of rules: the side to move, then the other side; for each of these, one row a block.
    const int targets = blocks_ + 1;
    const auto sent = lanes(static_cast<std::size_t>(4) * targets);
    for (int rules = 0; rules < 2; ++rules)
        for (Side turn : BOTH_SIDES)
            for (int target = 0; target < targets; ++target)
                append(sent_, sent, (2 * rules + (turn != X)) * targets + target,
                       (2 * rules + (turn != O)) * targets + target);
}

bool BlockNetwork::fits(const Game& game) const { return blocks_ == game.blocks() && cells_ * blocks_ == game.cells(); }

// Sums have 32 bits: rejects parameters with which a sum could overflow.
void BlockNetwork::check_sums() const {
    const int width = static_cast<int>(first_bias_.size());
    std::vector<std::int64_t> most(first_bias_.begin(), first_bias_.end());
    for (int cell = 0; cell < cells_; ++cell)
        for (int i = 0; i < width; ++i)
            most[i] += std::max({0, first_weights_[2 * cell * width + i], first_weights_[(2 * cell + 1) * width + i]});
    const auto clip = [&] {
        for (auto& high : most) high = std::clamp<std::int64_t>(high, 0, MAX_CODE);
    };
    clip();
    std::int64_t reach = 0;
    for (const Layer& layer : layers_) {
        reach = std::max(reach, layer.weights.reach(most));
        std::vector<std::int64_t> next(layer.bias.begin(), layer.bias.end());
        for (std::size_t j = 0; j < next.size(); ++j) {
            std::int64_t high = 0;
            for (std::size_t i = 0; i < most.size(); ++i)
                high += most[i] * std::max(0, layer.weights.at(static_cast<int>(i), static_cast<int>(j)));
            next[j] += (high >> SCALE) + 1;
        }
        most = std::move(next);
        clip();
    }
    for (const Matrix& projection : places_) reach = std::max(reach, projection.reach(most));
    for (const Matrix& projection : forced_) reach = std::max(reach, projection.reach(most));
    reach = std::max(reach, head_.reach(MAX_LANE));
    if (reach > std::numeric_limits<int>::max() / 2)
        throw std::invalid_argument("expected a network whose sums fit 32 bits");
}

void BlockNetwork::encode(std::uint32_t own, std::uint32_t others, std::int16_t* code) const {
    alignas(64) int sums[MAX_WIDTH];
    alignas(64) std::int16_t outputs[MAX_WIDTH] = {};
    const int width = static_cast<int>(first_bias_.size());
    std::ranges::copy(first_bias_, sums);
    for (int who = 0; who < 2; ++who)
        for (std::uint32_t marks = who == 0 ? own : others; marks; marks &= marks - 1) {
            const int* weights = &first_weights_[(2 * std::countr_zero(marks) + who) * width];
            for (int i = 0; i < width; ++i) sums[i] += weights[i];
        }
    for (int i = 0; i < width; ++i) outputs[i] = static_cast<std::int16_t>(std::clamp(sums[i], 0, MAX_CODE));
    for (const Layer& layer : layers_) {
        layer.weights.multiply(outputs, sums);
        for (std::size_t j = 0; j < layer.bias.size(); ++j)
            outputs[j] =
                static_cast<std::int16_t>(std::clamp(scaled_down(sums[j], SCALE) + layer.bias[j], 0, MAX_CODE));
    }
    std::copy_n(outputs, code_size(), code);
}

void BlockNetwork::project(const std::int16_t* code, const Matrix& projection, std::int16_t* lanes) const {
    alignas(64) int sums[MAX_LANES];
    projection.multiply(code, sums);
    for (int i = 0; i < lanes_; ++i) lanes[i] = static_cast<std::int16_t>(scaled_down(sums[i], 2 * SCALE - LANE_SCALE));
}

void BlockNetwork::open_block(int block, const std::int16_t* codes, std::int16_t* row) const {
    project(codes, places_[block], row);
    project(codes + code_size(), places_[block], row + lanes_);
}

void BlockNetwork::sent_to(Side turn, const std::int16_t* codes, std::int16_t* row) const {
    project(codes, forced_[turn != X], row);
    project(codes + code_size(), forced_[turn != O], row + lanes_);
}

const std::int16_t* BlockNetwork::decided_block(Block block, Owner owner) const {
    return &decided_[static_cast<std::size_t>(2) * lanes_ * (3 * block + index(owner))];
}

const std::int16_t* BlockNetwork::sent(bool count, Side turn, Block block) const {
    const int which = (2 * count + (turn == O)) * (blocks_ + 1) + (block < 0 ? blocks_ : block);
    return &sent_[static_cast<std::size_t>(2) * lanes_ * which];
}

int BlockNetwork::head(const std::int16_t* sums, Side turn) const {
    const std::int16_t *own = sums + (turn == X ? 0 : lanes_), *others = sums + (turn == X ? lanes_ : 0);
    alignas(64) std::int16_t lanes[2 * MAX_LANES];
    alignas(64) int units[MAX_UNITS];
    kernels().clip(lanes, own, MAX_LANE, lanes_);
    kernels().clip(lanes + lanes_, others, MAX_LANE, lanes_);
    head_.weights.multiply(lanes, units);
    std::int64_t out = std::int64_t{head_.last_bias} << LANE_SCALE;
    for (int k = 0; k < head_.units(); ++k) {
        const int hidden = std::clamp<int>((units[k] >> SCALE) + (head_.bias[k] >> (SCALE - LANE_SCALE)), 0, MAX_LANE);
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
    : network_(network),
      size_(2 * network.lanes()),
      keys_of_codes_(std::size_t{1} << CODE_BITS, NO_KEY),
      keys_of_rows_(std::size_t{1} << ROW_BITS, NO_KEY),
      codes_(keys_of_codes_.size(), 2 * network.code_size() * sizeof(std::int16_t)),
      rows_(keys_of_rows_.size(), size_ * sizeof(std::int16_t)),
      of_block_(static_cast<std::size_t>(network.blocks()) * size_),
      sums_(size_) {}

std::uint32_t BlockAccumulator::marks_in(const Position& position, int block, Side side) const {
    const int cells = network_.cells(), first = block * cells, w = word_of(first), shift = first % WORD_BITS;
    const CellSet& marks = position.marks(side);
    Word bits = marks.word(w) >> shift;
    if (shift + cells > WORD_BITS) bits |= marks.word(w + 1) << (WORD_BITS - shift);
    return static_cast<std::uint32_t>(bits & (bit(cells) - 1));
}

// The codes of the marks in a block, from X's point of view, then from O's. Cached.
const std::int16_t* BlockAccumulator::codes(std::uint32_t x, std::uint32_t o) {
    const std::uint64_t key = key_of(x, o);
    const std::size_t slot = slot_of(key, CODE_BITS);
    std::int16_t* codes = static_cast<std::int16_t*>(codes_.data()) + slot * 2 * network_.code_size();
    if (keys_of_codes_[slot] != key) {
        network_.encode(x, o, codes);
        network_.encode(o, x, codes + network_.code_size());
        keys_of_codes_[slot] = key;
    }
    return codes;
}

// The row of a place: a block or, numbered after the blocks, the block that X or O must play in. Cached.
const std::int16_t* BlockAccumulator::row(int place, std::uint32_t x, std::uint32_t o) {
    const std::uint64_t key = key_of(x, o) | static_cast<std::uint64_t>(place) << 2 * MAX_BLOCK_CELLS;
    const std::size_t slot = slot_of(key, ROW_BITS);
    std::int16_t* row = static_cast<std::int16_t*>(rows_.data()) + slot * size_;
    if (keys_of_rows_[slot] != key) {
        const std::int16_t* both = codes(x, o);
        const int turn = place - network_.blocks();
        if (turn < 0)
            network_.open_block(place, both, row);
        else
            network_.sent_to(side_at(turn), both, row);
        keys_of_rows_[slot] = key;
    }
    return row;
}

// The blocks whose marks differ from those in the position evaluated last.
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
    const Owner owner = position.owner(block);
    const std::int16_t* now = owner != Owner::UNDECIDED
                                  ? network_.decided_block(block, owner)
                                  : row(block, marks_in(position, block, X), marks_in(position, block, O));
    kernels().replace(sums_.data(), &of_block_[static_cast<std::size_t>(block) * size_], now, size_);
}

int BlockAccumulator::estimate(const Position& position) {
    for_each_bit(changed_blocks(position), 0, [&](int block) { update_block(position, block); });
    const Side turn = position.turn();
    const int sent = position.block_to_play();
    alignas(64) std::int16_t sums[2 * BlockNetwork::MAX_LANES];
    kernels().add(sums, sums_.data(), network_.sent(position.game().counts_blocks(), turn, sent), size_);
    if (sent >= 0)
        kernels().add(sums, sums,
                      row(network_.blocks() + index(turn), marks_in(position, sent, X), marks_in(position, sent, O)),
                      size_);
    return network_.head(sums, turn);
}

}  // namespace noughts
