// The features of a LineNetwork (line_network.hpp): the marks that each cell sees along its lines.
//
// A slot is a cell in one of the strips (tactics/strips.hpp) or lines through it, or the place of the cell. The state
// of a slot, from the view of either side, is a number to which every visible mark adds an amount. States that differ
// only in ways that do not matter are of the same kind.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rules/game.hpp"
#include "tactics/strips.hpp"

namespace noughts {

// The kind of every number of surroundings; kinds are numbered in the order of their least members. Cells behind a
// CLOSED one do not matter, nor does any cell if there is no room for a line. The outermost cell can only hold a guard,
// so it matters only if it is OWN.
std::vector<std::uint16_t> kinds_of(const Surroundings& surroundings);

class LineFeatures {
  public:
    enum class Scope {
        STRIPS,  // slots only in strips: the kinds are valid for every board with such lines
        GAME,    // slots in strips, lines and places: the kinds are valid for one game
    };
    // Null if the game cannot be described this way. It must have one block and not too many states; for STRIPS, its
    // lines must form strips and every empty cell must be playable.
    static std::shared_ptr<const LineFeatures> of(const Game& game, Scope scope);

    // A slot that sees a given cell, and the amounts that a mark of X and of O on that cell adds to the states of the
    // slot.
    struct View {
        std::uint32_t slot;
        std::uint16_t cell;  // to which the slot belongs
        PerSide<std::uint32_t> added;
    };
    std::span<const View> views_of(Cell cell) const {
        return {views_.data() + first_view_[cell], views_.data() + first_view_[cell + 1]};
    }
    int cells() const { return static_cast<int>(first_view_.size()) - 1; }
    int slots_of_cell() const { return width_; }  // the i-th slot of a cell has the number cell * slots_of_cell() + i
    // The states of each slot on an empty board: from X's view in the lower half, from O's in the upper.
    std::span<const std::uint32_t> start() const { return start_; }
    std::uint16_t kind(std::uint32_t state) const { return kinds_[state]; }
    std::span<const std::uint16_t> kind_of_states() const { return kinds_; }
    int kinds() const { return kind_count_; }
    // Whether no cell sees another cell from two slots.
    bool sees_once() const { return sees_once_; }
    // The surroundings of the strips; their length is 0 if there are none.
    const Surroundings& surroundings() const { return surroundings_; }

  private:
    friend class LineFeaturesBuilder;

    Surroundings surroundings_{0, false};
    int width_ = 0;
    int kind_count_ = 0;
    bool sees_once_ = true;
    std::vector<std::uint32_t> start_;
    std::vector<View> views_;  // ordered by the cell that is seen
    std::vector<std::uint32_t> first_view_{0};
    std::vector<std::uint16_t> kinds_;
};

}  // namespace noughts
