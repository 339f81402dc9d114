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

// Writes the planes of one position as bytes.
class BytePlanes {
  public:
    BytePlanes(const Game& game, std::uint8_t* out) : cells_(game.cells()), out_(out) {}

    template <typename WordAt>
    void set(Plane plane, WordAt&& word_at) {
        write_cells(cells_, begin_of(plane), word_at);
    }
    void clear(Plane plane) { std::memset(begin_of(plane), 0, static_cast<std::size_t>(cells_)); }
    void add(Plane plane, Cell cell) { begin_of(plane)[cell] = 1; }

  private:
    std::uint8_t* begin_of(Plane plane) const {
        return out_ + static_cast<std::size_t>(plane) * static_cast<std::size_t>(cells_);
    }

    int cells_;
    std::uint8_t* out_;
};

// Writes the planes of one position as bits.
class BitPlanes {
  public:
    BitPlanes(const Game& game, std::uint8_t* out) : bytes_(bytes_of_bit_plane(game)), out_(out) {}

    template <typename WordAt>
    void set(Plane plane, WordAt&& word_at) {
        constexpr std::size_t WORD_BYTES = sizeof(Word);
        std::uint8_t* out = begin_of(plane);
        std::size_t left = bytes_;
        int w = 0;
        for (; left >= WORD_BYTES; left -= WORD_BYTES, out += WORD_BYTES) write_bytes(word_at(w++), WORD_BYTES, out);
        if (left > 0) write_bytes(word_at(w), left, out);
    }
    void clear(Plane plane) { std::memset(begin_of(plane), 0, bytes_); }
    void add(Plane plane, Cell cell) { begin_of(plane)[cell / 8] |= static_cast<std::uint8_t>(1u << cell % 8); }

  private:
    std::uint8_t* begin_of(Plane plane) const { return out_ + static_cast<std::size_t>(plane) * bytes_; }
    static void write_bytes(Word word, std::size_t count, std::uint8_t* out) {
        for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(word >> (8 * i) & 0xff);
    }

    std::size_t bytes_;
    std::uint8_t* out_;
};

// Writes all cells of the given blocks.
template <typename Planes>
void write_blocks(const Game& game, Word blocks, Plane plane, Planes& out) {
    if (blocks == 0) {
        out.clear(plane);
        return;
    }
    out.set(plane, [&](int w) {
        Word cells = 0;
        for_each_bit(blocks, 0, [&](Block block) { cells |= game.block_mask(block).word(w); });
        return cells;
    });
}

// Calls `write(word_at)` with the legal moves.
template <typename Write>
void write_legal(const Position& position, Write&& write) {
    const auto legal = position.legal_cells();
    const bool is_over = position.is_over();
    write([&](int w) { return is_over ? Word{0} : legal.word(w); });
}

template <typename Planes>
void write_all(const Position& position, Planes out) {
    const Game& game = position.game();
    const Side own = position.turn();
    out.set(OWN_MARKS, [&](int w) { return position.marks(own).word(w); });
    out.set(OPPONENT_MARKS, [&](int w) { return position.marks(opponent(own)).word(w); });
    write_legal(position, [&](auto&& word_at) { out.set(PLAYABLE, word_at); });
    out.clear(LAST_MOVE);
    if (position.ply() > 0) out.add(LAST_MOVE, position.now().cell);
    if (game.has_one_block()) return;
    const Block to_play = position.block_to_play();
    write_blocks(game, to_play == NO_BLOCK ? Word{0} : bit(to_play), BLOCK_TO_PLAY, out);
    write_blocks(game, position.now().won[own], OWN_BLOCKS, out);
    write_blocks(game, position.now().won[opponent(own)], OPPONENT_BLOCKS, out);
}

}  // namespace

void write_planes(const Position& position, std::span<std::uint8_t> out) {
    assert(out.size() == plane_bytes(position.game()));
    write_all(position, BytePlanes(position.game(), out.data()));
}

void write_observation(const Position& position, ObservationKind kind, std::span<std::uint8_t> out) {
    assert(out.size() == observation_bytes(position.game(), kind));
    if (kind == ObservationKind::PLANES) write_all(position, BytePlanes(position.game(), out.data()));
    if (kind == ObservationKind::BITS) write_all(position, BitPlanes(position.game(), out.data()));
}

void write_legal_mask(const Position& position, std::span<std::uint8_t> out) {
    const int cells = position.game().cells();
    assert(out.size() == static_cast<std::size_t>(cells));
    write_legal(position, [&](auto&& word_at) { write_cells(cells, out.data(), word_at); });
}

}  // namespace noughts
