// How the cells of a game see each other along its lines: the inputs of a LineNetwork (line_network.hpp).
//
// A slot is a cell in one of the strips (tactics/strips.hpp) or lines through it, or its place. The state of a slot, as
// either side sees it, is a number, to which every mark in features adds. States that are alike in all that matters are
// of one kind.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rules/game.hpp"
#include "tactics/strips.hpp"

namespace noughts {

// The kind of every surroundings, by their number: kinds are numbered by the least number that is of the kind. Cells
// behind one that is CLOSED do not matter, nor do any cells if there is no room for a line; in the cell farthest away
// only a guard could be, so it matters only if it is OWN.
std::vector<std::uint16_t> kinds_of(const Surroundings& surroundings);

class LineFeatures {
  public:
    enum class Scope {
        STRIPS,  // slots in strips alone: the kinds are those of every board with such lines
        GAME,    // slots in strips or lines, and places: the kinds are those of one game
    };
    // Null if the cells of the game cannot be described so: it must have one block, for STRIPS its lines must form
    // strips and any empty cell be playable; and there must not be too many states.
    static std::shared_ptr<const LineFeatures> of(const Game& game, Scope scope);

    // A slot from which a cell is seen, and what a mark of X and of O on the cell adds to its states.
    struct View {
        std::uint32_t slot;
        std::uint16_t cell;  // of the slot
        PerSide<std::uint32_t> added;
    };
    std::span<const View> views_of(Cell cell) const {
        return {views_.data() + first_view_[cell], views_.data() + first_view_[cell + 1]};
    }
    int cells() const { return static_cast<int>(first_view_.size()) - 1; }
    int slots_of_cell() const { return width_; }  // slot cell * slots_of_cell() + i is the i-th of the cell
    // The states of each slot on an empty board: as X sees it in the lower half, as O does in the upper.
    std::span<const std::uint32_t> start() const { return start_; }
    std::uint16_t kind(std::uint32_t state) const { return kinds_[state]; }
    std::span<const std::uint16_t> kind_of_states() const { return kinds_; }
    int kinds() const { return kind_count_; }
    // No cell sees another from two slots.
    bool sees_once() const { return sees_once_; }
    // Of the strips; the length is 0 if there are none.
    const Surroundings& surroundings() const { return surroundings_; }

  private:
    friend class LineFeaturesBuilder;

    Surroundings surroundings_{0, false};
    int width_ = 0;
    int kind_count_ = 0;
    bool sees_once_ = true;
    std::vector<std::uint32_t> start_;
    std::vector<View> views_;  // by the cell seen
    std::vector<std::uint32_t> first_view_{0};
    std::vector<std::uint16_t> kinds_;
};

}  // namespace noughts
