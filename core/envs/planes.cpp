#include "envs/planes.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace noughts {
namespace {

using Bytes = std::array<std::uint8_t, 8>;

// The bits of every byte value as eight bytes, the lowest bit first.
constexpr auto SPREAD = [] {
    std::array<Bytes, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte)
        for (std::size_t bit = 0; bit < 8; ++bit) table[byte][bit] = byte >> bit & 1;
    return table;
}();

// Writes 1 for the members of a set and 0 for all other cells. `word_at(w)` returns a word of the set.
template <typename WordAt>
void write_cells(int cells, std::uint8_t* out, WordAt&& word_at) {
    for (int w = 0; w < words_for(cells); ++w) {
        Word word = word_at(w);
        int left = std::min(WORD_BITS, cells - w * WORD_BITS);
        for (; left >= 8; left -= 8, out += 8, word >>= 8) std::memcpy(out, SPREAD[word & 0xff].data(), 8);
        for (; left > 0; --left, word >>= 1) *out++ = word & 1;
    }
}

// Writes 1 for all cells of the given blocks.
void write_blocks(const Game& game, Word blocks, std::uint8_t* out) {
    if (blocks == 0) {
        std::memset(out, 0, static_cast<std::size_t>(game.cells()));
        return;
    }
    write_cells(game.cells(), out, [&](int w) {
        Word cells = 0;
        for_each_bit(blocks, 0, [&](Block block) { cells |= game.block_mask(block).word(w); });
        return cells;
    });
}

void write_legal(const Position& position, std::uint8_t* out) {
    const auto legal = position.legal_cells();
    const bool is_over = position.is_over();
    write_cells(position.game().cells(), out, [&](int w) { return is_over ? Word{0} : legal.word(w); });
}

}  // namespace

void write_planes(const Position& position, std::span<std::uint8_t> out) {
    const Game& game = position.game();
    assert(out.size() == plane_bytes(game));
    const Side own = position.turn();
    const auto cells = static_cast<std::size_t>(game.cells());
    const auto plane = [&](Plane number) { return out.data() + static_cast<std::size_t>(number) * cells; };
    const auto write_marks = [&](Side side, Plane number) {
        write_cells(game.cells(), plane(number), [&](int w) { return position.marks(side).word(w); });
    };
    write_marks(own, OWN_MARKS);
    write_marks(opponent(own), OPPONENT_MARKS);
    write_legal(position, plane(PLAYABLE));
    std::memset(plane(LAST_MOVE), 0, cells);
    if (position.ply() > 0) plane(LAST_MOVE)[position.now().cell] = 1;
    if (game.has_one_block()) return;
    const Block to_play = position.block_to_play();
    write_blocks(game, to_play == NO_BLOCK ? Word{0} : bit(to_play), plane(BLOCK_TO_PLAY));
    write_blocks(game, position.now().won[own], plane(OWN_BLOCKS));
    write_blocks(game, position.now().won[opponent(own)], plane(OPPONENT_BLOCKS));
}

void write_legal_mask(const Position& position, std::span<std::uint8_t> out) {
    assert(out.size() == static_cast<std::size_t>(position.game().cells()));
    write_legal(position, out.data());
}

}  // namespace noughts
