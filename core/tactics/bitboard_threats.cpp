#include "tactics/bitboard_threats.hpp"

namespace noughts {
namespace {

int lowest(Word cells) { return std::countr_zero(cells); }
bool is_single(Word cells) { return cells != 0 && (cells & (cells - 1)) == 0; }

}  // namespace

Chains::Chains(const Game& game) : lines_of_(game.lines_of), pairs_(LONGEST + 1), failed_(1 << 15, Failure{0, 0}) {
    for (int i = 0; i < game.lines(); ++i) {
        Word line = 0;
        for (int cell : game.line_cells[i]) line |= Word{1} << cell;
        lines_.push_back(line);
    }
    for (int line : lines_of_.values) through_.push_back(lines_[line]);
}

Word Chains::completing(Word own, Word rival) const {
    Word cells = 0;
    for (Word line : lines_) {
        const Word rest = line & ~own;
        if (!(line & rival) && is_single(rest)) cells |= rest;
    }
    return cells;
}

Word Chains::threats_through(Word own, Word rival, int cell) const {
    Word cells = 0;
    for (std::uint32_t i = lines_of_.start[cell]; i != lines_of_.start[cell + 1]; ++i) {
        const Word line = through_[i], rest = line & ~own;
        if (!(line & rival) && is_single(rest)) cells |= rest;
    }
    return cells;
}

void Chains::add_pairs_through(Word own, Word rival, int cell, Pairs& pairs) const {
    for (std::uint32_t i = lines_of_.start[cell]; i != lines_of_.start[cell + 1]; ++i) {
        const Word line = through_[i], rest = line & ~own;
        if (!(line & rival) && std::popcount(rest) == 2) pairs.add(rest);
    }
}

bool Chains::search(Word attacker, Word defender, int nodes) {
    limit_ = total_ + static_cast<std::uint64_t>(nodes);
    cut_short_ = false;
    attacks_.clear();
    replies_.clear();
    if (const Word cells = completing(attacker, defender)) {
        finish(cells & -cells, 0);
        return true;
    }
    const Word threat = completing(defender, attacker);
    if (threat && !is_single(threat)) return false;
    Pairs& pairs = pairs_[0];
    pairs.count = 0;
    for (Word line : lines_) {
        const Word rest = line & ~attacker;
        if (!(line & defender) && std::popcount(rest) == 2) pairs.add(rest);
    }
    return pairs.count > 0 && attack(attacker, defender, threat, 0);
}

// The attacker, with pairs_[depth], is to move and completes nothing at once; `threat` is the cell the defender would
// complete a line on, or nothing.
bool Chains::attack(Word attacker, Word defender, Word threat, int depth) {
    const Pairs& pairs = pairs_[depth];
    if (threat) return answer_threat(attacker, defender, threat, depth);
    if (const Word twice = pairs.shared()) {
        finish(twice & -twice, depth);
        return true;
    }
    Failure& known = failure(attacker, defender);
    if (known.attacker == attacker && known.defender == defender) return false;
    if (depth + 1 >= LONGEST) {
        cut_short_ = true;
        return false;
    }
    const bool was_cut_short = cut_short_;
    cut_short_ = false;
    // First those that win on the spot, so that chains are short and zones small.
    Word fresh[2 * MOST_PAIRS];
    for (int i = 0; i < 2 * pairs.count; ++i) {
        const Word low = pairs.cells[i / 2] & -pairs.cells[i / 2], high = pairs.cells[i / 2] ^ low;
        if (wins_next(attacker, defender, i % 2 ? high : low, i % 2 ? low : high, depth, fresh[i])) return true;
    }
    // Then those that make new pairs: what they lead to is new.
    for (const bool barren : {false, true})
        for (int i = 0; i < 2 * pairs.count; ++i) {
            if ((fresh[i] == 0) != barren) continue;
            const Word low = pairs.cells[i / 2] & -pairs.cells[i / 2], high = pairs.cells[i / 2] ^ low;
            if (advance(attacker, defender, i % 2 ? high : low, i % 2 ? low : high, depth)) return true;
        }
    if (!cut_short_) failure(attacker, defender) = {attacker, defender};
    cut_short_ |= was_cut_short;
    return false;
}

bool Chains::answer_threat(Word attacker, Word defender, Word threat, int depth) {
    Word partners = 0;
    const Pairs& pairs = pairs_[depth];
    for (int i = 0; i < pairs.count; ++i)
        if (pairs.cells[i] & threat) partners |= pairs.cells[i] ^ threat;
    if (partners == 0) return false;
    if (!is_single(partners)) {
        finish(threat, depth);
        return true;
    }
    if (depth + 1 >= LONGEST) {
        cut_short_ = true;
        return false;
    }
    return advance(attacker, defender, threat, partners, depth);
}

// Whether playing `gain`, which forces `cost`, leaves a cell on two pairs. `fresh` are the cells of pairs that it
// makes.
bool Chains::wins_next(Word attacker, Word defender, Word gain, Word cost, int depth, Word& fresh) {
    attacker |= gain;
    defender |= cost;
    fresh = 0;
    Word twice = 0;
    const int cell = lowest(gain);
    for (std::uint32_t i = lines_of_.start[cell]; i != lines_of_.start[cell + 1]; ++i) {
        const Word line = through_[i], rest = line & ~attacker;
        // Two lines may lack the same two cells: such a pair counts once.
        if ((line & defender) || std::popcount(rest) != 2 || (rest & ~fresh) == 0) continue;
        twice |= fresh & rest;
        fresh |= rest;
    }
    if (!fresh) return false;
    const Pairs& pairs = pairs_[depth];
    for (int i = 0; i < pairs.count; ++i)
        if (!(pairs.cells[i] & (gain | cost)) && is_single(pairs.cells[i] & fresh)) twice |= pairs.cells[i] & fresh;
    if (!twice || threats_through(defender, attacker, lowest(cost))) return false;
    finish(twice & -twice, depth + 1);
    note(gain, cost, depth);
    return true;
}

// Plays `gain`, which forces `cost`, and goes on.
bool Chains::advance(Word attacker, Word defender, Word gain, Word cost, int depth) {
    if (total_ >= limit_) {
        cut_short_ = true;
        return false;
    }
    ++total_;
    attacker |= gain;
    defender |= cost;
    const Word threat = threats_through(defender, attacker, lowest(cost));
    if (threat && !is_single(threat)) return false;
    const Pairs& before = pairs_[depth];
    Pairs& after = pairs_[depth + 1];
    after.count = 0;
    for (int i = 0; i < before.count; ++i)
        if (!(before.cells[i] & (gain | cost))) after.cells[after.count++] = before.cells[i];
    add_pairs_through(attacker, defender, lowest(gain), after);
    if (after.count == 0) return false;
    if (!attack(attacker, defender, threat, depth + 1)) return false;
    note(gain, cost, depth);
    return true;
}

void Chains::finish(Word gain, int depth) {
    attacks_.assign(depth + 1, 0);
    replies_.assign(depth, 0);
    attacks_[depth] = static_cast<std::uint8_t>(lowest(gain));
}

void Chains::note(Word gain, Word cost, int depth) {
    attacks_[depth] = static_cast<std::uint8_t>(lowest(gain));
    replies_[depth] = static_cast<std::uint8_t>(lowest(cost));
}

Word Chains::zone(Word attacker, Word defender) const {
    Word zone = 0;
    auto add_if_threatening = [&](Word line) {
        const Word rest = line & ~defender;
        if (!(line & attacker) && std::popcount(rest) <= 2) zone |= rest;
    };
    for (Word line : lines_) add_if_threatening(line);
    for (std::size_t i = 0; i < attacks_.size(); ++i) {
        attacker |= Word{1} << attacks_[i];
        zone |= Word{1} << attacks_[i];
        if (i == replies_.size()) break;
        const int reply = replies_[i];
        defender |= Word{1} << reply;
        zone |= Word{1} << reply;
        for (std::uint32_t j = lines_of_.start[reply]; j != lines_of_.start[reply + 1]; ++j)
            add_if_threatening(through_[j]);
    }
    // One of three threats may be stopped; of two, none.
    const Word last = completing(attacker, defender);
    return std::popcount(last) > 2 ? zone : zone | last;
}

}  // namespace noughts
