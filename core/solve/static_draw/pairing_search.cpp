#include "solve/static_draw/pairing_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace noughts {
namespace {

// This share of steps takes a random pair on the line instead of the best.
constexpr std::uint32_t NOISE = 60, NOISE_OF = 256;
constexpr int LINE_COST = 4;       // of a line without a pair, where removing a pair costs 1
constexpr int MOST_LEFT_OVER = 2;  // try a larger set only if at most this many lines are left over
constexpr int MOST_SETS = 8;       // larger sets tried in each search
constexpr int MOST_PAIRS_IN_WAY = 8;
constexpr int LEAST_CELLS = 11;  // least size of a set made of some of the pairs in the way: smaller sets rarely hold
// Divisor for the counts of misses whenever a new minimum of lines left over is reached.
constexpr int MISSES_FORGOTTEN = 4;

}  // namespace

void PairingSearch::reset() {
    paired_ = 0;
    random_ = FIRST_RANDOM;
}

bool PairingSearch::find(std::span<const OpenLine> lines, int steps) {
    if (!load(lines)) return false;
    LineSet last;
    int sets_left = MOST_SETS;
    for (int step = 0; step < steps && !left_over_.is_empty(); ++step) {
        note_misses();
        // Larger sets need more cells than pairs, so the first half of the steps uses pairs alone.
        if (2 * step >= steps && sets_left > 0 && left_over_ != last && left_over_.count() <= MOST_LEFT_OVER) {
            last = left_over_;
            --sets_left;
            if (form_set()) return true;
        }
        improve();
    }
    if (!left_over_.is_empty()) return false;
    shortfall_ = 0;
    remove_unneeded_pairs();
    return true;
}

// Takes over the lines. Returns false if a line has fewer than two cells: only the next move could stop it.
bool PairingSearch::load(std::span<const OpenLine> lines) {
    lines_ = lines;
    set_ = 0;
    misses_.fill(0);
    shortfall_ = std::numeric_limits<int>::max() - 1;
    through_.fill({});
    for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
        if (!has_several(lines[i].cells)) return false;
        pairs_on_[i] = 0;
        for_each_bit(lines[i].cells, 0, [&](int cell) { through_[cell] |= LineSet::of(i); });
    }
    left_over_ = LineSet::first(static_cast<int>(lines.size()));
    stopped_once_ = {};
    const auto before = partner_;
    for_each_bit(std::exchange(paired_, 0), 0, [&](int cell) {
        if (before[cell] > cell && !(through_[cell] & through_[before[cell]]).is_empty()) add({cell, before[cell]});
    });
    return true;
}

void PairingSearch::add(Pair pair) {
    partner_[pair.a] = pair.b;
    partner_[pair.b] = pair.a;
    paired_ |= bit(pair.a) | bit(pair.b);
    const LineSet lines = lines_of_pair(pair.a);
    lines.for_each([&](int line) { ++pairs_on_[line]; });
    stopped_once_ = (stopped_once_ & ~lines) | (lines & left_over_);
    left_over_ &= ~lines;
}

void PairingSearch::remove_pair_of(int cell) {
    lines_of_pair(cell).for_each([&](int line) {
        const int left = --pairs_on_[line];
        if (left == 0) {
            left_over_ |= LineSet::of(line);
            stopped_once_ &= ~LineSet::of(line);
        } else if (left == 1) {
            stopped_once_ |= LineSet::of(line);
        }
    });
    paired_ &= ~(bit(cell) | bit(partner_[cell]));
}

void PairingSearch::note_misses() {
    const int count = left_over_.count();
    if (count > shortfall_ + 1) return;
    if (count < shortfall_) {
        shortfall_ = count;
        for (int& number : misses_) number /= MISSES_FORGOTTEN;
    }
    left_over_.for_each([&](int line) { for_each_bit(lines_[line].cells, 0, [&](int cell) { ++misses_[cell]; }); });
}

void PairingSearch::improve() {
    LineSet rest = left_over_;
    for (std::uint32_t skipped = draw(static_cast<std::uint32_t>(rest.count())); skipped > 0; --skipped)
        rest.remove_lowest();
    const Word cells = lines_[rest.lowest()].cells;
    const Pair pair = draw(NOISE_OF) < NOISE ? random_pair(cells) : best_pair(cells);
    for (const int cell : {pair.a, pair.b})
        if (is_paired(cell)) remove_pair_of(cell);
    add(pair);
}

