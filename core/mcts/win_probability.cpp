#include "mcts/win_probability.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "search/evaluate.hpp"

namespace noughts {
namespace {

constexpr int STEPS = 64;   // table entries for each power of e
constexpr int POWERS = 11;  // powers of e in the table: exp(-11) is about 1 / CERTAIN

// exp(-i / STEPS), computed at compile time with operations whose results the floating-point standard defines.
constexpr std::array<double, STEPS * POWERS + 2> exponentials() {
    double step = 1, term = 1;
    for (int i = 1; i < 12; ++i) {
        term *= -1.0 / STEPS / i;
        step += term;
    }
    std::array<double, STEPS * POWERS + 2> table{};
    table[0] = 1;
    for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] * step;
    return table;
}

template <typename Convert>
constexpr auto converted(Convert&& convert) {
    const auto from = exponentials();
    std::array<int, from.size()> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<int>(convert(from[i]) * CERTAIN + 0.5);
    return table;
}

constexpr auto DECAY = converted([](double power) { return power; });
constexpr auto VALUE = converted([](double power) { return 2 / (1 + power) - 1; });

// The table value at number / unit, interpolated linearly.
int look_up(const std::array<int, STEPS * POWERS + 2>& table, std::int64_t number, int unit) {
    const std::int64_t at = number * STEPS / unit;
    if (at >= STEPS * POWERS) return table.back();
    const auto index = static_cast<std::size_t>(at);
    return table[index] + static_cast<int>((table[index + 1] - table[index]) * (number * STEPS % unit) / unit);
}

}  // namespace

int decay(std::int64_t number, int unit) {
    const int found = look_up(DECAY, number, unit);
    return found == DECAY.back() ? 0 : found;
}

int value_of_score(int score, int spread) {
    const int found = look_up(VALUE, std::abs(score), spread);
    return score < 0 ? -found : found;
}

// The least score that has the value, found by bisection: values increase with scores.
int score_of_value(int value, int spread) {
    int low = 0, high = std::min<std::int64_t>(MOST_ESTIMATED, std::int64_t{POWERS} * spread);
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (value_of_score(middle, spread) < std::abs(value))
            low = middle + 1;
        else
            high = middle;
    }
    return value < 0 ? -low : low;
}

}  // namespace noughts
