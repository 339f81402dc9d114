#include "search/network.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "search/evaluate.hpp"

#ifndef _WIN32
#include <pthread.h>
#endif
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace noughts {
namespace {

constexpr std::uint8_t MAGIC[4] = {'N', 'N', 'N', '1'};
constexpr int MAX_BLOCK_CELLS = 25;  // so that both sides' marks and the place fit a key
constexpr std::size_t CACHED_ROWS = std::size_t{1} << 15;
constexpr std::uint64_t NO_KEY = ~std::uint64_t{0};
constexpr std::size_t CACHED_ESTIMATES = std::size_t{1} << 14;
constexpr int ESTIMATE_BITS = 24;
constexpr std::uint64_t ESTIMATE_MASK = (std::uint64_t{1} << ESTIMATE_BITS) - 1;

// Reads 32-bit header numbers and 16-bit parameters from a file.
class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    int number() {
        need(4);
        std::uint32_t value = 0;
        for (int i = 3; i >= 0; --i) value = value << 8 | bytes_[i];
        bytes_ = bytes_.subspan(4);
        return static_cast<int>(value);
    }
    std::vector<int> parameters(std::size_t count) {
        need(2 * count);
        std::vector<int> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<std::int16_t>(bytes_[2 * i] | bytes_[2 * i + 1] << 8);
        bytes_ = bytes_.subspan(2 * count);
        return values;
    }
    void expect_end() const {
        if (!bytes_.empty()) throw std::invalid_argument("expected the end of the network, got more");
    }

  private:
    void need(std::size_t count) const {
        if (bytes_.size() < count) throw std::invalid_argument("expected more of the network, got its end");
    }
    std::span<const std::uint8_t> bytes_;
};

// Division by 2^shift, rounded to nearest, the same on every machine.
constexpr int scaled_down(int value, int shift) { return (value + (1 << (shift - 1))) >> shift; }

std::vector<Network::Lanes> to_lanes(const std::vector<int>& parameters) {
    std::vector<Network::Lanes> rows(parameters.size() / Network::LANES);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        rows[i / Network::LANES][i % Network::LANES] = static_cast<std::int16_t>(scaled_down(parameters[i], 1));
    return rows;
}

void add(Network::Lanes& sums, const Network::Lanes& row) {
    for (int i = 0; i < Network::LANES; ++i) sums[i] = static_cast<std::int16_t>(sums[i] + row[i]);
}

void subtract(Network::Lanes& sums, const Network::Lanes& row) {
    for (int i = 0; i < Network::LANES; ++i) sums[i] = static_cast<std::int16_t>(sums[i] - row[i]);
}

// A vector of 32-bit sums, to which products of pairs of 16-bit numbers are added: with the processor's instruction for
// that if it has one, else one at a time.
#if defined(__AVX512BW__)
struct Sums {
    static constexpr int SIZE = 16;
    __m512i sums = _mm512_setzero_si512();
    void add(std::int32_t pair, const std::int16_t* weights) {
        sums = _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_set1_epi32(pair), _mm512_load_si512(weights)));
    }
    void write(int* to) const { _mm512_store_si512(to, sums); }
};
#elif defined(__AVX2__)
struct Sums {
    static constexpr int SIZE = 8;
    __m256i sums = _mm256_setzero_si256();
    void add(std::int32_t pair, const std::int16_t* weights) {
        const __m256i products =
            _mm256_madd_epi16(_mm256_set1_epi32(pair), _mm256_load_si256(reinterpret_cast<const __m256i*>(weights)));
        sums = _mm256_add_epi32(sums, products);
    }
    void write(int* to) const { _mm256_store_si256(reinterpret_cast<__m256i*>(to), sums); }
};
#elif defined(__SSE2__)
struct Sums {
    static constexpr int SIZE = 4;
    __m128i sums = _mm_setzero_si128();
    void add(std::int32_t pair, const std::int16_t* weights) {
        const __m128i products =
            _mm_madd_epi16(_mm_set1_epi32(pair), _mm_load_si128(reinterpret_cast<const __m128i*>(weights)));
        sums = _mm_add_epi32(sums, products);
    }
    void write(int* to) const { _mm_store_si128(reinterpret_cast<__m128i*>(to), sums); }
};
#else
struct Sums {
    static constexpr int SIZE = 1;
    int sum = 0;
    void add(std::int32_t pair, const std::int16_t* weights) {
        std::int16_t lanes[2];
        std::memcpy(lanes, &pair, sizeof pair);
        sum += lanes[0] * weights[0] + lanes[1] * weights[1];
    }
    void write(int* to) const { *to = sum; }
};
#endif

