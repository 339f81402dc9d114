// Parts that all networks share: reading their parameters, and multiplying by matrices in integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace noughts {

// Reads 32-bit header numbers and 16-bit parameters from a file.
class NetworkReader {
  public:
    explicit NetworkReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

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

// A vector of 32-bit sums, to which products of pairs of 16-bit numbers are added: with the processor's instruction for
// that if it has one, else one at a time.
#if defined(__AVX512BW__)
struct PairSums {
    static constexpr int SIZE = 16;
    __m512i sums = _mm512_setzero_si512();
    void add(std::int32_t pair, const std::int16_t* weights) {
        sums = _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_set1_epi32(pair), _mm512_load_si512(weights)));
    }
    void write(int* to) const { _mm512_store_si512(to, sums); }
};
#elif defined(__AVX2__)
struct PairSums {
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
struct PairSums {
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
struct PairSums {
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
    constexpr int COUNT = UNITS / PairSums::SIZE;
    PairSums sums[COUNT];
    for (int i = 0; i < pairs; ++i) {
        std::int32_t pair;
        std::memcpy(&pair, lanes + 2 * i, sizeof pair);
        for (int k = 0; k < COUNT; ++k) sums[k].add(pair, weights + 2 * (i * UNITS + k * PairSums::SIZE));
    }
    for (int k = 0; k < COUNT; ++k) sums[k].write(units + k * PairSums::SIZE);
}

// The last two layers of a network: a matrix, stored by pairs of inputs, and the weights of its units.
template <int MAX_INPUTS, int UNITS>
struct Head {
    alignas(64) std::array<std::int16_t, MAX_INPUTS * UNITS> weights{};  // pair of inputs, unit, input of the pair
    std::array<int, UNITS> bias{}, last_weights{};
    int last_bias = 0;

    void read(NetworkReader& reader, int inputs) {
        for (int unit = 0; unit < UNITS; ++unit) {
            const auto values = reader.parameters(inputs);
            for (int i = 0; i < inputs; ++i)
                weights[(i / 2 * UNITS + unit) * 2 + i % 2] = static_cast<std::int16_t>(values[i]);
        }
        std::ranges::copy(reader.parameters(UNITS), bias.begin());
        std::ranges::copy(reader.parameters(UNITS), last_weights.begin());
        last_bias = reader.parameters(1)[0];
    }
    // No sum of a unit exceeds this if no input exceeds `most`.
    std::int64_t reach(std::int64_t most) const {
        std::array<std::int64_t, UNITS> sums{};
        for (std::size_t i = 0; i < weights.size(); ++i) sums[i / 2 % UNITS] += std::abs(std::int64_t{weights[i]});
        return std::ranges::max(sums) * most;
    }
    // The sums of the units, without their bias.
    void add(const std::int16_t* inputs, int count, int* units) const {
        add_pairs<UNITS>(inputs, weights.data(), count / 2, units);
    }
};

// Sixteen numbers of 16 bits, which are added, subtracted and clipped at once if the processor can.
#if defined(__AVX2__)
struct Chunk {
    static constexpr int SIZE = 16;
    __m256i numbers;

    static Chunk load(const std::int16_t* from) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))}; }
    void store(std::int16_t* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), numbers); }
    Chunk operator+(Chunk other) const { return {_mm256_add_epi16(numbers, other.numbers)}; }
    Chunk operator-(Chunk other) const { return {_mm256_sub_epi16(numbers, other.numbers)}; }
    Chunk clipped(std::int16_t most) const {
        return {_mm256_min_epi16(_mm256_max_epi16(numbers, _mm256_setzero_si256()), _mm256_set1_epi16(most))};
    }
};
#elif defined(__SSE2__)
struct Chunk {
    static constexpr int SIZE = 16;
    __m128i low, high;

    static Chunk load(const std::int16_t* from) {
        const auto* halves = reinterpret_cast<const __m128i*>(from);
        return {_mm_loadu_si128(halves), _mm_loadu_si128(halves + 1)};
    }
    void store(std::int16_t* to) const {
        auto* halves = reinterpret_cast<__m128i*>(to);
        _mm_storeu_si128(halves, low);
        _mm_storeu_si128(halves + 1, high);
    }
    Chunk operator+(Chunk other) const { return {_mm_add_epi16(low, other.low), _mm_add_epi16(high, other.high)}; }
    Chunk operator-(Chunk other) const { return {_mm_sub_epi16(low, other.low), _mm_sub_epi16(high, other.high)}; }
    Chunk clipped(std::int16_t most) const {
        const __m128i zero = _mm_setzero_si128(), limit = _mm_set1_epi16(most);
        return {_mm_min_epi16(_mm_max_epi16(low, zero), limit), _mm_min_epi16(_mm_max_epi16(high, zero), limit)};
    }
};
#else
struct Chunk {
    static constexpr int SIZE = 16;
    std::int16_t numbers[SIZE];

    static Chunk load(const std::int16_t* from) {
        Chunk chunk;
        std::copy_n(from, SIZE, chunk.numbers);
        return chunk;
    }
    void store(std::int16_t* to) const { std::copy_n(numbers, SIZE, to); }
    Chunk operator+(const Chunk& other) const {
        Chunk sum;
        for (int i = 0; i < SIZE; ++i) sum.numbers[i] = static_cast<std::int16_t>(numbers[i] + other.numbers[i]);
        return sum;
    }
    Chunk operator-(const Chunk& other) const {
        Chunk difference;
        for (int i = 0; i < SIZE; ++i) difference.numbers[i] = static_cast<std::int16_t>(numbers[i] - other.numbers[i]);
        return difference;
    }
    Chunk clipped(std::int16_t most) const {
        Chunk chunk;
        for (int i = 0; i < SIZE; ++i) chunk.numbers[i] = std::clamp<std::int16_t>(numbers[i], 0, most);
        return chunk;
    }
};
#endif

}  // namespace noughts
