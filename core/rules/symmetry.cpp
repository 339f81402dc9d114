// Colour refinement with individualisation. Cells, lines, blocks and outer lines are the vertices of a graph. Vertices
// are distinguished by the colours of their neighbours until nothing changes; as long as cells share a colour, one of
// them is given a new colour (individualised) and the refinement continues. Two such sequences that end in
// matching colours give a candidate for an automorphism, which is then checked.
#include "rules/symmetry.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace noughts {
namespace {

using Colour = std::uint64_t;
using Colours = std::vector<Colour>;

// Steps, under a second; steps are counted so that all machines agree.
constexpr std::uint64_t WORK_LIMIT = 300'000'000;
constexpr std::uint64_t SORTING = 40;            // steps for each cell when the colours are sorted
constexpr std::uint64_t ASK_EVERY = 10'000'000;  // steps, some ten milliseconds

struct GaveUp {};

// Counts the steps of the search. Throws GaveUp at the limit, and Interrupted if the interrupt returns true.
class Work {
  public:
    explicit Work(const Interrupt& interrupt) : interrupt_(interrupt) {}

    void spend(std::uint64_t steps) {
        used_ += steps;
        if (used_ > limit_) throw GaveUp{};
        if (used_ < next_ask_) return;
        next_ask_ = used_ + ASK_EVERY;
        if (interrupt_ && interrupt_()) throw Interrupted{};
    }
    // For the work after the search, which has its own bounds.
    void lift_limit() { limit_ = ~0ull; }

  private:
    const Interrupt& interrupt_;
    std::uint64_t used_ = 0, limit_ = WORK_LIMIT, next_ask_ = ASK_EVERY;
};

struct Edge {
    std::uint32_t to;
    std::uint32_t label;
};

enum Label : std::uint32_t { LINE = 1, GUARD, BELOW, ABOVE, BLOCK, SENDS, SENT, OUTER };

class Graph {
  public:
    Graph(const Game& game, Work& work) : cells_(game.cells()), work_(work) {
        const auto& data = game.data();
        const int first_line = cells_, first_block = first_line + game.lines();
        const int first_outer = first_block + game.blocks();
        edges_.resize(first_outer + data.outer_lines.size());
        start_.assign(edges_.size(), mix(1));
        for (int i = 0; i < game.lines(); ++i) {
            start_[first_line + i] = mix(2);
            for (int cell : data.lines[i].cells) join(cell, first_line + i, LINE, LINE);
            for (int cell : data.lines[i].guards) join(cell, first_line + i, GUARD, GUARD);
        }
        for (int cell = 0; cell < cells_; ++cell) {
            for (int below : data.rests_on[cell]) join(cell, below, BELOW, ABOVE);
            join(cell, first_block + data.block_of[cell], BLOCK, BLOCK);
            if (data.sends[cell] >= 0) join(cell, first_block + data.sends[cell], SENDS, SENT);
        }
        for (int block = 0; block < game.blocks(); ++block) start_[first_block + block] = mix(3);
        for (std::size_t i = 0; i < data.outer_lines.size(); ++i) {
            start_[first_outer + i] = mix(4);
            for (int block : data.outer_lines[i])
                join(first_block + block, first_outer + static_cast<int>(i), OUTER, OUTER);
        }
    }

    int cells() const { return cells_; }
    const Colours& start() const { return start_; }

    // Recolours vertices by the colours of their neighbours until two rounds in a row distinguish no more cells.
    void refine(Colours& colours) {
        Colours next(colours.size()), on_lines(colours.size());
        int distinct = count(colours), quiet = 0;
        while (quiet < 2 && distinct < cells_) {
            // Nearly all edges belong to lines, so the term of a line edge is computed once for each vertex.
            for (std::size_t v = 0; v < colours.size(); ++v) on_lines[v] = mix(colours[v] + LINE);
            for (std::size_t v = 0; v < colours.size(); ++v) {
                Colour sum = 0;
                for (Edge edge : edges_[v])
                    sum += edge.label == LINE ? on_lines[edge.to] : mix(colours[edge.to] + edge.label);
                next[v] = mix(colours[v] * 3 + sum);
            }
            work_.spend(2 * count_ + SORTING * cells_ + 4 * colours.size());
            colours.swap(next);
            const int now = count(colours);
            quiet = now == distinct ? quiet + 1 : 0;
            distinct = now;
        }
    }

