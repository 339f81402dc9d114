// The kernels, written once. A file that includes this defines KERNEL_BYTES, the size of a register (0: plain C++), and
// is compiled with the flags for it.
#include <cstring>

#include "search/kernels.hpp"

#if KERNEL_BYTES > 0 && defined(__aarch64__)
#include <arm_neon.h>
#elif KERNEL_BYTES > 0 && defined(__wasm__)
#include <wasm_simd128.h>
#elif KERNEL_BYTES > 0
#include <immintrin.h>
#endif

namespace noughts {
namespace {

// A register of numbers of 16 bits, or half as many of 32 bits.
#if KERNEL_BYTES >= 64
struct Vector64 {
    static constexpr int SIZE = 32;
    __m512i bits;

    static Vector64 load(const std::int16_t* from) { return {_mm512_loadu_si512(from)}; }
    static Vector64 zero() { return {_mm512_setzero_si512()}; }
    static Vector64 pairs(std::int32_t pair) { return {_mm512_set1_epi32(pair)}; }
    void store(void* to) const { _mm512_storeu_si512(to, bits); }
    Vector64 operator+(Vector64 other) const { return {_mm512_add_epi16(bits, other.bits)}; }
    Vector64 operator-(Vector64 other) const { return {_mm512_sub_epi16(bits, other.bits)}; }
    Vector64 clipped(std::int16_t most) const {
        return {_mm512_min_epi16(_mm512_max_epi16(bits, _mm512_setzero_si512()), _mm512_set1_epi16(most))};
    }
    Vector64 plus(Vector64 other) const { return {_mm512_add_epi32(bits, other.bits)}; }  // numbers of 32 bits
    Vector64 plus_products(Vector64 a, Vector64 b) const {
        return {_mm512_add_epi32(bits, _mm512_madd_epi16(a.bits, b.bits))};
    }
};
#endif
#if KERNEL_BYTES >= 32
struct Vector32 {
    static constexpr int SIZE = 16;
    __m256i bits;

    static Vector32 load(const std::int16_t* from) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
    }
    static Vector32 zero() { return {_mm256_setzero_si256()}; }
    static Vector32 pairs(std::int32_t pair) { return {_mm256_set1_epi32(pair)}; }
    void store(void* to) const { _mm256_storeu_si256(static_cast<__m256i*>(to), bits); }
    Vector32 operator+(Vector32 other) const { return {_mm256_add_epi16(bits, other.bits)}; }
    Vector32 operator-(Vector32 other) const { return {_mm256_sub_epi16(bits, other.bits)}; }
    Vector32 clipped(std::int16_t most) const {
        return {_mm256_min_epi16(_mm256_max_epi16(bits, _mm256_setzero_si256()), _mm256_set1_epi16(most))};
    }
    Vector32 plus(Vector32 other) const { return {_mm256_add_epi32(bits, other.bits)}; }  // numbers of 32 bits
    Vector32 plus_products(Vector32 a, Vector32 b) const {
        return {_mm256_add_epi32(bits, _mm256_madd_epi16(a.bits, b.bits))};
    }
};
#elif KERNEL_BYTES >= 16 && defined(__aarch64__)
struct Vector16 {
    static constexpr int SIZE = 8;
    int16x8_t bits;

    static Vector16 load(const std::int16_t* from) { return {vld1q_s16(from)}; }
    static Vector16 zero() { return {vdupq_n_s16(0)}; }
    static Vector16 pairs(std::int32_t pair) { return {vreinterpretq_s16_s32(vdupq_n_s32(pair))}; }
    void store(std::int16_t* to) const { vst1q_s16(to, bits); }
    void store(std::int32_t* to) const { vst1q_s32(to, vreinterpretq_s32_s16(bits)); }
    Vector16 operator+(Vector16 other) const { return {vaddq_s16(bits, other.bits)}; }
    Vector16 operator-(Vector16 other) const { return {vsubq_s16(bits, other.bits)}; }
    Vector16 clipped(std::int16_t most) const {
        return {vminq_s16(vmaxq_s16(bits, vdupq_n_s16(0)), vdupq_n_s16(most))};
    }
    Vector16 plus(Vector16 other) const {  // numbers of 32 bits
        return {vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(bits), vreinterpretq_s32_s16(other.bits)))};
    }
    Vector16 plus_products(Vector16 a, Vector16 b) const {
        const int32x4_t low = vmull_s16(vget_low_s16(a.bits), vget_low_s16(b.bits)),
                        high = vmull_s16(vget_high_s16(a.bits), vget_high_s16(b.bits));
        return plus({vreinterpretq_s16_s32(vpaddq_s32(low, high))});
    }
};
#elif KERNEL_BYTES >= 16 && defined(__wasm__)
struct Vector16 {
    static constexpr int SIZE = 8;
    v128_t bits;

