#include "search/line_features.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace noughts {
namespace {

constexpr std::size_t MAX_STATES = std::size_t{1} << 16;
// The state of a line is the number of own marks, plus that of the opponent's from this bit on.
constexpr int OTHERS_SHIFT = 4;
static_assert(MAX_LINE_LENGTH <= 1 << OTHERS_SHIFT);
constexpr std::uint32_t LINE_STATES = (MAX_LINE_LENGTH + MAX_GUARDS) << OTHERS_SHIFT;

// The surroundings with all digits that do not matter set to one value, see kinds_of.
int simplify(const Surroundings& kind, int number) {
    std::array<int, MAX_DIGITS> digits{}, kept;
    for (int i = 0; i < kind.digits(); ++i, number /= 3) digits[i] = number % 3;
    kept.fill(Surroundings::CLOSED);
    int room = 1;
    for (int step : {-1, 1}) {
        int steps = 1;
        for (; steps < kind.length; ++steps, ++room) {
            const int at = kind.digit_at(step * steps);
            if (digits[at] == Surroundings::CLOSED) break;
            kept[at] = digits[at];
        }
        if (kind.guarded && steps == kind.length)
            if (const int guard = kind.digit_at(step * steps); digits[guard] == Surroundings::OWN)
                kept[guard] = Surroundings::OWN;
    }
    if (room < kind.length) kept.fill(Surroundings::CLOSED);
    int result = 0;
    for (int i = kind.digits() - 1; i >= 0; --i) result = result * 3 + kept[i];
    return result;
}

int mirror(const Surroundings& kind, int number) {
    int result = 0;
    for (int i = 0; i < kind.digits(); ++i, number /= 3) result = result * 3 + number % 3;
    return result;
}

// For each cell, the cells that must be filled before it.
std::vector<std::vector<Cell>> cells_beneath(const Game& game) {
    std::vector<std::vector<Cell>> beneath(game.cells());
    if (!game.has_gravity()) return beneath;
    for (Cell cell = 0; cell < game.cells(); ++cell) {
        std::vector<bool> found(game.cells());
        std::vector<Cell> open{cell};
        while (!open.empty()) {
            const Cell top = open.back();
            open.pop_back();
            for (int below : game.data().rests_on[top])
                if (!found[below]) {
                    found[below] = true;
                    open.push_back(below);
                    beneath[cell].push_back(below);
                }
        }
    }
    return beneath;
}

// Numbers the cells so that cells of one class look alike: their lines and neighbours belong to the same classes.
// Symmetric cells are always of one class.
std::vector<int> classes_of_cells(const Game& game, const std::vector<std::vector<Cell>>& beneath) {
    using Colour = std::uint64_t;
    std::vector<Colour> colours;
    for (const auto& cells : beneath) colours.push_back(mix(cells.size()));
    const auto count = [&] {
        auto sorted = colours;
        std::ranges::sort(sorted);
        return sorted.end() - std::ranges::unique(sorted).begin();
    };
    // A sum does not depend on the order of its terms.
    const auto sum_of = [&](const auto& cells) {
        Colour sum = 0;
        for (int cell : cells) sum += mix(colours[cell]);
        return sum;
    };
    for (auto before = count();;) {
        std::vector<Colour> next(colours);
        for (int line = 0; line < game.lines(); ++line) {
            const LineData& data = game.data().lines[line];
            const Colour colour = mix(sum_of(data.cells) + mix(sum_of(data.guards)));
            for (int cell : data.cells) next[cell] += mix(colour);
            for (int cell : data.guards) next[cell] += mix(~colour);
        }
        if (game.has_gravity())
            for (Cell cell = 0; cell < game.cells(); ++cell)
                next[cell] += mix(mix(sum_of(game.data().rests_on[cell])) + sum_of(game.carries(cell)));
        for (Colour& colour : next) colour = mix(colour);
        colours = std::move(next);
        const auto now = count();
        if (now <= before) break;
        before = now;
    }
    std::map<Colour, int> numbers;
    std::vector<int> classes;
    for (Colour colour : colours)
        classes.push_back(numbers.try_emplace(colour, static_cast<int>(numbers.size())).first->second);
    return classes;
}

constexpr PerSide<std::uint32_t> for_both(std::uint32_t own, std::uint32_t others) {
    return {{own | others << 16, others | own << 16}};
}

}  // namespace