// Multiplies lanes by a matrix that is stored by pairs of lanes.
template <int UNITS>
void add_pairs(const std::int16_t* lanes, const std::int16_t* weights, int pairs, int* units) {
    constexpr int COUNT = UNITS / Sums::SIZE;
    Sums sums[COUNT];
    for (int i = 0; i < pairs; ++i) {
        std::int32_t pair;
        std::memcpy(&pair, lanes + 2 * i, sizeof pair);
        for (int k = 0; k < COUNT; ++k) sums[k].add(pair, weights + 2 * (i * UNITS + k * Sums::SIZE));
    }
    for (int k = 0; k < COUNT; ++k) sums[k].write(units + k * Sums::SIZE);
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

Network::Network(std::span<const std::uint8_t> bytes, const Game& game) {
    if (bytes.size() < 4 || !std::equal(MAGIC, MAGIC + 4, bytes.begin()))
        throw std::invalid_argument("expected a network, got something else");
    Reader reader(bytes.subspan(4));
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
    for (int unit = 0; unit < HEAD; ++unit) {
        const auto values = reader.parameters(2 * LANES);
        for (int lane = 0; lane < 2 * LANES; ++lane)
            head_weights_[(lane / 2 * HEAD + unit) * 2 + lane % 2] = static_cast<std::int16_t>(values[lane]);
    }
    std::ranges::copy(reader.parameters(HEAD), head_bias_.begin());
    std::ranges::copy(reader.parameters(HEAD), last_weights_.begin());
    last_bias_ = reader.parameters(1)[0];
    reader.expect_end();
    check_sums();
}

bool Network::fits(const Game& game) const { return blocks_ == game.blocks() && cells_ * blocks_ == game.cells(); }

// All sums have 32 bits: rejects parameters with which one could overflow.
void Network::check_sums() const {
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
    for (int unit = 0; unit < HEAD; ++unit) {
        std::int64_t sum = 0;
        for (int lane = 0; lane < 2 * LANES; ++lane)
            sum += std::abs(std::int64_t{head_weights_[(lane / 2 * HEAD + unit) * 2 + lane % 2]}) * MAX_LANE;
        reach = std::max(reach, sum);
    }
    if (reach > std::numeric_limits<int>::max() / 2)
        throw std::invalid_argument("expected a network whose sums fit 32 bits");
}

// The encoder: the code of a block's marks.
void Network::encode(std::uint32_t own, std::uint32_t others, int* code) const {
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

Network::Lanes Network::project(const int* code, const int* projection) const {
    int sums[LANES] = {};
    for (int j = 0; j < second_; ++j)
        for (int i = 0; i < LANES; ++i) sums[i] += code[j] * projection[j * LANES + i];
    Lanes lanes;
    for (int i = 0; i < LANES; ++i) lanes[i] = static_cast<std::int16_t>(scaled_down(sums[i], 2 * SCALE - LANE_SCALE));
    return lanes;
}

Network::Views Network::project_views(std::uint32_t x, std::uint32_t o, const int* for_x, const int* for_o) const {
    std::vector<int> code(second_);
    Views views;
    encode(x, o, code.data());
    views[X] = project(code.data(), for_x);
    encode(o, x, code.data());
    views[O] = project(code.data(), for_o);
    return views;
}

Network::Views Network::open_block(int block, std::uint32_t x, std::uint32_t o) const {
    const int* projection = &places_[block * second_ * LANES];
    return project_views(x, o, projection, projection);
}

Network::Views Network::sent_to(Side turn, std::uint32_t x, std::uint32_t o) const {
    const int* projections[2] = {&forced_[0], &forced_[second_ * LANES]};
    return project_views(x, o, projections[turn != X], projections[turn != O]);
}

int Network::head(const Views& sums, Side turn) const {
    alignas(64) std::int16_t lanes[2 * LANES];
    const Lanes &own = sums[turn], &others = sums[opponent(turn)];
    for (int i = 0; i < LANES; ++i) {
        lanes[i] = std::clamp<std::int16_t>(own[i], 0, MAX_LANE);
        lanes[LANES + i] = std::clamp<std::int16_t>(others[i], 0, MAX_LANE);
    }
    std::int64_t out = std::int64_t{last_bias_} << LANE_SCALE;
    alignas(64) int units[HEAD];
    add_pairs<HEAD>(lanes, head_weights_.data(), LANES, units);
    for (int k = 0; k < HEAD; ++k) {
        const int hidden = std::clamp((units[k] >> SCALE) + (head_bias_[k] >> (SCALE - LANE_SCALE)), 0, MAX_LANE);
        out += std::int64_t{hidden} * last_weights_[k];
    }
    // The first lane also bypasses the head, for terms that simply add up.
    out += std::int64_t{own[0] - others[0]} << SCALE;
    return static_cast<int>(
        std::clamp<std::int64_t>(out * spread_ >> (SCALE + LANE_SCALE), -MOST_ESTIMATED, MOST_ESTIMATED));
}

namespace {

// The most recently used networks. Never destroyed, since a thread may still search when the process ends; locked
// during a fork, so that the child finds it in a consistent state.
struct NetworkCache {
    static constexpr std::size_t CAPACITY = 16;

    std::mutex mutex;
    std::deque<std::pair<std::vector<std::uint8_t>, std::shared_ptr<const Network>>> networks;

    static NetworkCache& instance() {
        static NetworkCache& cache = make();
        return cache;
    }

  private:
    static NetworkCache& make() {
#ifndef _WIN32
        pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                       [] { instance().mutex.unlock(); });
#endif
        return *new NetworkCache;
    }
};

}  // namespace

std::shared_ptr<const Network> network_of(const Game& game) {
    const std::vector<std::uint8_t>& bytes = game.data().network;
    if (bytes.empty()) return nullptr;
    NetworkCache& cache = NetworkCache::instance();
    const std::lock_guard lock(cache.mutex);
    auto& networks = cache.networks;
    for (const auto& [known, network] : networks)
        if (known == bytes && network->fits(game)) return network;
    auto network = std::make_shared<const Network>(bytes, game);
    if (networks.size() == NetworkCache::CAPACITY) networks.pop_front();
    networks.emplace_back(bytes, network);
    return network;
}

// --- the evaluator ------------------------------------------------------------------------------------------------

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      keys_(network_ ? CACHED_ROWS : 0, NO_KEY),
      rows_(keys_.size()),
      estimates_(network_ ? CACHED_ESTIMATES : 0),
      of_block_(network_ ? network_->blocks() : 0) {}

std::uint32_t NetworkEvaluator::marks_in(const Position& position, int block, Side side) const {
    const int cells = network_->cells(), first = block * cells, w = word_of(first), shift = first % WORD_BITS;
    const CellSet& marks = position.marks(side);
    Word bits = marks.word(w) >> shift;
    if (shift + cells > WORD_BITS) bits |= marks.word(w + 1) << (WORD_BITS - shift);
    return static_cast<std::uint32_t>(bits & (bit(cells) - 1));
}

// The row of a place: a block, or, numbered after the blocks, the block that X or O must play in.
const Network::Views& NetworkEvaluator::row(int place, std::uint32_t x, std::uint32_t o) {
    const std::uint64_t key = std::uint64_t{x} | std::uint64_t{o} << MAX_BLOCK_CELLS |
                              static_cast<std::uint64_t>(place) << 2 * MAX_BLOCK_CELLS;
    const std::size_t slot = (key * 0x9e3779b97f4a7c15ull) >> 49;
    static_assert(CACHED_ROWS == std::size_t{1} << (64 - 49));
    if (keys_[slot] != key) {
        const int turn = place - network_->blocks();
        rows_[slot] = turn < 0 ? network_->open_block(place, x, o) : network_->sent_to(side_at(turn), x, o);
        keys_[slot] = key;
    }
    return rows_[slot];
}

// The blocks whose marks differ from the position evaluated last.
Word NetworkEvaluator::changed_blocks(const Position& position) {
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

void NetworkEvaluator::update_block(const Position& position, int block) {
    Network::Views& of_block = of_block_[block];
    for (Side side : BOTH_SIDES) subtract(sums_[side], of_block[side]);
    if (const Owner owner = position.owner(block); owner != Owner::UNDECIDED)
        of_block = {{network_->decided_block(block, owner, X), network_->decided_block(block, owner, O)}};
    else
        of_block = row(block, marks_in(position, block, X), marks_in(position, block, O));
    for (Side side : BOTH_SIDES) add(sums_[side], of_block[side]);
}

// Searches evaluate a third of their positions more than once.
int NetworkEvaluator::evaluate(const Position& position) {
    constexpr int OFFSET = 1 << (ESTIMATE_BITS - 1);
    static_assert(OFFSET > MOST_ESTIMATED && CACHED_ESTIMATES <= ESTIMATE_MASK + 1);
    const std::uint64_t key = position.key();
    std::uint64_t& cached = estimates_[key & (CACHED_ESTIMATES - 1)];
    if ((cached ^ key) >> ESTIMATE_BITS == 0 && cached != 0) return static_cast<int>(cached & ESTIMATE_MASK) - OFFSET;
    const int found = estimate(position);
    cached = (key & ~ESTIMATE_MASK) | static_cast<std::uint64_t>(found + OFFSET);
    return found;
}

int NetworkEvaluator::estimate(const Position& position) {
    for_each_bit(changed_blocks(position), 0, [&](int block) { update_block(position, block); });
    const Side turn = position.turn();
    const int sent = position.block_to_play();
    Network::Views sums = sums_;
    for (Side side : BOTH_SIDES) add(sums[side], network_->sent(position.game().counts_blocks(), turn, sent, side));
    if (sent >= 0) {
        const Network::Views& there =
            row(network_->blocks() + index(turn), marks_in(position, sent, X), marks_in(position, sent, O));
        for (Side side : BOTH_SIDES) add(sums[side], there[side]);
    }
    return network_->head(sums, turn);
}

}  // namespace noughts
