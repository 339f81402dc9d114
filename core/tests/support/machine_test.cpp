#include "support/machine.hpp"

#include "check.hpp"
#include "rules/game.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Numbers with all kinds of upper and lower halves.
std::uint64_t number(std::uint64_t i) { return mix(i) >> (i % 64); }

}  // namespace

TEST("products and quotients of two words are those of plain C++") {
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const std::uint64_t a = number(i), b = number(i + 5000) | 1;
        CHECK_EQUAL(multiply_high(a, b), plain::multiply_high(a, b));
        CHECK_EQUAL(divide_high(a % b, b), plain::divide_high(a % b, b));
    }
    CHECK_EQUAL(plain::multiply_high(~0ull, ~0ull), ~0ull - 1);
    CHECK_EQUAL(plain::divide_high(1, 2), 1ull << 63);
}

TEST("a quotient is the least number that is scaled to the bucket") {
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const std::uint64_t buckets = number(i) % (1ull << 40) + 2, bucket = number(i + 5000) % (buckets - 1) + 1;
        const std::uint64_t first = divide_high(bucket, buckets);
        CHECK_EQUAL(multiply_high(first, buckets), bucket);
        CHECK_EQUAL(multiply_high(first - 1, buckets), bucket - 1);
    }
}

TEST("four words at once are operated on as those of plain C++") {
    for (std::uint64_t i = 0; i < 200; ++i) {
        Lanes a{}, b{}, counts{};
        plain::Lanes plain_a, plain_b, plain_counts;
        for (int lane = 0; lane < 4; ++lane) {
            plain_a[lane] = a[lane] = number(4 * i + lane);
            plain_b[lane] = b[lane] = number(4 * i + lane + 5000);
            plain_counts[lane] = counts[lane] = mix(4 * i + lane) % 64;
        }
        Lanes found = ((a << counts) & ~b) | (b >> counts) | i;
        plain::Lanes expected = ((plain_a << plain_counts) & ~plain_b) | (plain_b >> plain_counts) | i;
        found &= a;
        expected &= plain_a;
        found |= b;
        expected |= plain_b;
        for (int lane = 0; lane < 4; ++lane) CHECK_EQUAL(found[lane], expected[lane]);
    }
}
