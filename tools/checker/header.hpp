// The header of a proof: the game, the position, the value and the symmetries.
#pragma once

#include "rules.hpp"

template <std::size_t N>
struct PositionReader {
    const Rules<N>& rules;
    Cursor in;
    Position<N> position{};

    Position<N> read() {
        for (std::size_t row = 0; row < rules.game.rows.size(); ++row) {
            if (row > 0) in.require(row % rules.game.rows_per_slice == 0 ? '|' : '/');
            read_row(rules.game.rows[row]);
        }
        in.require(' ');
        const std::size_t x = position.marks[X].count(), o = position.marks[O].count();
        expect(x == o || x == o + 1, "as many X as O, or one more");
        in.require(x == o ? 'x' : 'o');
        rules.is_ultimate() ? read_blocks() : check_flat();
        in.finish();
        return position;
    }

    void read_row(const Cells& row) {
        std::size_t at = 0;
        for (char next = in.peek(); next == 'x' || next == 'o' || is_digit(next); next = in.peek()) {
            if (is_digit(next)) {
                at += in.number(MAX_RUN_DIGITS);
            } else {
                expect(at < row.size(), "rows of the board's width");
                position.marks[in.next() == 'x' ? X : O].set(row[at++]);
            }
        }
        expect(at == row.size(), "rows of the board's width");
    }

    void check_flat() const {
        const auto marked = position.marked();
        for (const Set<N>& own : position.marks) expect(!has_line(rules.lines, own), "no complete line");
        for_each(marked, [&](int cell) { expect((rules.below[cell] & ~marked).none(), "marks that rest on others"); });
        expect(marked != rules.board, "a board with an empty cell");
    }

    void read_blocks() {
        in.require(' ');
        const bool is_open = rules.game.keeps_won_blocks_open;
        position.wanted = in.accept('-') ? -1 : in.positive_number() - 1;
        expect(position.wanted < rules.game.blocks, "a block to play, or -");
        if (is_open) in.require(' ');
        for (int block = 0; block < rules.game.blocks; ++block) {
            const bool x = has_line(rules.lines, position.marks[X] & rules.block_cells[block]);
            const bool o = has_line(rules.lines, position.marks[O] & rules.block_cells[block]);
            const char owner = is_open ? in.next() : x ? 'x' : o ? 'o' : '.';
            expect(owner == '.' ? !x && !o : (owner == 'x' && x) || (owner == 'o' && o), "owners with a line there");
            expect(is_open || !(x && o), "blocks with a line of one side at most");
            if (owner != '.') position.owned[owner == 'x' ? X : O].set(block);
        }
        for (const auto& own : position.owned) expect(!has_line(rules.outer_lines, own), "no complete line of blocks");
        expect(rules.legal(position).any(), "a block to play that is open");
    }
};

// The inverse of a permutation of the cells that preserves the rules of a game, and in Ultimate that of the blocks.
struct Symmetry {
    Cells cells, blocks;
};

// What the rules say about sets of cells, which are sorted: a permutation that maps facts to facts is a symmetry.
enum class Relation { LINE, SUPPORTS, TARGET, OUTER_LINE };
using Facts = std::set<std::tuple<Relation, Cells, Cells>>;

inline Facts facts_of(const Game& game) {
    const auto block_cells = [&](int block) { return numbers(block * game.blocks, game.blocks); };
    Facts facts;
    for (const Line& line : game.lines) facts.insert({Relation::LINE, line.cells, line.guards});
    for (int cell = 0; cell < game.cells; ++cell) {
        facts.insert({Relation::SUPPORTS, {cell}, game.rests_on[cell]});
        if (game.blocks > 1) facts.insert({Relation::TARGET, {cell}, block_cells(cell % game.blocks)});
    }
    for (const Cells& line : game.outer_lines) {
        Cells cells;
        for (const int block : line) std::ranges::copy(block_cells(block), std::back_inserter(cells));
        facts.insert({Relation::OUTER_LINE, cells, {}});
    }
    return facts;
}

inline std::vector<Symmetry> read_symmetries(const Game& game, const std::vector<Cells>& permutations) {
    const Facts facts = facts_of(game);
    std::vector<Symmetry> symmetries;
    for (const Cells& images : permutations) {
        expect(sorted(images) == numbers(0, game.cells), "each cell once in a symmetry");
        const auto image = [&](Cells cells) {
            for (int& cell : cells) cell = images[cell];
            return sorted(cells);
        };
        for (const auto& [relation, cells, related] : facts)
            expect(facts.contains({relation, image(cells), image(related)}), "a symmetry that preserves the rules");
        Symmetry& inverse = symmetries.emplace_back(Symmetry{images, Cells(game.blocks)});
        for (int cell = 0; cell < game.cells; ++cell) {
            inverse.cells[images[cell]] = cell;
            if (game.blocks > 1) inverse.blocks[images[cell] / game.blocks] = cell / game.blocks;
        }
    }
    return symmetries;
}

template <std::size_t N>
Set<N> moved(const Set<N>& set, const Cells& permutation) {
    Set<N> found;
    for_each(set, [&](int at) { found.set(permutation[at]); });
    return found;
}

// The position whose image under a symmetry is the given one.
template <std::size_t N>
Position<N> preimage(Position<N> position, const Symmetry& symmetry) {
    for (Set<N>& marks : position.marks) marks = moved(marks, symmetry.cells);
    for (auto& owned : position.owned) owned = moved(owned, symmetry.blocks);
    if (position.wanted >= 0) position.wanted = symmetry.blocks[position.wanted];
    return position;
}

struct Header {
    Game game;
    std::string name;  // the id of the game, or the name of a custom one
    std::string position, value;
    std::vector<Cells> symmetries;
};

inline Header read_header(std::string_view text) {
    Header header;
    int version = 0;
    Json json(text);
    const std::set<std::string> keys = json.read_object([&](const std::string& key) {
        if (key == "noughts_proof") return json.read(version);
        if (key == "position") return json.read(header.position);
        if (key == "value") return json.read(header.value);
        if (key == "symmetries") return json.read(header.symmetries);
        expect(key == "game", "only the keys noughts_proof, game, position, value and symmetries");
        if (json.token().peek() == '{') {
            std::tie(header.game, header.name) = read_custom_game(json);
        } else {
            json.read(header.name);
            header.game = game_of_id(header.name, true);
        }
    });
    expect(keys.size() == 5 && version == 1, "the keys of a header, and version 1");
    expect(header.position.size() <= MAX_POSITION_TEXT, "a position of at most 20000 characters");
    json.token().finish();
    return header;
}
