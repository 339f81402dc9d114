// Instructions that standard C++ does not provide, each with a twin in plain C++ (namespace `plain`) for compilers and
// machines that lack it. The results are equal.
#pragma once

#include <cstdint>

#if defined(__GNUC__)
#define NOUGHTS_HAS_BUILTINS 1  // built-in functions of GCC and Clang
#else
#define NOUGHTS_HAS_BUILTINS 0
#endif

namespace noughts {

// Four words that are processed at once.
namespace plain {

struct Lanes {
    std::uint64_t words[4] = {};

    std::uint64_t& operator[](int lane) { return words[lane]; }
    std::uint64_t operator[](int lane) const { return words[lane]; }

    template <typename Operation>
    static Lanes each(Operation operation) {
        Lanes result;
        for (int lane = 0; lane < 4; ++lane) result.words[lane] = operation(lane);
        return result;
    }
    friend Lanes operator~(const Lanes& a) {
        return each([&](int lane) { return ~a[lane]; });
    }
    friend Lanes operator&(const Lanes& a, const Lanes& b) {
        return each([&](int lane) { return a[lane] & b[lane]; });
    }
    friend Lanes operator|(const Lanes& a, const Lanes& b) {
        return each([&](int lane) { return a[lane] | b[lane]; });
    }
    friend Lanes operator|(const Lanes& a, std::uint64_t word) {
        return each([&](int lane) { return a[lane] | word; });
    }
    friend Lanes operator<<(const Lanes& a, const Lanes& counts) {
        return each([&](int lane) { return a[lane] << counts[lane]; });
    }
    friend Lanes operator>>(const Lanes& a, const Lanes& counts) {
        return each([&](int lane) { return a[lane] >> counts[lane]; });
    }
    Lanes& operator&=(const Lanes& other) { return *this = *this & other; }
    Lanes& operator|=(const Lanes& other) { return *this = *this | other; }
};

// The upper 64 bits of the product.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t LOW = 0xffffffff;
    const std::uint64_t low = (a & LOW) * (b & LOW);
    const std::uint64_t middle = (a >> 32) * (b & LOW) + (low >> 32);
    const std::uint64_t other = (a & LOW) * (b >> 32) + (middle & LOW);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

// The least number whose product with `b` has the upper 64 bits `a`, which must be less than `b`.
constexpr std::uint64_t divide_high(std::uint64_t a, std::uint64_t b) {
    std::uint64_t quotient = 0, rest = a;
    for (int bit = 0; bit < 64; ++bit) {
        const bool carry = rest >> 63 != 0;
        rest <<= 1;
        quotient <<= 1;
        if (carry || rest >= b) {
            rest -= b;
            quotient |= 1;
        }
    }
    return rest > 0 ? quotient + 1 : quotient;
}

}  // namespace plain

// WebAssembly shifts all lanes by the same count, so it uses the plain version.
#if NOUGHTS_HAS_BUILTINS && !defined(__wasm__)
using Lanes = std::uint64_t __attribute__((vector_size(32)));
#else
using plain::Lanes;
#endif

// On WebAssembly a 128-bit product is a function call.
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
__extension__ using DoubleWord = unsigned __int128;

constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>((static_cast<DoubleWord>(a) * b) >> 64);
}

constexpr std::uint64_t divide_high(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(((static_cast<DoubleWord>(a) << 64) + b - 1) / b);
}
#else
using plain::divide_high;
using plain::multiply_high;
#endif

// Requests a cache line that is about to be read.
inline void prefetch([[maybe_unused]] const void* address) {
#if NOUGHTS_HAS_BUILTINS
    __builtin_prefetch(address);
#endif
}

inline bool has_avx2() {
#if defined(__x86_64__) && NOUGHTS_HAS_BUILTINS
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

inline bool has_avx512() {
#if defined(__x86_64__) && NOUGHTS_HAS_BUILTINS
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}

// Tells the processor that a loop waits for another thread: it then saves power and leaves its sibling more room.
inline void pause_processor() {
#if NOUGHTS_HAS_BUILTINS && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#endif
}

}  // namespace noughts
