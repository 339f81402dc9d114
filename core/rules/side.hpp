// The two sides, the owners of blocks, and arrays indexed by them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace noughts {

enum class Side : std::int8_t { NO_SIDE = -1, X, O };  // X moves first

// The state of a block: undecided, won by a side, or dead (full without a line).
enum class Owner : std::int8_t { UNDECIDED = -1, X, O, DEAD };

inline constexpr Side X = Side::X;
inline constexpr Side O = Side::O;
inline constexpr Side NO_SIDE = Side::NO_SIDE;
inline constexpr std::array<Side, 2> BOTH_SIDES = {X, O};

constexpr int index(Side side) { return static_cast<int>(side); }  // 0 for X, 1 for O, -1 for NO_SIDE
constexpr int index(Owner owner) { return static_cast<int>(owner); }
constexpr Side side_at(int index) { return static_cast<Side>(index); }  // for index 0 or 1
constexpr Side opponent(Side side) { return side_at(1 - index(side)); }
constexpr Owner owned_by(Side side) { return static_cast<Owner>(index(side)); }
constexpr bool is_won(Owner owner) { return owner == Owner::X || owner == Owner::O; }
// The side that won a block; NO_SIDE if none did.
constexpr Side winner_of(Owner owner) { return is_won(owner) ? side_at(index(owner)) : NO_SIDE; }

// One item for X and one for O.
template <typename T>
struct PerSide {
    std::array<T, 2> items{};

    constexpr T& operator[](Side side) { return items[static_cast<std::size_t>(index(side))]; }
    constexpr const T& operator[](Side side) const { return items[static_cast<std::size_t>(index(side))]; }
    constexpr auto begin() { return items.begin(); }
    constexpr auto end() { return items.end(); }
    constexpr auto begin() const { return items.begin(); }
    constexpr auto end() const { return items.end(); }
};

// One item for each way in which a block can be decided: won by X, won by O, dead.
template <typename T>
struct PerOwner {
    std::array<T, 3> items{};

    constexpr T& operator[](Owner owner) { return items[static_cast<std::size_t>(index(owner))]; }
    constexpr const T& operator[](Owner owner) const { return items[static_cast<std::size_t>(index(owner))]; }
};

// A number (of a cell or a line) together with a side, in one integer.
template <typename Code>
class Sided {
  public:
    constexpr Sided() = default;
    constexpr Sided(int number, Side side) : code_(static_cast<Code>(number * 2 + index(side))) {}

    constexpr int number() const { return code_ / 2; }
    constexpr Side side() const { return side_at(code_ % 2); }
    constexpr bool operator==(const Sided&) const = default;

  private:
    Code code_ = 0;
};
using SidedCell = Sided<std::uint16_t>;
using SidedLine = Sided<std::uint32_t>;

}  // namespace noughts
