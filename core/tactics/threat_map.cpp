#include "tactics/threat_map.hpp"

#include <utility>

namespace noughts {
namespace {

// A tally counts the strips of a cell by shape, four bits each.
enum Tally : int { TWOS = 0, CLOSED_THREES = 4, THREES = 8, FOURS = 12, OPEN_FOURS = 16, FIVES = 20 };

constexpr std::array<std::uint32_t, SHAPES> TALLY_OF = [] {
    std::array<std::uint32_t, SHAPES> units{};
    const auto set = [&](Shape shape, Tally tally) { units[static_cast<std::size_t>(shape)] = 1u << tally; };
    set(Shape::TWO, TWOS);
    set(Shape::SOLID_TWO, TWOS);
    set(Shape::CLOSED_THREE, CLOSED_THREES);
    set(Shape::THREE, THREES);
    set(Shape::SOLID_THREE, THREES);
    set(Shape::FOUR, FOURS);
    set(Shape::OPEN_FOUR, OPEN_FOURS);
    set(Shape::FIVE, FIVES);
    return units;
}();

constexpr CellClass class_of(std::uint32_t tally) {
    const auto count = [tally](Tally kind) { return (tally >> kind) & 0xf; };
    if (tally < 1u << THREES) {
        const auto twos = count(TWOS);
        return twos > 1 ? CellClass::DOUBLE_TWO : twos > 0 ? CellClass::TWO : CellClass::NONE;
    }
    if (tally >= 1u << FIVES) return CellClass::FIVE;
    if (tally >= 2u << FOURS) return CellClass::DOUBLE_FOUR;
    const bool has_two = count(TWOS) > 0;
    const auto threes = count(THREES);
    if (tally >= 1u << FOURS)
        return threes > 0 ? CellClass::FOUR_THREE : has_two ? CellClass::FOUR_TWO : CellClass::FOUR;
    return threes > 1 ? CellClass::DOUBLE_THREE : has_two ? CellClass::THREE_TWO : CellClass::THREE;
}

constexpr bool is_pressing(std::uint32_t tally) { return tally >= 1u << CLOSED_THREES; }

}  // namespace

std::optional<ThreatMap> ThreatMap::of(const Position& position, const ThreatWorths& worths) {
    auto strips = Strips::of(position.game());
    if (!strips) return std::nullopt;
    ThreatMap map(position.game(), *std::move(strips), worths);
    map.reset(position);
    return map;
}

ThreatMap::ThreatMap(const Game& game, Strips strips, const ThreatWorths& worths)
    : strips_(std::move(strips)),
      shapes_(shapes_in(strips_.surroundings()).data()),
      worths_(worths),
      width_(strips_.strips_of_cell()),
      words_(game.words()) {
    std::uint32_t power = 1;
    for (int digit = 0; digit < strips_.surroundings().digits(); ++digit, power *= 3) {
        const std::uint32_t own = power * Surroundings::OWN, blocked = power * Surroundings::BLOCKED;
        deltas_[X][digit] = own | blocked << 16;
        deltas_[O][digit] = blocked | own << 16;
    }
    played_.reserve(game.cells());
}

void ThreatMap::reset(const Position& position) {
    const int cells = position.game().cells();
    played_.clear();
    keys_.resize(strips_.slots());
    for (int slot = 0; slot < strips_.slots(); ++slot) keys_[slot] = strips_.start()[slot] * 0x10001u;
    tallies_.assign(static_cast<std::size_t>(cells) * 2, 0);
    classes_.assign(static_cast<std::size_t>(cells) * 2, 0);
    is_marked_.assign(cells, 0);
    sets_.assign(static_cast<std::size_t>(words_) * 2 * CELL_CLASSES, 0);
    pressing_ = {{CellSet(cells), CellSet(cells)}};
    counts_ = {};
    present_ = {};
    worth_ = {};
    for (Side side : BOTH_SIDES)
        for (Cell cell : position.marks(side)) {
            is_marked_[cell] = 1;
            for (const Strips::View& view : strips_.views_of(cell)) keys_[view.slot] += deltas_[side][view.digit];
        }
    for (Cell cell = 0; cell < cells; ++cell)
        if (!is_marked_[cell]) enter(cell);
}

void ThreatMap::play(Cell cell, Side side) {
    played_.emplace_back(cell, side);
    leave(cell);
    is_marked_[cell] = 1;
    update_views<true>(cell, side);
}

void ThreatMap::undo() {
    const SidedCell last = played_.back();
    played_.pop_back();
    update_views<false>(last.number(), last.side());
    is_marked_[last.number()] = 0;
    enter(last.number());
}

// Updates what is seen from the slots that see a cell.
template <bool FORWARD>
void ThreatMap::update_views(Cell cell, Side side) {
    const auto& deltas = deltas_[side];
    for (const Strips::View& view : strips_.views_of(cell)) {
        const std::uint32_t before = keys_[view.slot];
        const std::uint32_t after = FORWARD ? before + deltas[view.digit] : before - deltas[view.digit];
        keys_[view.slot] = after;
        if (is_marked_[view.cell]) continue;
        for (Side viewer : BOTH_SIDES) {
            const Shape old = shapes_[index_of(viewer, before)], made = shapes_[index_of(viewer, after)];
            if (old != made) change_shape(view.cell, viewer, old, made);
        }
    }
}

inline void ThreatMap::change_shape(Cell cell, Side side, Shape before, Shape after) {
    const auto old = static_cast<std::size_t>(before), made = static_cast<std::size_t>(after);
    worth_[index(side)] += worths_.shapes[made] - worths_.shapes[old];
    if (TALLY_OF[old] == TALLY_OF[made]) return;
    set_tally(cell, side, tallies_[cell * 2 + index(side)] + TALLY_OF[made] - TALLY_OF[old]);
}

// Updates the class of a cell and everything that depends on it.
void ThreatMap::set_tally(Cell cell, Side side, std::uint32_t tally) {
    const int i = index(side), at = cell * 2 + i;
    if (is_pressing(tally) != is_pressing(tallies_[at])) pressing_[side].toggle(cell);
    tallies_[at] = tally;
    const auto before = classes_[at], after = static_cast<std::uint8_t>(class_of(tally));
    if (before == after) return;
    classes_[at] = after;
    worth_[i] += worths_.classes[after] - worths_.classes[before];
    Word* sets = sets_.data() + (static_cast<std::size_t>(word_of(cell)) * 2 + i) * CELL_CLASSES;
    sets[before] ^= bit(cell);
    sets[after] ^= bit(cell);
    auto& counts = counts_[i];
    if (--counts[before] == 0) present_[i] &= static_cast<ClassSet>(~(1u << before));
    if (++counts[after] == 1) present_[i] |= static_cast<ClassSet>(1u << after);
}

// Adds an empty cell to the sums and sets.
void ThreatMap::enter(Cell cell) {
    for (Side side : BOTH_SIDES) {
        std::uint32_t tally = 0;
        for (int strip = 0; strip < width_; ++strip) {
            const auto made = static_cast<std::size_t>(shape(side, cell, strip));
            tally += TALLY_OF[made];
            worth_[index(side)] += worths_.shapes[made];
        }
        set_tally(cell, side, tally);
    }
}

// Removes a cell from the sums and sets.
void ThreatMap::leave(Cell cell) {
    for (Side side : BOTH_SIDES) {
        for (int strip = 0; strip < width_; ++strip)
            worth_[index(side)] -= worths_.shapes[static_cast<std::size_t>(shape(side, cell, strip))];
        set_tally(cell, side, 0);
    }
}

}  // namespace noughts