std::vector<std::uint16_t> kinds_of(const Surroundings& surroundings) {
    int count = 1;
    for (int i = 0; i < surroundings.digits(); ++i) count *= 3;
    std::vector<int> least(count);
    std::vector<bool> is_least(count);
    for (int number = 0; number < count; ++number) {
        const int plain = simplify(surroundings, number);
        least[number] = std::min(plain, mirror(surroundings, plain));
        is_least[least[number]] = true;
    }
    std::vector<std::uint16_t> rank(count), kinds(count);
    std::uint16_t next = 0;
    for (int number = 0; number < count; ++number)
        if (is_least[number]) rank[number] = next++;
    for (int number = 0; number < count; ++number) kinds[number] = rank[least[number]];
    return kinds;
}

// Lays out the slots of every cell, with the cells that each slot sees, and the tables of kinds. Slots with the same
// table share its kinds.
class LineFeaturesBuilder {
  public:
    LineFeaturesBuilder(const Game& game, LineFeatures::Scope scope)
        : game_(game), scope_(scope), beneath_(cells_beneath(game)), slots_(game.cells()) {}

    std::shared_ptr<const LineFeatures> build() {
        if (!game_.has_one_block()) return nullptr;
        const auto strips = Strips::of(game_);
        if (scope_ == LineFeatures::Scope::STRIPS && !(strips && game_.is_static())) return nullptr;
        if (strips)
            add_strips(*strips);
        else
            add_lines();
        if (scope_ == LineFeatures::Scope::GAME) add_places();
        if (tables_.size() > MAX_STATES) return nullptr;
        lay_out();
        return std::make_shared<const LineFeatures>(std::move(features_));
    }

  private:
    struct Seen {
        Cell cell;
        // Amounts that a mark adds to the state from the view of its own side and of the other side.
        std::uint32_t own, others;
    };
    struct Slot {
        PerSide<std::uint32_t> start;  // index in tables_ of the state on an empty board
        std::vector<Seen> seen;
    };

    // Appends a table of kinds, and returns the index of its first entry.
    std::uint32_t add_table(const std::vector<std::uint16_t>& kinds) {
        const auto first = static_cast<std::uint32_t>(tables_.size());
        for (std::uint16_t kind : kinds) tables_.push_back(static_cast<std::uint16_t>(features_.kind_count_ + kind));
        features_.kind_count_ += std::ranges::max(kinds) + 1;
        return first;
    }
    // The index of the table with this number; `make` creates the table on the first call.
    template <typename Make>
    std::uint32_t table(std::pair<int, int> number, const Make& make) {
        const auto found = table_numbers_.find(number);
        if (found != table_numbers_.end()) return found->second;
        return table_numbers_[number] = add_table(make());
    }

    bool rests_on(Cell cell, Cell below) const {
        return game_.has_gravity() &&
               std::ranges::find(game_.data().rests_on[cell], below) != game_.data().rests_on[cell].end();
    }
    // Whether the line or strip is vertical, so that its cells rest on each other. Vertical ones have separate tables.
    bool is_upright(Cell cell, const std::vector<Seen>& seen) const {
        return std::ranges::any_of(
            seen, [&](const Seen& other) { return rests_on(cell, other.cell) || rests_on(other.cell, cell); });
    }

    void add_strips(const Strips& strips) {
        features_.surroundings_ = strips.surroundings();
        std::array<std::uint32_t, MAX_DIGITS> powers{1};
        for (int i = 1; i < MAX_DIGITS; ++i) powers[i] = powers[i - 1] * 3;
        std::vector<std::vector<Seen>> seen(strips.slots());
        for (Cell cell = 0; cell < game_.cells(); ++cell)
            for (const Strips::View& view : strips.views_of(cell))
                seen[view.slot].push_back(
                    {cell, powers[view.digit] * Surroundings::OWN, powers[view.digit] * Surroundings::CLOSED});
        for (int i = 0; i < strips.slots(); ++i) {
            const Cell cell = i / strips.strips_of_cell();
            const std::uint32_t state =
                table({0, is_upright(cell, seen[i])}, [&] { return kinds_of(strips.surroundings()); }) +
                strips.start()[i];
            slots_[cell].push_back({{{state, state}}, std::move(seen[i])});
        }
    }

