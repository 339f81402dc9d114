#include "rules/orbits.hpp"

#include <map>

namespace noughts {
namespace {

std::vector<const Permutation*> stabiliser(const Position& position, const Symmetry& symmetry) {
    std::vector<const Permutation*> found;
    for (std::size_t element = 1; element < symmetry.elements().size(); ++element)
        if (fixes_position(position, symmetry, element)) found.push_back(&symmetry.elements()[element]);
    return found;
}

}  // namespace

bool fixes_position(const Position& position, const Symmetry& symmetry, std::size_t element) {
    const Game& game = position.game();
    const Permutation& cells = symmetry.elements()[element];
    for (int cell = 0; cell < game.cells(); ++cell)
        if (position.at(cell) != position.at(cells[cell])) return false;
    if (game.has_one_block()) return true;
    const auto& blocks = symmetry.block_elements()[element];
    for (int block = 0; block < game.blocks(); ++block)
        if (position.owner(block) != position.owner(blocks[block])) return false;
    const int wanted = position.block_to_play();
    return wanted < 0 || blocks[wanted] == wanted;
}

std::vector<Orbit> move_orbits(const Position& position, const Symmetry* symmetry) {
    const auto elements = symmetry ? stabiliser(position, *symmetry) : std::vector<const Permutation*>{};
    std::vector<bool> is_image(position.game().cells(), false);
    std::vector<Orbit> orbits;
    position.for_each_legal([&](int move) {
        if (is_image[move]) return;
        std::map<int, const Permutation*> images;
        for (const Permutation* element : elements)
            if (const int image = (*element)[move]; image != move) images.try_emplace(image, element);
        Orbit orbit{move, {}};
        for (const auto& [image, element] : images) {
            is_image[image] = true;
            orbit.images.push_back(element);
        }
        orbits.push_back(std::move(orbit));
    });
    return orbits;
}

}  // namespace noughts