    static Vector16 load(const std::int16_t* from) { return {wasm_v128_load(from)}; }
    static Vector16 zero() { return {wasm_i16x8_const_splat(0)}; }
    static Vector16 pairs(std::int32_t pair) { return {wasm_i32x4_splat(pair)}; }
    void store(void* to) const { wasm_v128_store(to, bits); }
    Vector16 operator+(Vector16 other) const { return {wasm_i16x8_add(bits, other.bits)}; }
    Vector16 operator-(Vector16 other) const { return {wasm_i16x8_sub(bits, other.bits)}; }
    Vector16 clipped(std::int16_t most) const {
        return {wasm_i16x8_min(wasm_i16x8_max(bits, wasm_i16x8_const_splat(0)), wasm_i16x8_splat(most))};
    }
    Vector16 plus(Vector16 other) const { return {wasm_i32x4_add(bits, other.bits)}; }  // numbers of 32 bits
    Vector16 plus_products(Vector16 a, Vector16 b) const {
        return {wasm_i32x4_add(bits, wasm_i32x4_dot_i16x8(a.bits, b.bits))};
    }
};
#elif KERNEL_BYTES >= 16
struct Vector16 {
    static constexpr int SIZE = 8;
    __m128i bits;

    static Vector16 load(const std::int16_t* from) { return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))}; }
    static Vector16 zero() { return {_mm_setzero_si128()}; }
    static Vector16 pairs(std::int32_t pair) { return {_mm_set1_epi32(pair)}; }
    void store(void* to) const { _mm_storeu_si128(static_cast<__m128i*>(to), bits); }
    Vector16 operator+(Vector16 other) const { return {_mm_add_epi16(bits, other.bits)}; }
    Vector16 operator-(Vector16 other) const { return {_mm_sub_epi16(bits, other.bits)}; }
    Vector16 clipped(std::int16_t most) const {
        return {_mm_min_epi16(_mm_max_epi16(bits, _mm_setzero_si128()), _mm_set1_epi16(most))};
    }
    Vector16 plus(Vector16 other) const { return {_mm_add_epi32(bits, other.bits)}; }  // numbers of 32 bits
    Vector16 plus_products(Vector16 a, Vector16 b) const {
        return {_mm_add_epi32(bits, _mm_madd_epi16(a.bits, b.bits))};
    }
};
#else
// Plain loops, for which the compiler chooses SIMD instructions itself.
struct PlainVector {
    static constexpr int SIZE = CHUNK;
    std::int16_t numbers[SIZE];

    static PlainVector load(const std::int16_t* from) {
        PlainVector vector;
        for (int i = 0; i < SIZE; ++i) vector.numbers[i] = from[i];
        return vector;
    }
    void store(std::int16_t* to) const {
        for (int i = 0; i < SIZE; ++i) to[i] = numbers[i];
    }
    PlainVector operator+(const PlainVector& other) const {
        PlainVector sum;
        for (int i = 0; i < SIZE; ++i) sum.numbers[i] = static_cast<std::int16_t>(numbers[i] + other.numbers[i]);
        return sum;
    }
    PlainVector operator-(const PlainVector& other) const {
        PlainVector difference;
        for (int i = 0; i < SIZE; ++i) difference.numbers[i] = static_cast<std::int16_t>(numbers[i] - other.numbers[i]);
        return difference;
    }
    PlainVector clipped(std::int16_t most) const {
        PlainVector vector;
        for (int i = 0; i < SIZE; ++i) {
            const std::int16_t positive = numbers[i] < 0 ? std::int16_t{0} : numbers[i];
            vector.numbers[i] = positive > most ? most : positive;
        }
        return vector;
    }
};
#endif

#if KERNEL_BYTES >= 64
using Vector = Vector64;
using Rest = Vector32;  // for the last chunk if it does not fill a register
#elif KERNEL_BYTES >= 32
using Vector = Vector32;
#elif KERNEL_BYTES >= 16
using Vector = Vector16;
#else
using Vector = PlainVector;
#endif

// Calls visit(vector type, offset) until all numbers are covered.
template <typename Visit>
inline void for_each_vector(int count, Visit visit) {
    int i = 0;
    for (; i + Vector::SIZE <= count; i += Vector::SIZE) visit(Vector{}, i);
#if KERNEL_BYTES >= 64
    if (i < count) visit(Rest{}, i);
#endif
}

void add(std::int16_t* sums, const std::int16_t* a, const std::int16_t* b, int count) {
    for_each_vector(count, [=]<typename V>(V, int i) { (V::load(a + i) + V::load(b + i)).store(sums + i); });
}

