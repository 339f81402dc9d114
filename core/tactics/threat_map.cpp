#include "tactics/threat_map.hpp"

#include <utility>

namespace noughts {
namespace {

// A tally counts the strips of a cell by kind of shape in 16 bits. A FOUR counts 1 and an OPEN_FOUR 2 in one field.
//
//     15    13 12       9 8       6 5             3 2     0
//    +--------+----------+---------+---------------+-------+
//    | fives  |  fours   | threes  | closed threes | twos  |
//    +--------+----------+---------+---------------+-------+
enum Field : unsigned { TWOS = 0, CLOSED_THREES = 3, THREES = 6, FOURS = 9, FIVES = 13, TALLY_BITS = 16 };

constexpr std::array<std::uint16_t, SHAPES> TALLY_OF = [] {
    std::array<std::uint16_t, SHAPES> units{};
    const auto set = [&](Shape shape, unsigned unit) {
        units[static_cast<std::size_t>(shape)] = static_cast<std::uint16_t>(unit);
    };
    set(Shape::TWO, 1u << TWOS);
    set(Shape::SOLID_TWO, 1u << TWOS);
    set(Shape::CLOSED_THREE, 1u << CLOSED_THREES);
    set(Shape::THREE, 1u << THREES);
    set(Shape::SOLID_THREE, 1u << THREES);
    set(Shape::FOUR, 1u << FOURS);
    set(Shape::OPEN_FOUR, 2u << FOURS);
    set(Shape::FIVE, 1u << FIVES);
    return units;
}();

constexpr CellClass class_of(unsigned tally) {
    const unsigned twos = tally & 7, threes = tally >> THREES & 7;
    if (tally >= 1u << FIVES) return CellClass::FIVE;
    if (tally >= 2u << FOURS) return CellClass::DOUBLE_FOUR;
    if (tally >= 1u << FOURS)
        return threes > 0 ? CellClass::FOUR_THREE : twos > 0 ? CellClass::FOUR_TWO : CellClass::FOUR;
    if (threes > 0) return threes > 1 ? CellClass::DOUBLE_THREE : twos > 0 ? CellClass::THREE_TWO : CellClass::THREE;
    return twos > 1 ? CellClass::DOUBLE_TWO : twos > 0 ? CellClass::TWO : CellClass::NONE;
}

// The code of a cell is its class, plus PRESSED if the cell is PRESSING.
constexpr unsigned PRESSED = 0x10;
constexpr auto CODES = [] {
    std::array<std::uint8_t, 1u << TALLY_BITS> codes{};
    for (unsigned tally = 0; tally < codes.size(); ++tally)
        codes[tally] =
            static_cast<std::uint8_t>(static_cast<unsigned>(class_of(tally)) | (tally >> CLOSED_THREES ? PRESSED : 0));
    return codes;
}();

constexpr std::size_t number(Shape shape) { return static_cast<std::size_t>(shape); }

}  // namespace

// Cached for the last game: finding the strips takes longer than all other preparations of a search, and searches of
// the same game follow each other.
std::shared_ptr<const Strips> ThreatMap::strips_of(const Game& game) {
    thread_local std::optional<std::uint64_t> last_game;
    thread_local std::shared_ptr<const Strips> last;
    if (last_game == game.fingerprint()) return last;
    auto strips = game.is_static() ? Strips::of(game) : std::nullopt;
    const bool fits = strips && strips->strips_of_cell() <= MAX_STRIPS;
    last = fits ? std::make_shared<const Strips>(*std::move(strips)) : nullptr;
    last_game = game.fingerprint();
    return last;
}

std::optional<ThreatMap> ThreatMap::of(const Position& position, const ThreatWorths& worths) {
    auto strips = strips_of(position.game());
    if (!strips) return std::nullopt;
    ThreatMap map(position.game(), std::move(strips), worths);
    map.reset(position);
    return map;
}

ThreatMap::ThreatMap(const Game& game, std::shared_ptr<const Strips> strips, const ThreatWorths& worths)
    : strips_(std::move(strips)),
      shapes_(shapes_in(strips_->surroundings()).data()),
      worths_(worths),
      width_(strips_->strips_of_cell()),
      words_(game.words()) {
    Key power = 1;
    for (int digit = 0; digit < strips_->surroundings().digits(); ++digit, power *= 3) {
        deltas_[X][digit] = key_of(power * Surroundings::OWN, power * Surroundings::CLOSED);
        deltas_[O][digit] = key_of(power * Surroundings::CLOSED, power * Surroundings::OWN);
    }
    marked_delta_ = key_of(power, power);
    frames_.reserve(game.cells());
    // No cell is played twice before it is undone.
    changes_.resize(strips_->views() + game.cells());
}

void ThreatMap::reset(const Position& position) {
    const int cells = position.game().cells();
    frames_.clear();
    keys_.clear();
    for (const std::uint16_t start : strips_->start()) keys_.push_back(key_of(start, start));
    cells_.assign(cells, {});
    sets_.assign(static_cast<std::size_t>(words_) * 2 * SETS, 0);
    worth_ = {};
    for (Side side : BOTH_SIDES)
        for (Cell cell : position.marks(side)) {
            set_marked(cell, true);
            for (const Strips::View& view : strips_->views_of(cell)) keys_[view.slot] += deltas_[side][view.digit];
        }
    for (Cell cell = 0; cell < cells; ++cell) {
        Tallies tallies = 0;
        for (int strip = 0; strip < width_; ++strip) {
            tallies += TALLY_OF[number(shape(X, cell, strip))];
            tallies += static_cast<Tallies>(TALLY_OF[number(shape(O, cell, strip))]) << TALLY_BITS;
        }
        add_worths(cell, 1);
        last_change_ = 0;
        set_tallies(cell, tallies);
    }
    last_change_ = 0;
}

// Sets or clears, in the keys of a cell, the digit for a mark on the cell itself: a marked cell makes no shape.
void ThreatMap::set_marked(Cell cell, bool marked) {
    for (int strip = 0; strip < width_; ++strip)
        keys_[cell * width_ + strip] += marked ? marked_delta_ : 0 - marked_delta_;
}

void ThreatMap::add_worths(Cell cell, int sign) {
    for (Side side : BOTH_SIDES)
        for (int strip = 0; strip < width_; ++strip)
            worth_[side] += sign * worths_.shapes[number(shape(side, cell, strip))];
}

void ThreatMap::play(Cell cell, Side side) {
    frames_.push_back({{cell, side}, static_cast<std::uint32_t>(last_change_), worth_});
    add_worths(cell, -1);
    set_marked(cell, true);
    set_tallies(cell, 0);
    const auto& deltas = deltas_[side];
    const Shape* shapes = shapes_;
    std::int64_t gain_x = 0, gain_o = 0;
    for (const Strips::View& view : strips_->views_of(cell)) {
        const Key before = keys_[view.slot], after = before + deltas[view.digit];
        keys_[view.slot] = after;
        const auto old_x = number(shapes[half(before, X)]), old_o = number(shapes[half(before, O)]);
        const auto new_x = number(shapes[half(after, X)]), new_o = number(shapes[half(after, O)]);
        gain_x += worths_.shapes[new_x] - worths_.shapes[old_x];
        gain_o += worths_.shapes[new_o] - worths_.shapes[old_o];
        const Tallies change =
            Tallies{TALLY_OF[new_x]} - TALLY_OF[old_x] + ((Tallies{TALLY_OF[new_o]} - TALLY_OF[old_o]) << TALLY_BITS);
        if (change != 0) set_tallies(view.cell, cells_[view.cell].tallies + change);
    }
    worth_[X] += gain_x;
    worth_[O] += gain_o;
}

void ThreatMap::undo() {
    const Frame& frame = frames_.back();
    const Cell cell = frame.played.number();
    const auto& deltas = deltas_[frame.played.side()];
    for (const Strips::View& view : strips_->views_of(cell)) keys_[view.slot] -= deltas[view.digit];
    set_marked(cell, false);
    while (last_change_ > frame.changes) {
        const CellState& before = changes_[--last_change_];
        CellState& now = cells_[before.cell];
        for (Side side : BOTH_SIDES)
            if (now.codes[side] != before.codes[side])
                move_between_sets(before.cell, side, now.codes[side], before.codes[side]);
        now = before;
    }
    worth_ = frame.worth;
    frames_.pop_back();
}

// Updates the counts of a cell and pushes the old ones on the undo stack.
inline void ThreatMap::set_tallies(Cell cell, Tallies tallies) {
    CellState& now = cells_[cell];
    const CellState before = now;
    changes_[last_change_++] = {before.tallies, before.codes, static_cast<std::uint16_t>(cell)};
    now.tallies = tallies;
    now.codes = {{CODES[tallies & 0xffff], CODES[tallies >> TALLY_BITS]}};
    for (Side side : BOTH_SIDES) {
        if (now.codes[side] == before.codes[side]) continue;
        worth_[side] += worths_.classes[static_cast<std::size_t>(class_in(now.codes[side]))] -
                        worths_.classes[static_cast<std::size_t>(class_in(before.codes[side]))];
        move_between_sets(cell, side, before.codes[side], now.codes[side]);
    }
}

inline void ThreatMap::move_between_sets(Cell cell, Side side, std::uint8_t before, std::uint8_t after) {
    const auto from = static_cast<std::size_t>(class_in(before)), to = static_cast<std::size_t>(class_in(after));
    const unsigned pressed = (before ^ after) / PRESSED;
    Word* sets = sets_.data() + (static_cast<std::size_t>(word_of(cell)) * 2 + index(side)) * SETS;
    sets[from] ^= bit(cell);
    sets[to] ^= bit(cell);
    sets[CELL_CLASSES] ^= Word{pressed} << (static_cast<unsigned>(cell) % WORD_BITS);
}

}  // namespace noughts
