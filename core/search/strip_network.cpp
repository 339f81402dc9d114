#include "search/strip_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "search/evaluate.hpp"
#include "search/network_parts.hpp"
#include "tactics/threat_map.hpp"

namespace noughts {
namespace {

constexpr std::uint8_t MAGIC[4] = {'N', 'N', 'S', '1'};
constexpr int CHUNK = StripNetwork::CHUNK;

// The surroundings without what does not matter, see kinds_of.
int simplified(const Surroundings& kind, int number) {
    std::array<int, MAX_DIGITS> digits{}, kept;
    for (int i = 0; i < kind.digits(); ++i, number /= 3) digits[i] = number % 3;
    kept.fill(Surroundings::BLOCKED);
    int room = 1;
    for (int step : {-1, 1}) {
        int steps = 1;
        for (; steps < kind.length; ++steps, ++room) {
            const int at = kind.digit_at(step * steps);
            if (digits[at] == Surroundings::BLOCKED) break;
            kept[at] = digits[at];
        }
        if (kind.guarded && steps == kind.length)
            if (const int guard = kind.digit_at(step * steps); digits[guard] == Surroundings::OWN)
                kept[guard] = Surroundings::OWN;
    }
    if (room < kind.length) kept.fill(Surroundings::BLOCKED);
    int result = 0;
    for (int i = kind.digits() - 1; i >= 0; --i) result = result * 3 + kept[i];
    return result;
}

int mirrored(const Surroundings& kind, int number) {
    int result = 0;
    for (int i = 0; i < kind.digits(); ++i, number /= 3) result = result * 3 + number % 3;
    return result;
}

}  // namespace

std::vector<std::uint16_t> kinds_of(const Surroundings& surroundings) {
    int count = 1;
    for (int i = 0; i < surroundings.digits(); ++i) count *= 3;
    std::vector<int> least(count);
    std::vector<bool> is_least(count);
    for (int number = 0; number < count; ++number) {
        const int plain = simplified(surroundings, number);
        least[number] = std::min(plain, mirrored(surroundings, plain));
        is_least[least[number]] = true;
    }
    std::vector<std::uint16_t> rank(count), kinds(count);
    std::uint16_t next = 0;
    for (int number = 0; number < count; ++number)
        if (is_least[number]) rank[number] = next++;
    for (int number = 0; number < count; ++number) kinds[number] = rank[least[number]];
    return kinds;
}

// --- the parameters -----------------------------------------------------------------------------------------------

bool StripNetwork::is_one(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= 4 && std::equal(MAGIC, MAGIC + 4, bytes.begin());
}

StripNetwork::StripNetwork(std::span<const std::uint8_t> bytes, const Game& game)
    : fingerprint_(game.fingerprint()), strips_(ThreatMap::strips_of(game)), cells_(game.cells()) {
    if (!is_one(bytes)) throw std::invalid_argument("expected a network, got something else");
    NetworkReader reader(bytes.subspan(4));
    const int length = reader.number(), guarded = reader.number(), rows = reader.number();
    lanes_ = reader.number();
    const int units = reader.number();
    spread_ = reader.number();
    if (!strips_ || strips_->surroundings().length != length || strips_->surroundings().guarded != (guarded != 0))
        throw std::invalid_argument("expected a network for lines like the game's");
    if (lanes_ < CHUNK || lanes_ > MAX_LANES || lanes_ % CHUNK != 0 || units != HEAD)
        throw std::invalid_argument("expected a network of another width");
    kinds_ = kinds_of(strips_->surroundings());
    if (rows != std::ranges::max(kinds_) + 1)
        throw std::invalid_argument("expected a network with a row for each kind of surroundings");
    const auto narrowed = [&](std::size_t count) {
        const auto values = reader.parameters(count);
        return std::vector<std::int16_t>(values.begin(), values.end());
    };
    rows_ = narrowed(static_cast<std::size_t>(rows) * 2 * lanes_);
    move_weights_ = narrowed(static_cast<std::size_t>(2) * lanes_);
    for (int unit = 0; unit < HEAD; ++unit) {
        const auto values = reader.parameters(static_cast<std::size_t>(2) * lanes_);
        for (int lane = 0; lane < 2 * lanes_; ++lane)
            head_weights_[(lane / 2 * HEAD + unit) * 2 + lane % 2] = static_cast<std::int16_t>(values[lane]);
    }
    std::ranges::copy(reader.parameters(HEAD), head_bias_.begin());
    std::ranges::copy(reader.parameters(HEAD), last_weights_.begin());
    last_bias_ = reader.parameters(1)[0];
    reader.expect_end();
    check_sums();
}

// Views have 16 bits, the units of the head 32: rejects parameters with which one could overflow.
void StripNetwork::check_sums() const {
    std::int64_t largest = 0;
    for (const std::int16_t value : rows_) largest = std::max<std::int64_t>(largest, std::abs(value));
    const bool views_fit = largest * 2 * strips_->strips_of_cell() <= MAX_VIEW;
    const std::int64_t most = std::min(MAX_VIEW, cells_ * MAX_LANE >> VIEW_SHIFT);
    std::int64_t reach = 0;
    for (int unit = 0; unit < HEAD; ++unit) {
        std::int64_t sum = 0;
        for (int lane = 0; lane < 2 * lanes_; ++lane)
            sum += std::abs(std::int64_t{head_weights_[(lane / 2 * HEAD + unit) * 2 + lane % 2]}) * most;
        reach = std::max(reach, sum);
    }
    if (!views_fit || reach > std::numeric_limits<int>::max())
        throw std::invalid_argument("expected a network whose sums fit 16 and 32 bits");
}

int StripNetwork::head(std::span<const std::int32_t> own, std::span<const std::int32_t> others) const {
    alignas(64) std::int16_t views[2 * MAX_LANES];
    for (int i = 0; i < lanes_; ++i) {
        views[i] = static_cast<std::int16_t>(std::min(own[i] >> VIEW_SHIFT, MAX_VIEW));
        views[lanes_ + i] = static_cast<std::int16_t>(std::min(others[i] >> VIEW_SHIFT, MAX_VIEW));
    }
    alignas(64) int units[HEAD];
    add_pairs<HEAD>(views, head_weights_.data(), lanes_, units);
    std::int64_t out = std::int64_t{last_bias_} << UNIT_SCALE;
    for (int k = 0; k < HEAD; ++k) {
        const int unit = (units[k] >> SCALE) + (head_bias_[k] >> (SCALE - UNIT_SCALE));
        out += std::int64_t{k == 0 ? unit : std::clamp(unit, 0, MAX_UNIT)} * last_weights_[k];
    }
    return static_cast<int>(
        std::clamp<std::int64_t>(out * spread_ >> (SCALE + UNIT_SCALE), -MOST_ESTIMATED, MOST_ESTIMATED));
}

int StripNetwork::worth(const std::int16_t* own, const std::int16_t* others) const {
    int sum = 0;
    for (int i = 0; i < lanes_; ++i)
        sum += clipped(own[i]) * move_weights_[i] + clipped(others[i]) * move_weights_[lanes_ + i];
    return sum >> SCALE;
}

// --- the accumulator ----------------------------------------------------------------------------------------------

std::unique_ptr<Network::Accumulator> StripNetwork::make_accumulator() const {
    return std::make_unique<StripAccumulator>(*this);
}

// Begins with an empty board.
StripAccumulator::StripAccumulator(const StripNetwork& network)
    : network_(network),
      width_(network.strips().strips_of_cell()),
      marks_{{CellSet(network.cells()), CellSet(network.cells())}},
      views_(static_cast<std::size_t>(network.cells()) * 2 * network.lanes()) {
    Key power = 1;
    for (int digit = 0; digit < network.strips().surroundings().digits(); ++digit, power *= 3) {
        deltas_[X][digit] = power * Surroundings::OWN + (power * Surroundings::BLOCKED << 16);
        deltas_[O][digit] = power * Surroundings::BLOCKED + (power * Surroundings::OWN << 16);
    }
    for (const Key start : network.strips().start()) keys_.push_back(start + (start << 16));
    for (Cell cell = 0; cell < network.cells(); ++cell) {
        look_at(cell);
        add_cell(cell, 1);
        take_changes(sums_);
    }
}

// The last move is only tried, because its siblings are likely to be next.
int StripAccumulator::estimate(const Position& position) {
    const Cell last = position.ply() > 0 ? position.now().cell : NO_CELL;
    update(position, last);
    const Side turn = position.turn();
    if (last == NO_CELL || is_marked(last)) return network_.head(sums_[turn], sums_[opponent(turn)]);
    try_mark(last, position.at(last));
    auto sums = sums_;
    take_changes(sums);
    return network_.head(sums[turn], sums[opponent(turn)]);
}

int StripAccumulator::worth(const Position& position, Cell cell) {
    update(position, NO_CELL);
    const Side turn = position.turn();
    return network_.worth(view(cell, turn), view(cell, opponent(turn)));
}

// Sets all marks as in a position, except that a mark on `spared` is not set if it is new. Takes marks back before it
// sets others, so that no cell has two.
void StripAccumulator::update(const Position& position, Cell spared) {
    for (const bool marked : {false, true})
        for (Side side : BOTH_SIDES)
            for (int w = 0; w < marks_[side].words(); ++w) {
                const Word now = position.marks(side).word(w), before = marks_[side].word(w);
                for_each_bit(marked ? now & ~before : before & ~now, w * WORD_BITS, [&](Cell cell) {
                    if (!marked || cell != spared) set_mark(cell, side, marked);
                });
            }
}

void StripAccumulator::set_mark(Cell cell, Side side, bool marked) {
    if (marked) add_cell(cell, -1);
    marks_[side].toggle(cell);
    const auto& deltas = deltas_[side];
    for (const Strips::View& seen : network_.strips().views_of(cell)) {
        const Key before = keys_[seen.slot];
        const Key after = marked ? before + deltas[seen.digit] : before - deltas[seen.digit];
        keys_[seen.slot] = after;
        if (!is_marked(seen.cell)) change<true>(seen.cell, before, after);
    }
    if (!marked) {
        look_at(cell);
        add_cell(cell, 1);
    }
    take_changes(sums_);
}

// Finds the changes by a mark without setting it.
void StripAccumulator::try_mark(Cell cell, Side side) {
    add_cell(cell, -1);
    const auto& deltas = deltas_[side];
    for (const Strips::View& seen : network_.strips().views_of(cell)) {
        const Key before = keys_[seen.slot];
        if (!is_marked(seen.cell)) change<false>(seen.cell, before, before + deltas[seen.digit]);
    }
}

// Computes the views of a cell.
void StripAccumulator::look_at(Cell cell) {
    const int lanes = network_.lanes();
    for (Side side : BOTH_SIDES) {
        std::int16_t* lane = view(cell, side);
        std::fill_n(lane, lanes, std::int16_t{0});
        for (int strip = 0; strip < width_; ++strip) {
            const Key key = keys_[cell * width_ + strip];
            const std::int16_t* own = network_.row(kind(key, side));
            const std::int16_t* others = network_.row(kind(key, opponent(side))) + lanes;
            for (int i = 0; i < lanes; ++i) lane[i] = static_cast<std::int16_t>(lane[i] + own[i] + others[i]);
        }
    }
}

// Adds the clipped views of a cell to the changes, or subtracts them.
void StripAccumulator::add_cell(Cell cell, int sign) {
    for (Side side : BOTH_SIDES) {
        const std::int16_t* lane = view(cell, side);
        auto& changes = changes_[side];
        for (int i = 0; i < network_.lanes(); ++i)
            changes[i] = static_cast<std::int16_t>(changes[i] + sign * StripNetwork::clipped(lane[i]));
    }
}

namespace {

// Adds new rows to a view, subtracts old ones, and adds the change of the clipped view to `changes`; all for a chunk of
// lanes, which the compiler turns into a few vector instructions, because the results are written last.
template <bool KEEPS>
inline void change_chunk(std::int16_t* view, std::int16_t* changes, const std::int16_t* new_own,
                         const std::int16_t* old_own, const std::int16_t* new_others, const std::int16_t* old_others) {
    std::int16_t after[CHUNK], total[CHUNK];
    for (int i = 0; i < CHUNK; ++i) {
        after[i] = static_cast<std::int16_t>(view[i] + new_own[i] - old_own[i] + new_others[i] - old_others[i]);
        total[i] =
            static_cast<std::int16_t>(changes[i] + StripNetwork::clipped(after[i]) - StripNetwork::clipped(view[i]));
    }
    if (KEEPS) std::copy_n(after, CHUNK, view);
    std::copy_n(total, CHUNK, changes);
}

}  // namespace

// Changes the views of a cell by those of one of its strips; unless it KEEPS them, only notes the changes.
template <bool KEEPS>
void StripAccumulator::change(Cell cell, Key before, Key after) {
    const int old_x = kind(before, X), old_o = kind(before, O), new_x = kind(after, X), new_o = kind(after, O);
    if (old_x == new_x && old_o == new_o) return;
    const std::int16_t *from_x = network_.row(old_x), *from_o = network_.row(old_o);
    const std::int16_t *to_x = network_.row(new_x), *to_o = network_.row(new_o);
    std::int16_t *view_x = view(cell, X), *view_o = view(cell, O);
    const int lanes = network_.lanes();
    for (int i = 0; i < lanes; i += CHUNK) {
        change_chunk<KEEPS>(view_x + i, &changes_[X][i], to_x + i, from_x + i, to_o + lanes + i, from_o + lanes + i);
        change_chunk<KEEPS>(view_o + i, &changes_[O][i], to_o + i, from_o + i, to_x + lanes + i, from_x + lanes + i);
    }
}

// Moves the changes to sums, which need more bits.
void StripAccumulator::take_changes(Sums& sums) {
    for (Side side : BOTH_SIDES) {
        for (int i = 0; i < network_.lanes(); ++i) sums[side][i] += changes_[side][i];
        changes_[side].fill(0);
    }
}

}  // namespace noughts
