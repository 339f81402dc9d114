#include "tactics/bitboard_threat_search.hpp"

namespace noughts {
namespace {

constexpr bool is_single(Word cells) { return cells != 0 && !has_several(cells); }
constexpr Word lowest_bit(Word cells) { return cells & -cells; }

// The cells of the line that `own` lacks; 0 if the line has a mark of `rival`.
constexpr Word missing(Word line, Word own, Word rival) { return line & rival ? 0 : line & ~own; }

}  // namespace

BitboardThreatSearch::BitboardThreatSearch(const Game& game)
    : first_through_{0}, pairs_(MAX_DEPTH + 1), failed_(1 << 15, Failure{0, 0}) {
    for (int i = 0; i < game.lines(); ++i) {
        Word line = 0;
        for (Cell cell : game.line_cells(i)) line |= bit(cell);
        lines_.push_back(line);
    }
    for (Cell cell = 0; cell < game.cells(); ++cell) {
        for (int line : game.lines_of(cell)) through_.push_back(lines_[line]);
        first_through_.push_back(through_.size());
    }
}

void BitboardThreatSearch::Pairs::add(Word pair) {
    if (count == MAX_PAIRS) return;
    for (int i = 0; i < count; ++i)
        if (cells[i] == pair) return;
    cells[count++] = pair;
}

Word BitboardThreatSearch::Pairs::shared() const {
    Word once = 0, twice = 0;
    for (int i = 0; i < count; ++i) {
        twice |= once & cells[i];
        once |= cells[i];
    }
    return twice;
}

// Each pair gives two exchanges: either of its cells can be the gain.
BitboardThreatSearch::Exchange BitboardThreatSearch::exchange(const Pairs& pairs, int index) {
    const Word low = lowest_bit(pairs.cells[index / 2]), high = pairs.cells[index / 2] ^ low;
    return index % 2 ? Exchange{high, low} : Exchange{low, high};
}

// The empty cells that complete a line of `own`.
Word BitboardThreatSearch::completing(Word own, Word rival) const {
    Word cells = 0;
    for (Word line : lines_)
        if (const Word rest = missing(line, own, rival); is_single(rest)) cells |= rest;
    return cells;
}

Word BitboardThreatSearch::completing_through(Word own, Word rival, Cell cell) const {
    Word cells = 0;
    for (Word line : lines_through(cell))
        if (const Word rest = missing(line, own, rival); is_single(rest)) cells |= rest;
    return cells;
}

void BitboardThreatSearch::add_pairs_through(Word own, Word rival, Cell cell, Pairs& pairs) const {
    for (Word line : lines_through(cell))
        if (const Word rest = missing(line, own, rival); std::popcount(rest) == 2) pairs.add(rest);
}

bool BitboardThreatSearch::search(Word attacker, Word defender, int nodes) {
    limit_ = played_ + static_cast<std::uint64_t>(nodes);
    cut_short_ = false;
    attacks_.clear();
    replies_.clear();
    if (const Word cells = completing(attacker, defender)) {
        finish(lowest_bit(cells), 0);
        return true;
    }
    const Word threat = completing(defender, attacker);
    if (has_several(threat)) return false;
    Pairs& pairs = pairs_[0];
    pairs.count = 0;
    for (Word line : lines_)
        if (const Word rest = missing(line, attacker, defender); std::popcount(rest) == 2) pairs.add(rest);
    return pairs.count > 0 && attack(attacker, defender, threat, 0);
}

// Whether the attacker, who is to move, wins by threats. It has the pairs in pairs_[depth] and cannot complete a line
// at once. `threat` is the cell on which the defender would complete a line, or 0.
bool BitboardThreatSearch::attack(Word attacker, Word defender, Word threat, int depth) {
    const Pairs& pairs = pairs_[depth];
    if (threat) return answer_threat(attacker, defender, threat, depth);
    if (const Word shared = pairs.shared()) {
        finish(lowest_bit(shared), depth);
        return true;
    }
    Failure& known = failure(attacker, defender);
    if (known.attacker == attacker && known.defender == defender) return false;
    if (depth + 1 >= MAX_DEPTH) {
        cut_short_ = true;
        return false;
    }
    const bool was_cut_short = cut_short_;
    cut_short_ = false;
    // First the exchanges that win at once, so that sequences are short and zones small.
    std::array<bool, 2 * MAX_PAIRS> makes_pairs;
    for (int i = 0; i < 2 * pairs.count; ++i) {
        const Exchange move = exchange(pairs, i);
        const NewPairs made = pairs_made_by(attacker, defender, move, pairs);
        makes_pairs[i] = made.cells != 0;
        if (!made.shared || completing_through(defender | move.cost, attacker | move.gain, lowest(move.cost))) continue;
        finish(lowest_bit(made.shared), depth + 1);
        record(move, depth);
        return true;
    }
    // Then the exchanges that make new pairs, since they lead to new positions; last all others.
    for (const bool wanted : {true, false})
        for (int i = 0; i < 2 * pairs.count; ++i)
            if (makes_pairs[i] == wanted && advance(attacker, defender, exchange(pairs, i), depth)) return true;
    if (!cut_short_) failure(attacker, defender) = {attacker, defender};
    cut_short_ |= was_cut_short;
    return false;
}

bool BitboardThreatSearch::answer_threat(Word attacker, Word defender, Word threat, int depth) {
    Word partners = 0;
    const Pairs& pairs = pairs_[depth];
    for (int i = 0; i < pairs.count; ++i)
        if (pairs.cells[i] & threat) partners |= pairs.cells[i] ^ threat;
    if (partners == 0) return false;
    if (!is_single(partners)) {
        finish(threat, depth);
        return true;
    }
    if (depth + 1 >= MAX_DEPTH) {
        cut_short_ = true;
        return false;
    }
    return advance(attacker, defender, {threat, partners}, depth);
}

BitboardThreatSearch::NewPairs BitboardThreatSearch::pairs_made_by(Word attacker, Word defender, Exchange move,
                                                                   const Pairs& pairs) const {
    attacker |= move.gain;
    defender |= move.cost;
    NewPairs made;
    for (Word line : lines_through(lowest(move.gain))) {
        const Word rest = missing(line, attacker, defender);
        // Two lines may lack the same two cells; such a pair counts once.
        if (std::popcount(rest) != 2 || (rest & ~made.cells) == 0) continue;
        made.shared |= made.cells & rest;
        made.cells |= rest;
    }
    if (!made.cells) return made;
    for (int i = 0; i < pairs.count; ++i)
        if (!(pairs.cells[i] & (move.gain | move.cost)) && is_single(pairs.cells[i] & made.cells))
            made.shared |= pairs.cells[i] & made.cells;
    return made;
}

// Plays an exchange and continues the attack.
bool BitboardThreatSearch::advance(Word attacker, Word defender, Exchange move, int depth) {
    if (played_ >= limit_) {
        cut_short_ = true;
        return false;
    }
    ++played_;
    attacker |= move.gain;
    defender |= move.cost;
    const Word threat = completing_through(defender, attacker, lowest(move.cost));
    if (has_several(threat)) return false;
    const Pairs& before = pairs_[depth];
    Pairs& after = pairs_[depth + 1];
    after.count = 0;
    for (int i = 0; i < before.count; ++i)
        if (!(before.cells[i] & (move.gain | move.cost))) after.cells[after.count++] = before.cells[i];
    add_pairs_through(attacker, defender, lowest(move.gain), after);
    if (after.count == 0) return false;
    if (!attack(attacker, defender, threat, depth + 1)) return false;
    record(move, depth);
    return true;
}

void BitboardThreatSearch::finish(Word gain, int depth) {
    attacks_.assign(depth + 1, 0);
    replies_.assign(depth, 0);
    attacks_[depth] = static_cast<std::uint8_t>(lowest(gain));
}

void BitboardThreatSearch::record(Exchange move, int depth) {
    attacks_[depth] = static_cast<std::uint8_t>(lowest(move.gain));
    replies_[depth] = static_cast<std::uint8_t>(lowest(move.cost));
}

Word BitboardThreatSearch::defence_zone(Word attacker, Word defender) const {
    Word zone = 0;
    const auto add_if_threatening = [&](Word line) {
        if (const Word rest = missing(line, defender, attacker); std::popcount(rest) <= 2) zone |= rest;
    };
    for (Word line : lines_) add_if_threatening(line);
    for (std::size_t i = 0; i < attacks_.size(); ++i) {
        attacker |= bit(attacks_[i]);
        zone |= bit(attacks_[i]);
        if (i == replies_.size()) break;
        defender |= bit(replies_[i]);
        zone |= bit(replies_[i]);
        for (Word line : lines_through(replies_[i])) add_if_threatening(line);
    }
    // If the sequence ends with three threats, stopping one is not enough; with two, both cells belong to the zone.
    const Word last = completing(attacker, defender);
    return std::popcount(last) > 2 ? zone : zone | last;
}

}  // namespace noughts
