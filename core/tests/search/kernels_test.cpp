#include "search/kernels.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "boards.hpp"
#include "check.hpp"
#include "search/instruction_set.hpp"
#include "support/aligned.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

using Numbers = AlignedVector<std::int16_t>;

std::int16_t wrapped(int value) { return static_cast<std::int16_t>(value); }

// Random numbers of all sizes, among them the largest and the smallest.
Numbers random_numbers(std::size_t count, int largest, std::mt19937& random) {
    Numbers numbers(count);
    for (auto& number : numbers) {
        const int kind = static_cast<int>(random() % 16);
        number = wrapped(kind == 0   ? largest
                         : kind == 1 ? -largest - 1
                                     : static_cast<int>(random() % (2 * largest + 1)) - largest);
    }
    return numbers;
}

// Runs `body` with each instruction set of this machine, then returns to the fastest.
template <typename Body>
void with_each_instruction_set(Body body) {
    for (std::string_view name : instruction_sets()) {
        set_instruction_set(name);
        CHECK_EQUAL(std::string(kernels().name), std::string(name));
        body();
    }
    set_instruction_set(instruction_sets().front());
}

constexpr int COUNTS[] = {16, 32, 48, 64, 80, 128, 256};
constexpr std::int16_t MOST[] = {255, 2047, 32767};

}  // namespace

TEST("kernels add, replace and clip as plain loops do, and wrap around") {
    with_each_instruction_set([] {
        std::mt19937 random(1);
        for (int count : COUNTS)
            for (std::int16_t most : MOST) {
                const Numbers a = random_numbers(count, 32767, random), b = random_numbers(count, 32767, random),
                              c = random_numbers(count, 32767, random);
                Numbers sums(count), total = a, before = b, clipped(count), added = a, subtracted = a;
                kernels().add(sums.data(), a.data(), b.data(), count);
                kernels().replace(total.data(), before.data(), c.data(), count);
                kernels().clip(clipped.data(), c.data(), most, count);
                kernels().add_clipped(added.data(), c.data(), most, count);
                kernels().subtract_clipped(subtracted.data(), c.data(), most, count);
                for (int i = 0; i < count; ++i) {
                    const std::int16_t limited = std::clamp<std::int16_t>(c[i], 0, most);
                    CHECK_EQUAL(sums[i], wrapped(a[i] + b[i]));
                    CHECK_EQUAL(total[i], wrapped(a[i] + c[i] - b[i]));
                    CHECK_EQUAL(before[i], c[i]);
                    CHECK_EQUAL(clipped[i], limited);
                    CHECK_EQUAL(added[i], wrapped(a[i] + limited));
                    CHECK_EQUAL(subtracted[i], wrapped(a[i] - limited));
                }
            }
    });
}

TEST("kernels multiply as plain loops do") {
    with_each_instruction_set([] {
        std::mt19937 random(2);
        for (int pairs : {1, 2, 5, 16, 64})
            for (int units : {16, 32, 48, 128}) {
                const Numbers inputs = random_numbers(2 * pairs, 4095, random),
                              weights = random_numbers(static_cast<std::size_t>(2) * pairs * units, 4095, random);
                AlignedVector<int> sums(units, -1);
                kernels().multiply(sums.data(), inputs.data(), pairs, weights.data(), units);
                for (int unit = 0; unit < units; ++unit) {
                    int expected = 0;
                    for (int i = 0; i < 2 * pairs; ++i)
                        expected += inputs[i] * weights[(i / 2 * units + unit) * 2 + i % 2];
                    CHECK_EQUAL(sums[unit], expected);
                }
            }
    });
}

TEST("kernels change views as plain loops do, in order, and keep them if asked") {
    with_each_instruction_set([] {
        std::mt19937 random(3);
        for (int lanes : {16, 32, 48, 64})
            for (bool keeps : {false, true}) {
                constexpr int CELLS = 3, ROWS = 20, CHANGES = 12;
                constexpr std::int16_t LIMIT = 255;
                const Numbers start = random_numbers(static_cast<std::size_t>(CELLS) * 2 * lanes, 1000, random),
                              rows = random_numbers(static_cast<std::size_t>(ROWS) * 2 * lanes, 500, random);
                const PerSide<Numbers> gains{{random_numbers(lanes, 100, random), random_numbers(lanes, 100, random)}};
                Numbers views = start;
                std::vector<ViewChange> changes;
                const auto row = [&] { return rows.data() + random() % ROWS * 2 * lanes; };
                // If the views are kept, a cell may change twice.
                for (int i = 0; i < (keeps ? CHANGES : CELLS); ++i)
                    changes.push_back({views.data() + i % CELLS * 2 * lanes, {row(), row()}, {row(), row()}});
                PerSide<Numbers> expected = gains, found = gains;
                Numbers kept = start;
                for (const ViewChange& change : changes)
                    for (Side side : BOTH_SIDES)
                        for (int i = 0; i < lanes; ++i) {
                            const int own = index(side), other = 1 - own;
                            std::int16_t& view = kept[change.views - views.data() + own * lanes + i];
                            const std::int16_t before = view;
                            view = wrapped(before + change.after[own][i] - change.before[own][i] +
                                           change.after[other][lanes + i] - change.before[other][lanes + i]);
                            expected[side][i] = wrapped(expected[side][i] + std::clamp<std::int16_t>(view, 0, LIMIT) -
                                                        std::clamp<std::int16_t>(before, 0, LIMIT));
                        }
                kernels().change_views(changes.data(), static_cast<int>(changes.size()), lanes, LIMIT, keeps,
                                       found[X].data(), found[O].data());
                CHECK(found[X] == expected[X]);
                CHECK(found[O] == expected[O]);
                CHECK(views == (keeps ? kept : start));
            }
    });
}

TEST("instruction sets that this machine lacks are refused") {
    bool refused = false;
    try {
        set_instruction_set("mmx");
    } catch (const std::invalid_argument& error) {
        refused = std::string(error.what()).ends_with("portable, got mmx");
    }
    CHECK(refused);
    CHECK_EQUAL(std::string(instruction_sets().back()), std::string("portable"));
}
