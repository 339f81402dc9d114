#include "search/line_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "search/evaluate.hpp"
#include "search/network_parts.hpp"

namespace noughts {
namespace {

constexpr std::uint8_t LINE_MAGIC[4] = {'N', 'N', 'L', '1'};

}  // namespace

// --- the parameters -----------------------------------------------------------------------------------------------

bool LineNetwork::is_one(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= 4 && std::equal(LINE_MAGIC, LINE_MAGIC + 4, bytes.begin());
}

LineNetwork::LineNetwork(std::span<const std::uint8_t> bytes, const Game& game) : fingerprint_(game.fingerprint()) {
    if (!is_one(bytes)) throw std::invalid_argument("expected a network, got something else");
    NetworkReader reader(bytes.subspan(4));
    const int length = reader.number(), guarded = reader.number();
    const auto low = static_cast<std::uint32_t>(reader.number()), high = static_cast<std::uint32_t>(reader.number());
    const int kinds = reader.number();
    lanes_ = reader.number();
    const int units = reader.number();
    spread_ = reader.number();
    const std::uint64_t only_game = std::uint64_t{high} << 32 | low;
    if (only_game != 0 && only_game != fingerprint_)
        throw std::invalid_argument("expected a network for this game, got one for another");
    features_ = LineFeatures::of(game, only_game == 0 ? LineFeatures::Scope::STRIPS : LineFeatures::Scope::GAME);
    if (!features_ || features_->surroundings().length != length || features_->surroundings().guarded != (guarded != 0))
        throw std::invalid_argument("expected a network for lines like the game's");
    if (lanes_ < CHUNK || lanes_ > MAX_LANES || lanes_ % CHUNK != 0 || units != HEAD)
        throw std::invalid_argument("expected a network of another width");
    if (kinds != features_->kinds())
        throw std::invalid_argument("expected a network with a row for each kind of what cells see");
    const auto narrowed = [&](std::size_t count) {
        const auto values = reader.parameters(count);
        return AlignedVector<std::int16_t>(values.begin(), values.end());
    };
    rows_ = narrowed(static_cast<std::size_t>(kinds) * 2 * lanes_);
    move_weights_ = narrowed(static_cast<std::size_t>(2) * lanes_);
    head_.read(reader, 2 * lanes_, HEAD);
    reader.expect_end();
    check_sums();
}

// Views have 16 bits, the units of the head 32: rejects parameters with which a sum could overflow.
void LineNetwork::check_sums() const {
    std::int64_t largest = 0;
    for (const std::int16_t value : rows_) largest = std::max<std::int64_t>(largest, std::abs(value));
    const bool views_fit = largest * 2 * features_->slots_of_cell() <= MAX_VIEW;
    const std::int64_t most = std::min(MAX_VIEW, scaled_down(features_->cells() * MAX_LANE, VIEW_SHIFT));
    if (!views_fit || head_.reach(most) > std::numeric_limits<int>::max() - (1 << SCALE))
        throw std::invalid_argument("expected a network whose sums fit 16 and 32 bits");
}

int LineNetwork::head(std::span<const std::int32_t> own, std::span<const std::int32_t> others) const {
    alignas(64) std::int16_t views[2 * MAX_LANES];
    for (int i = 0; i < lanes_; ++i) {
        views[i] = static_cast<std::int16_t>(std::min(scaled_down(own[i], VIEW_SHIFT), MAX_VIEW));
        views[lanes_ + i] = static_cast<std::int16_t>(std::min(scaled_down(others[i], VIEW_SHIFT), MAX_VIEW));
    }
    alignas(64) int units[HEAD];
    head_.weights.multiply(views, units);
    std::int64_t out = std::int64_t{head_.last_bias} << UNIT_SCALE;
    for (int k = 0; k < HEAD; ++k) {
        const int unit = scaled_down(units[k], SCALE) + scaled_down(head_.bias[k], SCALE - UNIT_SCALE);
        out += std::int64_t{k == 0 ? unit : std::clamp(unit, 0, MAX_UNIT)} * head_.last_weights[k];
    }
    return static_cast<int>(
        std::clamp<std::int64_t>(out * spread_ >> (SCALE + UNIT_SCALE), -MOST_ESTIMATED, MOST_ESTIMATED));
}

int LineNetwork::worth(const std::int16_t* own, const std::int16_t* others) const {
    int sum = 0;
    for (int i = 0; i < lanes_; ++i)
        sum += std::clamp<int>(own[i], 0, MAX_LANE) * move_weights_[i] +
               std::clamp<int>(others[i], 0, MAX_LANE) * move_weights_[lanes_ + i];
    return sum >> SCALE;
}

// --- the accumulator ----------------------------------------------------------------------------------------------

std::unique_ptr<Network::Accumulator> LineNetwork::make_accumulator() const {
    return std::make_unique<LineAccumulator>(*this);
}

// Starts with an empty board.
LineAccumulator::LineAccumulator(const LineNetwork& network)
    : network_(network),
      width_(network.features().slots_of_cell()),
      marks_{{CellSet(network.features().cells()), CellSet(network.features().cells())}},
      is_marked_(network.features().cells()),
      views_(static_cast<std::size_t>(network.features().cells()) * 2 * network.lanes()) {
    // Besides the changes, a mark adds or subtracts the view of its own cell.
    static_assert((MAX_CHANGES + 1) * LineNetwork::MAX_LANE <= std::numeric_limits<std::int16_t>::max());
    for (const std::uint32_t states : network.features().start()) slots_.push_back({states, kinds(states)});
    for (Cell cell = 0; cell < network.features().cells(); ++cell) {
        look_at(cell);
        add_cell(cell, 1);
        add_gains(sums_);
    }
}

// Evaluates the last move without setting its mark, because its siblings are likely to be evaluated next.
int LineAccumulator::estimate(const Position& position) {
    const Cell last = position.ply() > 0 && network_.features().sees_once() ? position.now().cell : NO_CELL;
    update(position, last);
    const Side turn = position.turn();
    if (last == NO_CELL || is_marked_[last]) return network_.head(sums_[turn], sums_[opponent(turn)]);
    Sums sums = sums_;
    try_mark(last, position.at(last), sums);
    return network_.head(sums[turn], sums[opponent(turn)]);
}

int LineAccumulator::worth(const Position& position, Cell cell) {
    update(position, NO_CELL);
    const std::int16_t *x = views(cell), *o = x + network_.lanes();
    return position.turn() == X ? network_.worth(x, o) : network_.worth(o, x);
}

// Updates the marks to those of a position, except that a new mark on `spared` is not set. Removes marks before it sets
// others, so that no cell ever has two.
void LineAccumulator::update(const Position& position, Cell spared) {
    for (const bool marked : {false, true})
        for (Side side : BOTH_SIDES)
            for (int w = 0; w < marks_[side].words(); ++w) {
                const Word now = position.marks(side).word(w), before = marks_[side].word(w);
                for_each_bit(marked ? now & ~before : before & ~now, w * WORD_BITS, [&](Cell cell) {
                    if (!marked || cell != spared) set_mark(cell, side, marked);
                });
            }
}

void LineAccumulator::set_mark(Cell cell, Side side, bool marked) {
    if (marked) add_cell(cell, -1);
    marks_[side].toggle(cell);
    is_marked_[cell] = marked;
    for (const LineFeatures::View& seen : network_.features().views_of(cell)) {
        Slot& slot = slots_[seen.slot];
        const std::uint32_t states = marked ? slot.states + seen.added[side] : slot.states - seen.added[side];
        const auto before = slot.kinds;
        slot = {states, kinds(states)};
        if (!is_marked_[seen.cell]) note_change(seen.cell, before, slot.kinds);
        if (change_count_ == MAX_CHANGES) {
            apply_changes(true);
            add_gains(sums_);
        }
    }
    apply_changes(true);
    if (!marked) {
        look_at(cell);
        add_cell(cell, 1);
    }
    add_gains(sums_);
}

// Adds the gains of a mark to `sums`, without setting the mark.
void LineAccumulator::try_mark(Cell cell, Side side, Sums& sums) {
    add_cell(cell, -1);
    for (const LineFeatures::View& seen : network_.features().views_of(cell)) {
        if (is_marked_[seen.cell]) continue;
        const Slot& slot = slots_[seen.slot];
        note_change(seen.cell, slot.kinds, kinds(slot.states + seen.added[side]));
        if (change_count_ == MAX_CHANGES) {
            apply_changes(false);
            add_gains(sums);
        }
    }
    apply_changes(false);
    add_gains(sums);
}

void LineAccumulator::note_change(Cell cell, PerSide<std::uint16_t> before, PerSide<std::uint16_t> after) {
    if (before[X] == after[X] && before[O] == after[O]) return;
    changes_[change_count_++] = {views(cell),
                                 {network_.row(before[X]), network_.row(before[O])},
                                 {network_.row(after[X]), network_.row(after[O])}};
}

// Accumulates the score gain of the changed views; restores the views unless `keeps`.
void LineAccumulator::apply_changes(bool keeps) {
    kernels().change_views(changes_.data(), change_count_, network_.lanes(), LineNetwork::MAX_LANE, keeps,
                           gains_[X].data(), gains_[O].data());
    change_count_ = 0;
}

// Computes both sides' views of a cell from its slots.
void LineAccumulator::look_at(Cell cell) {
    const int lanes = network_.lanes();
    for (Side side : BOTH_SIDES) {
        std::int16_t* view = views(cell) + index(side) * lanes;
        std::fill_n(view, lanes, std::int16_t{0});
        for (int i = 0; i < width_; ++i) {
            const auto& of_slot = slots_[cell * width_ + i].kinds;
            const std::int16_t* own = network_.row(of_slot[side]);
            const std::int16_t* others = network_.row(of_slot[opponent(side)]) + lanes;
            for (int k = 0; k < lanes; ++k) view[k] = static_cast<std::int16_t>(view[k] + own[k] + others[k]);
        }
    }
}

// Adds the clipped views of a cell to the gains (sign 1), or subtracts them (sign -1).
void LineAccumulator::add_cell(Cell cell, int sign) {
    const auto add = sign > 0 ? kernels().add_clipped : kernels().subtract_clipped;
    for (Side side : BOTH_SIDES)
        add(gains_[side].data(), views(cell) + index(side) * network_.lanes(), LineNetwork::MAX_LANE, network_.lanes());
}

// Adds the gains to `sums`, which have more bits, and resets the gains.
void LineAccumulator::add_gains(Sums& sums) {
    for (Side side : BOTH_SIDES) {
        for (int i = 0; i < network_.lanes(); ++i) sums[side][i] += gains_[side][i];
        gains_[side].fill(0);
    }
}

}  // namespace noughts
