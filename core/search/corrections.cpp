#include "search/corrections.hpp"

#include <algorithm>

namespace noughts {
namespace {

constexpr int SLOT_BITS = 14;
constexpr int UNIT = 256;
constexpr int MAX_WEIGHT_OF_ERROR = 16;  // of a new error, relative to UNIT
constexpr int MAX_ERROR = 1024;
constexpr std::uint64_t SPREAD_X = 0x9e3779b97f4a7c15ull, SPREAD_O = 0xd6e8feb86659fd93ull,
                        SPREAD_WHERE = 0xa0761d6478bd642full;

std::size_t slot_of(std::uint64_t x, std::uint64_t o, std::uint64_t where) {
    std::uint64_t mixed = x * SPREAD_X + o * SPREAD_O + where * SPREAD_WHERE;
    mixed ^= mixed >> 32;
    return static_cast<std::size_t>((mixed * SPREAD_X) >> (64 - SLOT_BITS));
}

}  // namespace

Corrections::Corrections(const Game& game) {
    if (game.has_one_block()) return;
    won_.assign(std::size_t{1} << SLOT_BITS, 0);
    sent_.assign(std::size_t{1} << SLOT_BITS, 0);
}

std::size_t Corrections::by_won_blocks(const Position& position) const {
    return slot_of(position.now().won[X], position.now().won[O], static_cast<std::uint64_t>(index(position.turn())));
}

std::size_t Corrections::by_sending(const Position& position) const {
    const int block = position.block_to_play();
    const std::uint64_t where = static_cast<std::uint64_t>(2 * (block + 1) + index(position.turn()));
    if (block < 0) return slot_of(position.now().won[X], position.now().won[O], where);
    PerSide<std::uint64_t> marks;
    const auto mask = position.game().block_mask(block);
    for (int w = 0; w < mask.words(); ++w)
        for (Side side : BOTH_SIDES) marks[side] += position.marks(side).word(w) & mask.word(w);
    return slot_of(marks[X], marks[O], where);
}

int Corrections::of(const Position& position) const {
    if (won_.empty()) return 0;
    return (won_[by_won_blocks(position)] + sent_[by_sending(position)]) / (2 * UNIT);
}

void Corrections::learn(const Position& position, int error, int depth) {
    if (won_.empty()) return;
    const int weight = std::min(depth + 1, MAX_WEIGHT_OF_ERROR), aim = std::clamp(error, -MAX_ERROR, MAX_ERROR) * UNIT;
    for (std::int32_t* mean : {&won_[by_won_blocks(position)], &sent_[by_sending(position)]})
        *mean += (aim - *mean) / UNIT * weight;
}

}  // namespace noughts