void replace(std::int16_t* sums, std::int16_t* before, const std::int16_t* after, int count) {
    for_each_vector(count, [=]<typename V>(V, int i) {
        const V now = V::load(after + i);
        (V::load(sums + i) + (now - V::load(before + i))).store(sums + i);
        now.store(before + i);
    });
}

void clip(std::int16_t* to, const std::int16_t* from, std::int16_t most, int count) {
    for_each_vector(count, [=]<typename V>(V, int i) { V::load(from + i).clipped(most).store(to + i); });
}

void add_clipped(std::int16_t* sums, const std::int16_t* from, std::int16_t most, int count) {
    for_each_vector(
        count, [=]<typename V>(V, int i) { (V::load(sums + i) + V::load(from + i).clipped(most)).store(sums + i); });
}

void subtract_clipped(std::int16_t* sums, const std::int16_t* from, std::int16_t most, int count) {
    for_each_vector(
        count, [=]<typename V>(V, int i) { (V::load(sums + i) - V::load(from + i).clipped(most)).store(sums + i); });
}

void multiply(int* sums, const std::int16_t* inputs, int pairs, const std::int16_t* weights, int units) {
    for (int unit = 0; unit < units; unit += CHUNK) {
#if KERNEL_BYTES > 0
        // Two sums for each unit, so that consecutive additions do not depend on each other.
        constexpr int COUNT = 2 * CHUNK / Vector::SIZE;
        Vector even[COUNT], odd[COUNT];
        for (int k = 0; k < COUNT; ++k) even[k] = odd[k] = Vector::zero();
        const auto add_pair = [=](Vector* totals, int i) {
            std::int32_t pair;
            std::memcpy(&pair, inputs + 2 * i, sizeof pair);
            const std::int16_t* of_pair = weights + 2 * (i * units + unit);
            for (int k = 0; k < COUNT; ++k)
                totals[k] = totals[k].plus_products(Vector::pairs(pair), Vector::load(of_pair + k * Vector::SIZE));
        };
        int i = 0;
        for (; i + 1 < pairs; i += 2) {
            add_pair(even, i);
            add_pair(odd, i + 1);
        }
        if (i < pairs) add_pair(even, i);
        for (int k = 0; k < COUNT; ++k) even[k].plus(odd[k]).store(sums + unit + k * Vector::SIZE / 2);
#else
        int totals[CHUNK] = {};
        for (int i = 0; i < pairs; ++i) {
            const int first = inputs[2 * i], second = inputs[2 * i + 1];
            const std::int16_t* of_pair = weights + 2 * (i * units + unit);
            for (int k = 0; k < CHUNK; ++k) totals[k] += first * of_pair[2 * k] + second * of_pair[2 * k + 1];
        }
        for (int k = 0; k < CHUNK; ++k) sums[unit + k] = totals[k];
#endif
    }
}

// `keeps` is a template argument here because it does not change in the loops.
template <bool KEEPS>
void change_views(const ViewChange* changes, int count, int lanes, std::int16_t most, std::int16_t* gains_of_x,
                  std::int16_t* gains_of_o) {
    for_each_vector(lanes, [=]<typename V>(V, int i) {
        V gain_x = V::load(gains_of_x + i), gain_o = V::load(gains_of_o + i);
        for (int k = 0; k < count; ++k) {
            const ViewChange& change = changes[k];
            const auto added = [&](int side, int lane) {
                return V::load(change.after[side] + lane) - V::load(change.before[side] + lane);
            };
            const V x = V::load(change.views + i), o = V::load(change.views + lanes + i);
            const V new_x = x + (added(0, i) + added(1, lanes + i));
            const V new_o = o + (added(1, i) + added(0, lanes + i));
            gain_x = gain_x + (new_x.clipped(most) - x.clipped(most));
            gain_o = gain_o + (new_o.clipped(most) - o.clipped(most));
            if (KEEPS) {
                new_x.store(change.views + i);
                new_o.store(change.views + lanes + i);
            }
        }
        gain_x.store(gains_of_x + i);
        gain_o.store(gains_of_o + i);
    });
}

void change_views(const ViewChange* changes, int count, int lanes, std::int16_t most, bool keeps,
                  std::int16_t* gains_of_x, std::int16_t* gains_of_o) {
    if (keeps)
        change_views<true>(changes, count, lanes, most, gains_of_x, gains_of_o);
    else
        change_views<false>(changes, count, lanes, most, gains_of_x, gains_of_o);
}

constexpr Kernels kernels_named(const char* name) {
    return {name, add, replace, clip, add_clipped, subtract_clipped, multiply, change_views};
}

}  // namespace
}  // namespace noughts