    Colours individualise(const Colours& colours, Cell cell) {
        Colours result = colours;
        result[cell] = mix(result[cell] ^ 0x5bd1e995);
        refine(result);
        return result;
    }

    Colours sorted_cells(const Colours& colours) const {
        Colours result(colours.begin(), colours.begin() + cells_);
        std::sort(result.begin(), result.end());
        return result;
    }

    // The first cell of the smallest class of cells with the same colour; nothing if all colours differ.
    std::optional<int> ambiguous_cell(const Colours& colours) const {
        const Colours sorted = sorted_cells(colours);
        Colour best = 0;
        std::size_t best_size = sorted.size() + 1;
        for (std::size_t i = 0; i < sorted.size();) {
            std::size_t j = i;
            while (j < sorted.size() && sorted[j] == sorted[i]) ++j;
            if (j - i > 1 && j - i < best_size) {
                best_size = j - i;
                best = sorted[i];
            }
            i = j;
        }
        if (best_size > sorted.size()) return std::nullopt;
        return static_cast<int>(std::find(colours.begin(), colours.begin() + cells_, best) - colours.begin());
    }

  private:
    void join(int a, int b, Label forth, Label back) {
        edges_[a].push_back({static_cast<std::uint32_t>(b), forth});
        edges_[b].push_back({static_cast<std::uint32_t>(a), back});
        ++count_;
    }
    int count(const Colours& colours) const {
        Colours sorted = sorted_cells(colours);
        return static_cast<int>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    }

    int cells_;
    std::vector<std::vector<Edge>> edges_;
    Colours start_;
    std::uint64_t count_ = 0;  // number of edges; each is in two lists
    Work& work_;
};

Permutation identity(int cells) {
    Permutation result(cells);
    std::iota(result.begin(), result.end(), std::uint16_t{0});
    return result;
}

// Checks whether permutations are automorphisms of the game. Lines are found by a hash of their cells.
class AutomorphismCheck {
  public:
    AutomorphismCheck(const Game& game, Work& work) : game_(game), data_(game.data()), work_(work) {
        const Permutation itself = identity(game.cells());
        for (std::size_t i = 0; i < data_.lines.size(); ++i) {
            lines_.emplace(sum_of(data_.lines[i], itself), i);
            size_ += data_.lines[i].cells.size() + data_.lines[i].guards.size();
        }
        for (const auto& line : data_.outer_lines) outer_.insert(sorted(line));
    }

    bool accepts(const Permutation& p) const {
        work_.spend(CHECKING * (size_ + p.size()));
        return is_permutation(p) && keeps_lines(p) && keeps_support(p) && keeps_blocks(p);
    }

  private:
    static constexpr std::uint64_t CHECKING = 16;  // steps for each cell of a line

    // Equal for lines with the same cells and guards in any order, and almost never for different lines.
    static std::uint64_t sum_of(const LineData& line, const Permutation& p) {
        std::uint64_t sum = line.cells.size();
        for (int cell : line.cells) sum += mix(p[cell]);
        for (int cell : line.guards) sum += mix(p[cell] + MAX_CELLS);
        return sum;
    }
    static std::vector<int> sorted(std::vector<int> values) {
        std::sort(values.begin(), values.end());
        return values;
    }
    template <typename Map>
    static std::vector<int> mapped(const std::vector<int>& values, const Map& map) {
        std::vector<int> result;
        for (int value : values) result.push_back(map[value]);
        return result;
    }
    bool is_permutation(const Permutation& p) const {
        if (static_cast<int>(p.size()) != game_.cells()) return false;
        std::vector<bool> seen(p.size(), false);
        for (int cell : p) {
            if (cell >= game_.cells() || seen[cell]) return false;
            seen[cell] = true;
        }
        return true;
    }
    bool keeps_lines(const Permutation& p) const {
        return std::ranges::all_of(data_.lines, [&](const LineData& line) {
            const auto [first, last] = lines_.equal_range(sum_of(line, p));
            return std::any_of(first, last,
                               [&](const auto& found) { return is_image(line, data_.lines[found.second], p); });
        });
    }
    static bool is_image(const LineData& from, const LineData& to, const Permutation& p) {
        const auto holds = [&p](const std::vector<int>& values) {
            return [&](int cell) { return std::ranges::find(values, p[cell]) != values.end(); };
        };
        return from.cells.size() == to.cells.size() && from.guards.size() == to.guards.size() &&
               std::ranges::all_of(from.cells, holds(to.cells)) && std::ranges::all_of(from.guards, holds(to.guards));
    }
    bool keeps_support(const Permutation& p) const {
        for (int cell = 0; cell < game_.cells(); ++cell)
            if (sorted(mapped(data_.rests_on[cell], p)) != sorted(data_.rests_on[p[cell]])) return false;
        return true;
    }
    bool keeps_blocks(const Permutation& p) const {
        std::vector<int> block_map(game_.blocks(), -1);
        for (int cell = 0; cell < game_.cells(); ++cell) {
            int& image = block_map[data_.block_of[cell]];
            if (image < 0) image = data_.block_of[p[cell]];
            if (image != data_.block_of[p[cell]]) return false;
        }
        for (int cell = 0; cell < game_.cells(); ++cell) {
            const int from = data_.sends[cell], to = data_.sends[p[cell]];
            if ((from < 0 ? -1 : block_map[from]) != to) return false;
        }
        return std::ranges::all_of(data_.outer_lines,
                                   [&](const auto& line) { return outer_.contains(sorted(mapped(line, block_map))); });
    }