    // Lines are of the same kind if they have the same number of own marks, and no opponent's marks and no guards that
    // spoil them.
    void add_lines() {
        for (const LineData& line : game_.data().lines) {
            const int length = static_cast<int>(line.cells.size());
            const auto make = [&] {
                std::vector<std::uint16_t> kinds(LINE_STATES, static_cast<std::uint16_t>(length));
                for (int own = 0; own < length; ++own) kinds[own] = static_cast<std::uint16_t>(own);
                return kinds;
            };
            for (int cell : line.cells) {
                std::vector<Seen> seen;
                for (int other : line.cells)
                    if (other != cell) seen.push_back({static_cast<Cell>(other), 1, 1 << OTHERS_SHIFT});
                const bool upright = is_upright(static_cast<Cell>(cell), seen);
                for (int guard : line.guards) seen.push_back({static_cast<Cell>(guard), 1 << OTHERS_SHIFT, 0});
                const std::uint32_t state = table({length, upright}, make);
                slots_[cell].push_back({{{state, state}}, std::move(seen)});
            }
        }
    }

    // The place of a cell: its class and, with gravity, the number of filled cells below it and whose view it is.
    void add_places() {
        const auto classes = classes_of_cells(game_, beneath_);
        for (Cell cell = 0; cell < game_.cells(); ++cell) {
            const auto levels = static_cast<std::uint16_t>(beneath_[cell].size() + 1);
            const std::uint32_t state = table({-1, classes[cell]}, [&] {
                std::vector<std::uint16_t> kinds;
                for (int i = 0; i < (game_.has_gravity() ? 2 : 1) * levels; ++i)
                    kinds.push_back(static_cast<std::uint16_t>(i));
                return kinds;
            });
            Slot slot{{{state, game_.has_gravity() ? state + levels : state}}, {}};
            for (Cell below : beneath_[cell]) slot.seen.push_back({below, 1, 1});
            slots_[cell].push_back(std::move(slot));
        }
    }

    void lay_out() {
        for (const auto& slots : slots_) features_.width_ = std::max(features_.width_, static_cast<int>(slots.size()));
        std::vector<std::vector<LineFeatures::View>> views(game_.cells());
        for (Cell cell = 0; cell < game_.cells(); ++cell) {
            // Cells with fewer lines get additional slots that see nothing.
            while (static_cast<int>(slots_[cell].size()) < features_.width_) {
                const std::uint32_t nothing = table({-2, 0}, [] { return std::vector<std::uint16_t>{0}; });
                slots_[cell].push_back({{{nothing, nothing}}, {}});
            }
            for (const Slot& slot : slots_[cell]) {
                const auto number = static_cast<std::uint32_t>(features_.start_.size());
                features_.start_.push_back(slot.start[X] | slot.start[O] << 16);
                for (const Seen& seen : slot.seen)
                    views[seen.cell].push_back(
                        {number, static_cast<std::uint16_t>(cell), for_both(seen.own, seen.others)});
            }
        }
        for (auto& seen_from : views) {
            // In ascending order, so that the slots of nearby cells are close in memory.
            std::ranges::sort(seen_from, {}, &LineFeatures::View::slot);
            features_.sees_once_ &=
                std::ranges::adjacent_find(seen_from, {}, &LineFeatures::View::cell) == seen_from.end();
            features_.views_.insert(features_.views_.end(), seen_from.begin(), seen_from.end());
            features_.first_view_.push_back(static_cast<std::uint32_t>(features_.views_.size()));
        }
        features_.kinds_ = std::move(tables_);
    }

    const Game& game_;
    LineFeatures::Scope scope_;
    std::vector<std::vector<Cell>> beneath_;
    std::vector<std::vector<Slot>> slots_;  // by cell
    std::vector<std::uint16_t> tables_;
    std::map<std::pair<int, int>, std::uint32_t> table_numbers_;
    LineFeatures features_;
};

std::shared_ptr<const LineFeatures> LineFeatures::of(const Game& game, Scope scope) {
    return LineFeaturesBuilder(game, scope).build();
}

}  // namespace noughts
