// The header of a proof: the game, the position, the value and the symmetries.
#pragma once

#include "rules.hpp"

template <std::size_t N>
class PositionReader {
  public:
    PositionReader(const Rules<N>& rules, const std::string& text) : rules_(rules), game_(rules.game), in_(text) {
        expect(text.size() <= MAX_TEXT, "a position of at most 20000 characters");
    }

    Position<N> read() {
        for (std::size_t slice = 0; slice < game_.slices.size(); ++slice)
            for (std::size_t row = 0; row < game_.slices[slice].size(); ++row) {
                if (slice > 0 || row > 0) in_.require(row == 0 ? '|' : '/');
                read_row(game_.slices[slice][row]);
            }
        in_.require(' ');
        read_turn();
        rules_.is_ultimate() ? read_blocks() : check_flat();
        in_.finish();
        return position_;
    }

  private:
    static constexpr std::size_t MAX_TEXT = 20'000, MAX_RUN_DIGITS = 6;

    void read_row(const Cells& row) {
        std::size_t at = 0;
        while (std::string_view(" /|").find(in_.peek()) == std::string_view::npos && !in_.is_at_end()) {
            const bool is_x = in_.accept('x');
            if (!is_x && !in_.accept('o')) {
                at += in_.number(MAX_RUN_DIGITS);
                continue;
            }
            expect(at < row.size(), "rows of the board's width");
            position_.marks[is_x ? X : O].set(row[at++]);
        }
        expect(at == row.size(), "rows of the board's width");
    }

    void read_turn() {
        const std::size_t x = position_.marks[X].count(), o = position_.marks[O].count();
        expect(x == o || x == o + 1, "as many X as O, or one more");
        in_.require(x == o ? 'x' : 'o');
    }

    void check_flat() const {
        const auto marked = position_.marked();
        for (const auto& own : position_.marks)
            for_each(own, [&](int cell) { expect(!rules_.completes(own, cell), "no complete line"); });
        for_each(marked, [&](int cell) { expect((rules_.below[cell] & ~marked).none(), "marks that rest on others"); });
        expect(marked != rules_.board, "a board with an empty cell");
    }

    void read_blocks() {
        in_.require(' ');
        const bool is_open = game_.keeps_won_blocks_open;
        position_.wanted = in_.accept('-') ? -1 : in_.positive_number() - 1;
        expect(position_.wanted < game_.blocks, "a block to play, or -");
        if (is_open) in_.require(' ');
        for (int block = 0; block < game_.blocks; ++block) {
            const bool x = has_line(X, block), o = has_line(O, block);
            const char owner = is_open ? in_.next() : x ? 'x' : o ? 'o' : '.';
            expect(owner == '.' ? !x && !o : (owner == 'x' && x) || (owner == 'o' && o), "owners with a line there");
            expect(is_open || !(x && o), "blocks with a line of one side at most");
            if (owner != '.') position_.owned[owner == 'x' ? X : O].set(block);
        }
        for (const auto& owned : position_.owned) expect(!rules_.has_outer_line(owned), "no complete line of blocks");
        expect(rules_.legal(position_).any(), "a block to play that is open");
    }

    bool has_line(int side, int block) const {
        bool found = false;
        for_each(position_.marks[side] & rules_.block_cells[block],
                 [&](int cell) { found |= rules_.completes(position_.marks[side], cell); });
        return found;
    }

    const Rules<N>& rules_;
    const Game& game_;
    Cursor in_;
    Position<N> position_;
};

// A permutation of the cells that preserves the rules of a game, and the permutation of its blocks.
struct Symmetry {
    Cells cells, blocks;
};

class SymmetryReader {
  public:
    explicit SymmetryReader(const Game& game) : game_(game) {
        for (const Line& line : game.lines) facts_.insert({LINE, sorted(line.cells), sorted(line.guards)});
        for (int cell = 0; cell < game.cells; ++cell) {
            facts_.insert({SUPPORTS, {cell}, sorted(game.rests_on[cell])});
            if (game.blocks > 1) facts_.insert({TARGET, {cell}, cells_of({cell % game.blocks})});
        }
        for (const Cells& line : game.outer_lines) facts_.insert({OUTER_LINE, sorted(cells_of(line)), {}});
    }

    Symmetry read(const Cells& images) const {
        Symmetry symmetry{images, {}};
        expect(sorted(symmetry.cells) == numbers(0, game_.cells), "each cell once in a symmetry");
        for (const auto& [kind, cells, related] : facts_)
            expect(facts_.contains({kind, image(cells, symmetry), image(related, symmetry)}),
                   "a symmetry that preserves lines, guards, supports and blocks");
        for (int cell = 0; cell < game_.cells; cell += game_.blocks)
            symmetry.blocks.push_back(symmetry.cells[cell] / game_.blocks);
        return symmetry;
    }

  private:
    enum Kind { LINE, SUPPORTS, TARGET, OUTER_LINE };

    static Cells image(Cells cells, const Symmetry& symmetry) {
        for (int& cell : cells) cell = symmetry.cells[cell];
        return sorted(cells);
    }

    // The cells of blocks.
    Cells cells_of(const Cells& blocks) const {
        Cells cells;
        for (const int block : blocks)
            for (int i = 0; i < game_.blocks; ++i) cells.push_back(block * game_.blocks + i);
        return cells;
    }

    const Game& game_;
    std::set<std::tuple<Kind, Cells, Cells>> facts_;  // a permutation that maps facts to facts is a symmetry
};

// The position whose image under a symmetry is the given one.
template <std::size_t N>
Position<N> preimage(const Position<N>& position, const Symmetry& symmetry) {
    Position<N> found;
    for (const int side : {X, O}) {
        for (std::size_t cell = 0; cell < symmetry.cells.size(); ++cell)
            found.marks[side][cell] = position.marks[side][symmetry.cells[cell]];
        for (std::size_t block = 0; block < symmetry.blocks.size(); ++block)
            found.owned[side][block] = position.owned[side][symmetry.blocks[block]];
    }
    while (position.wanted >= 0 && (found.wanted < 0 || symmetry.blocks[found.wanted] != position.wanted))
        ++found.wanted;
    return found;
}

struct Header {
    Game game;
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
        header.game = json.peek() == '{' ? read_custom_game(json) : read_id(json);
    });
    expect(keys.size() == 5 && version == 1, "the keys of a header, and version 1");
    json.finish();
    return header;
}