    const Game& game_;
    const GameData& data_;
    Work& work_;
    std::size_t size_ = 0;                                       // number of cells and guards of all lines
    std::unordered_multimap<std::uint64_t, std::size_t> lines_;  // by hash
    std::set<std::vector<int>> outer_;
};

// Finds a strong generating set: automorphisms that fix fewer and fewer of the individualised cells.
class AutomorphismSearch {
  public:
    AutomorphismSearch(const Game& game, const AutomorphismCheck& check, Work& work)
        : graph_(game, work), check_(check), work_(work) {}

    void run() {
        individualise_until_discrete();
        for (int level = static_cast<int>(base_.size()) - 1; level >= 0; --level) explore(level);
        std::reverse(orbit_sizes.begin(), orbit_sizes.end());
    }

    // Cells whose images determine a symmetry; empty if the search was given up before it had found them.
    std::vector<int> base() const { return has_base_ ? base_ : std::vector<int>{}; }

    std::vector<int> orbit_sizes;
    std::vector<Permutation> generators;

  private:
    static constexpr std::size_t MOST_COLOURS = 1 << 24;  // limit of the colours kept at the same time: 128 megabytes

    void individualise_until_discrete() {
        colours_.push_back(graph_.start());
        graph_.refine(colours_.back());
        while (auto cell = graph_.ambiguous_cell(colours_.back())) {
            if ((colours_.size() + 1) * graph_.start().size() > MOST_COLOURS) throw GaveUp{};
            base_.push_back(*cell);
            colours_.push_back(graph_.individualise(colours_.back(), *cell));
        }
        has_base_ = true;
    }

    void explore(int level) {
        const Colours& colours = colours_[level];
        const int pivot = base_[level];
        std::set<int> failed;
        auto orbits = orbits_now();
        for (int cell = 0; cell < graph_.cells(); ++cell) {
            if (cell == pivot || colours[cell] != colours[pivot]) continue;
            if (orbits[cell] == orbits[pivot] || failed.contains(orbits[cell])) continue;
            if (auto image = match(colours_[level + 1], graph_.individualise(colours, cell))) {
                generators.push_back(std::move(*image));
                orbits = orbits_now();
            } else {
                failed.insert(orbits[cell]);
            }
        }
        orbit_sizes.push_back(static_cast<int>(std::count(orbits.begin(), orbits.end(), orbits[pivot])));
    }