PairingSearch::Pair PairingSearch::random_pair(Word cells) {
    const auto take = [&] {
        Word rest = cells;
        for (auto skipped = draw(static_cast<std::uint32_t>(std::popcount(cells))); skipped > 0; --skipped)
            rest &= rest - 1;
        cells &= ~bit(lowest(rest));
        return lowest(rest);
    };
    const int first = take();
    return {first, take()};
}

PairingSearch::Pair PairingSearch::best_pair(Word cells) {
    Pair best{};
    int least = std::numeric_limits<int>::max();
    std::uint32_t equals = 0;
    for (; has_several(cells); cells &= cells - 1)
        for_each_bit(cells & (cells - 1), 0, [&](int other) {
            const Pair pair{lowest(cells), other};
            const int found = cost(pair);
            if (found < least) {
                least = found;
                equals = 0;
            }
            if (found == least && draw(++equals) == 0) best = pair;
        });
    return best;
}

// The cost of adding a pair: LINE_COST for each line that would lose its only pair, less the same for each line that
// would get its first, and 1 for each pair that must be removed.
int PairingSearch::cost(Pair pair) const {
    const LineSet gained = through_[pair.a] & through_[pair.b];
    LineSet lost;
    int in_way = 0;
    for (const int cell : {pair.a, pair.b})
        if (is_paired(cell)) {
            lost |= lines_of_pair(cell);
            ++in_way;
        }
    lost &= stopped_once_ & ~gained;
    return LINE_COST * (lost.count() - (gained & left_over_).count()) + in_way;
}

// Makes one set from the lines that are left over and the pairs in their way, or as many of these pairs as fit.
bool PairingSearch::form_set() {
    Word cells = 0;
    left_over_.for_each([&](int line) { cells |= lines_[line].cells; });
    std::vector<Word> pairs;
    for_each_bit(cells & paired_, 0, [&](int cell) {
        if (const int other = partner_[cell]; !contains(cells, other) || other > cell)
            pairs.push_back(bit(cell) | bit(other));
    });
    if (pairs.size() > MOST_PAIRS_IN_WAY) return false;
    const unsigned all = (1u << pairs.size()) - 1;
    for (unsigned chosen = all; chosen > 0; --chosen) {
        Word set = cells & ~paired_;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if (chosen >> i & 1) set |= pairs[i];
        const int count = std::popcount(set);
        if (count > MOST_CELLS || (chosen != all && count < LEAST_CELLS)) continue;
        if (set_holds(set)) return true;
        if (chosen == all) return false;  // if the whole set does not hold, neither does a part of it
    }
    return false;
}

bool PairingSearch::set_holds(Word set) {
    LineSet stopped;
    for_each_bit(paired_ & ~set, 0, [&](int cell) {
        if (!contains(set, partner_[cell])) stopped |= lines_of_pair(cell);
    });
    std::array<Word, SetGame::MOST_LINES> parts;
    std::size_t count = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (stopped.has(static_cast<int>(i))) continue;
        const Word part = lines_[i].cells & set;
        if (!has_several(part) || count == parts.size()) return false;
        parts[count++] = part;
    }
    if (!game_.breaker_wins({parts.data(), count})) return false;
    shortfall_ = 0;
    set_ = set;
    for_each_bit(set & paired_, 0, [&](int cell) {
        if (is_paired(cell)) remove_pair_of(cell);
    });
    return true;
}

void PairingSearch::remove_unneeded_pairs() {
    for_each_bit(paired_, 0, [&](int cell) {
        if (is_paired(cell) && (lines_of_pair(cell) & stopped_once_).is_empty()) remove_pair_of(cell);
    });
}

std::vector<std::vector<int>> PairingSearch::sets() const {
    std::vector<std::vector<int>> sets;
    for_each_bit(paired_, 0, [&](int cell) {
        if (partner_[cell] > cell) sets.push_back({cell, partner_[cell]});
    });
    if (set_ != 0) {
        sets.emplace_back();
        for_each_bit(set_, 0, [&](int cell) { sets.back().push_back(cell); });
    }
    return sets;
}

// A xorshift generator, which gives the same numbers on every machine.
std::uint32_t PairingSearch::draw(std::uint32_t count) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_ % count;
}

}  // namespace noughts