    // Labels every cell with the least cell of its orbit under the generators found so far. All of these fix the cells
    // that were individualised before the current level.
    std::vector<int> orbits_now() {
        std::vector<int> label(graph_.cells());
        std::iota(label.begin(), label.end(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            work_.spend(generators.size() * label.size());
            for (const auto& generator : generators)
                for (int cell = 0; cell < graph_.cells(); ++cell) {
                    const int least = std::min(label[cell], label[generator[cell]]);
                    changed |= label[cell] != least || label[generator[cell]] != least;
                    label[cell] = label[generator[cell]] = least;
                }
        }
        return label;
    }

    // An automorphism that maps the colouring `from` to the colouring `to`, if there is one.
    std::optional<Permutation> match(const Colours& from, const Colours& to) {
        work_.spend(SORTING * 3 * graph_.cells());
        if (graph_.sorted_cells(from) != graph_.sorted_cells(to)) return std::nullopt;
        const auto cell = graph_.ambiguous_cell(from);
        if (!cell) return match_discrete(from, to);
        const Colours next = graph_.individualise(from, *cell);
        for (Cell other = 0; other < graph_.cells(); ++other)
            if (to[other] == from[*cell])
                if (auto image = match(next, graph_.individualise(to, other))) return image;
        return std::nullopt;
    }

    // Like `match`, if all colours differ, so that there is only one candidate.
    std::optional<Permutation> match_discrete(const Colours& from, const Colours& to) const {
        std::vector<std::pair<Colour, Cell>> a, b;
        for (Cell cell = 0; cell < graph_.cells(); ++cell) {
            a.emplace_back(from[cell], cell);
            b.emplace_back(to[cell], cell);
        }
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        Permutation image(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) image[a[i].second] = static_cast<std::uint16_t>(b[i].second);
        if (!check_.accepts(image)) return std::nullopt;
        return image;
    }

    Graph graph_;
    const AutomorphismCheck& check_;
    Work& work_;
    std::vector<int> base_;
    bool has_base_ = false;
    std::vector<Colours> colours_;
};

// The group generated by some permutations. Its elements are enumerated by the images of a base: cells that distinguish
// all elements.
class GeneratedGroup {
  public:
    // If the base is empty, all cells are used.
    GeneratedGroup(std::vector<int> base, int cells, Work& work) : base_(std::move(base)), cells_(cells), work_(work) {
        if (base_.empty()) {
            base_.resize(cells);
            std::iota(base_.begin(), base_.end(), 0);
        }
    }

    // All elements, the identity first; nothing if there are more than `limit`.
    std::vector<Permutation> elements(std::span<const Permutation> generators, std::size_t limit) {
        if (!find_steps(generators, limit)) return {};
        std::vector<Permutation> elements{identity(cells_)};
        for (const auto [from, generator] : steps_) {
            work_.spend(cells_);
            elements.push_back(product(generators[generator], elements[from]));
        }
        return elements;
    }

  private:
    struct Step {
        std::size_t from, generator;  // an element is the product of an earlier element and a generator
    };

    struct Hash {
        std::size_t operator()(const Permutation& permutation) const {
            std::uint64_t hash = 0;
            for (std::uint64_t cell : permutation) hash = hash * 0x9e3779b97f4a7c15ull + cell;
            return static_cast<std::size_t>(mix(hash));
        }
    };

    static Permutation product(const Permutation& generator, const Permutation& element) {
        Permutation result(element.size());
        for (std::size_t i = 0; i < element.size(); ++i) result[i] = generator[element[i]];
        return result;
    }

    bool find_steps(std::span<const Permutation> generators, std::size_t limit) {
        steps_.clear();
        std::vector<Permutation> images{Permutation(base_.begin(), base_.end())};
        std::unordered_set<Permutation, Hash> seen{images.front()};
        for (std::size_t i = 0; i < images.size(); ++i)
            for (std::size_t generator = 0; generator < generators.size(); ++generator) {
                work_.spend(SORTING + 4 * base_.size());
                Permutation image = product(generators[generator], images[i]);
                if (!seen.insert(image).second) continue;
                if (images.size() == limit) return false;
                images.push_back(std::move(image));
                steps_.push_back({i, generator});
            }
        return true;
    }

    std::vector<int> base_;
    int cells_;
    Work& work_;
    std::vector<Step> steps_;
};

// The group generated by as many of the generators, in the given order, as the limit allows.
std::vector<Permutation> largest_group(GeneratedGroup& group, std::span<const Permutation> generators,
                                       std::size_t limit) {
    for (std::size_t count = generators.size();; --count) {
        auto elements = group.elements(generators.first(count), limit);
        if (!elements.empty()) return elements;
    }
}

}  // namespace

Symmetry::Symmetry(const Game& game, const std::vector<Permutation>& geometric, std::size_t limit,
                   const Interrupt& interrupt)
    : fingerprint_(game.fingerprint()), cells_(game.cells()), blocks_(game.blocks()) {
    Work work(interrupt);
    const AutomorphismCheck check(game, work);
    AutomorphismSearch search(game, check, work);
    bool complete = true;
    try {
        search.run();
        orbit_sizes_ = search.orbit_sizes;
        generators_ = search.generators;
    } catch (const GaveUp&) {
        complete = false;
    }
    work.lift_limit();
    double order = 1;
    for (int size : orbit_sizes_) order *= size;
    GeneratedGroup group(search.base(), game.cells(), work);
    if (complete && order <= static_cast<double>(limit)) {
        elements_ = group.elements(generators_, limit);
    } else {
        std::vector<Permutation> kept;
        for (const auto& permutation : geometric)
            if (check.accepts(permutation)) kept.push_back(permutation);
        elements_ = largest_group(group, kept, limit);
        note_ = (complete ? "more than " + std::to_string(limit) + " symmetries"
                          : std::string("too many symmetries to find")) +
                "; the " + std::to_string(elements_.size()) + " geometric ones are used";
    }
    for (const auto& element : elements_) {
        auto& blocks = block_elements_.emplace_back();
        for (int block = 0; block < game.blocks(); ++block)
            blocks.push_back(static_cast<std::uint8_t>(game.block_of(element[game.cells_of(block).front()])));
    }
}

bool Symmetry::belongs_to(const Game& game) const {
    return game.fingerprint() == fingerprint_ && game.cells() == cells_ && game.blocks() == blocks_;
}

std::size_t Symmetry::bytes() const {
    std::size_t bytes = sizeof *this;
    for (const auto* permutations : {&generators_, &elements_})
        bytes += permutations->size() * (sizeof(Permutation) + cells_ * sizeof(std::uint16_t));
    return bytes + block_elements_.size() * (sizeof(block_elements_[0]) + blocks_);
}

Symmetry::Image Symmetry::least_image(const Position& position) const {
    assert(belongs_to(position.game()));
    std::vector<std::int8_t> marks(cells_);
    for (int cell = 0; cell < cells_; ++cell) marks[cell] = static_cast<std::int8_t>(index(position.at(cell)));
    std::size_t best = 0;
    // Compares an image with the best one; negative if it is less.
    const auto compare = [&](std::size_t i) {
        const Permutation &from = elements_[i], &least = elements_[best];
        for (int cell = 0; cell < cells_; ++cell)
            if (const int difference = marks[from[cell]] - marks[least[cell]]) return difference;
        return 0;
    };
    BlocksImage blocks = blocks_of_image(position, 0);
    for (std::size_t i = 1; i < elements_.size(); ++i) {
        const int difference = compare(i);
        if (difference > 0 || (difference == 0 && blocks_ == 1)) continue;
        BlocksImage candidate = blocks_of_image(position, i);
        if (difference == 0 && candidate >= blocks) continue;
        best = i;
        blocks = std::move(candidate);
    }
    Image image{{}, blocks.first, std::move(blocks.second), best};
    for (int cell = 0; cell < cells_; ++cell) image.marks.push_back(marks[elements_[best][cell]]);
    return image;
}

// The block to play and the owners of blocks in the image of the position. The image of a cell takes its mark from the
// cell to which the symmetry maps it.
Symmetry::BlocksImage Symmetry::blocks_of_image(const Position& position, std::size_t symmetry) const {
    BlocksImage image{NO_BLOCK, {}};
    if (blocks_ == 1) return image;
    for (int block = 0; block < blocks_; ++block) {
        const Block from = block_elements_[symmetry][block];
        if (from == position.block_to_play()) image.first = block;
        image.second.push_back(index(winner_of(position.owner(from))));
    }
    return image;
}

std::uint64_t Symmetry::canonical_hash(const Position& position) const {
    assert(belongs_to(position.game()));
    const Game& game = position.game();
    std::vector<std::pair<int, Side>> marks;
    for (int cell = 0; cell < game.cells(); ++cell)
        if (Side side = position.at(cell); side != NO_SIDE) marks.emplace_back(cell, side);
    std::uint64_t least = ~0ull;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        std::uint64_t hash = game.fingerprint();
        for (auto [cell, side] : marks) hash ^= game.cell_key(side, elements_[i][cell]);
        if (int block = position.block_to_play(); block >= 0) hash ^= game.send_key(block_elements_[i][block]);
        if (game.keeps_won_blocks_open())
            for (int block = 0; block < game.blocks(); ++block)
                if (const Owner owner = position.owner(block); owner != Owner::UNDECIDED)
                    hash ^= game.owner_key(block_elements_[i][block], owner);
        least = std::min(least, hash);
    }
    return least;
}

}  // namespace noughts
