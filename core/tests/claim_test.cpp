#include "solve/exhaustive_certificate.hpp"

#include <cmath>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// A plain reader of claims, which trusts nothing but the rules.
class Reader {
  public:
    Reader(const std::string& text, const std::vector<Permutation>& symmetries) : symmetries_(symmetries) {
        std::istringstream in(text);
        std::string line, word, side, goal;
        std::getline(in, line);
        std::istringstream(line) >> word >> side >> goal;
        prover_ = side == "X" ? X : O;
        goal_ = goal == "win" ? 1 : 0;
        while (std::getline(in, line)) lines_.push_back(line);
    }

    bool accepts(Position position) {
        if (position.is_over()) return lines_.empty() && is_met(position);
        try {
            visit(0, 0, position);
        } catch (const std::exception&) {
            return false;
        }
        return places_.size() == lines_.size();
    }

  private:
    static void require(bool holds) {
        if (!holds) throw std::invalid_argument("the claim does not hold");
    }
    bool is_met(const Position& over) const {
        const int value = value_when_over(over);
        return (over.turn() == prover_ ? value : -value) >= goal_;
    }
    static std::vector<int> place_of(const Position& position, const Permutation* moved) {
        const Game& game = position.game();
        std::vector<int> place(game.cells());
        for (int cell = 0; cell < game.cells(); ++cell) place[moved ? (*moved)[cell] : cell] = index(position.at(cell));
        const int block = position.block_to_play();
        place.push_back(index(position.turn()));
        place.push_back(block < 0 || !moved ? block : game.block_of((*moved)[game.cells_of(block).front()]));
        for (int b = 0; b < game.blocks(); ++b) place.push_back(moved ? -1 : index(position.owner(b)));
        return place;
    }
    void visit_reference(const std::string& text, Position& position) {
        const auto slash = text.find('/');
        visit(std::stoul(text), slash == std::string::npos ? 0 : std::stoul(text.substr(slash + 1)), position);
    }
    void visit(std::size_t node, std::size_t symmetry, Position& position) {
        require(node < lines_.size());
        if (const auto found = places_.find(node); found != places_.end()) {
            const auto here = symmetry == 0 ? place_of(position, nullptr) : place_of(position, &inverses_of(symmetry));
            require(std::equal(here.begin(), here.begin() + position.game().cells() + 2, found->second.begin()));
            return;
        }
        require(symmetry == 0);
        places_[node] = place_of(position, nullptr);
        std::istringstream line(lines_[node]);
        std::string kind;
        line >> kind;
        if (kind == "m")
            visit_move(line, position);
        else if (kind == "r")
            visit_replies(line, position);
        else
            visit_leaf(kind, position);
    }
    void visit_move(std::istringstream& line, Position& position) {
        int cell = -1;
        std::string next;
        line >> cell >> next;
        require(position.turn() == prover_ && position.is_legal(cell));
        const ScopedMove move(position, cell);
        require(position.is_over() == next.empty() && (!position.is_over() || is_met(position)));
        if (!next.empty()) visit_reference(next, position);
    }
    void visit_replies(std::istringstream& line, Position& position) {
        require(position.turn() != prover_);
        int replies = 0;
        for (std::string item; line >> item; ++replies) {
            const auto colon = item.find(':');
            require(position.is_legal(std::stoi(item)));
            const ScopedMove move(position, std::stoi(item));
            require(position.is_over() == (colon == std::string::npos) && (!position.is_over() || is_met(position)));
            if (!position.is_over()) visit_reference(item.substr(colon + 1), position);
        }
        require(replies == position.count_legal());
    }
    void visit_leaf(const std::string& kind, const Position& position) const {
        const Game& game = position.game();
        require(goal_ == 0 && game.blocks() == 1 && !game.has_gravity() && !game.misere() &&
                (kind == "p" || kind == "s"));
        double sum = 0;
        for (const auto& line : game.data().lines) {
            int empties = 0;
            bool spoiled = false;
            for (int cell : line.cells) {
                empties += position.at(cell) == NOBODY;
                spoiled |= position.at(cell) == prover_;
            }
            if (!spoiled) sum += std::pow(2, -empties);
        }
        require(kind == "p" ? sum == 0 : sum < (position.turn() == prover_ ? 1 : 0.5));
    }
    const Permutation& inverses_of(std::size_t symmetry) {
        auto& inverse = inverses_[symmetry];
        if (!inverse.empty()) return inverse;
        inverse.resize(symmetries_.at(symmetry).size());
        for (std::size_t cell = 0; cell < inverse.size(); ++cell)
            inverse[symmetries_[symmetry][cell]] = static_cast<std::uint16_t>(cell);
        return inverse;
    }

    std::vector<Permutation> symmetries_;
    std::map<std::size_t, Permutation> inverses_;
    Side prover_ = X;
    int goal_ = 0;
    std::vector<std::string> lines_;
    std::map<std::size_t, std::vector<int>> places_;
};

// Writes and reads every claim that the value of the position calls for; returns their text.
std::string check_claims(ExhaustiveSolver& exhaust, const std::vector<Permutation>& symmetries,
                         const Position& position) {
    WorkLimit limit;
    const int value = exhaust.solve(position, -1, 1, limit).bounds.lower;
    std::string all;
    for (Side prover : BOTH_SIDES) {
        if (value != 0 && (value > 0) != (prover == position.turn())) continue;
        ClaimWriter writer(exhaust, symmetries, 1'000'000, limit);
        const Claim claim = writer.write(position, prover, value == 0 ? 0 : 1);
        CHECK_EQUAL(claim.why_not, "");
        CHECK(Reader(claim.text, symmetries).accepts(position));
        all += claim.text;
    }
    return all;
}

GameData misere(GameData data) {
    data.misere = true;
    return data;
}

}  // namespace

TEST("claims of small games hold, with symmetry and without") {
    for (const auto& data :
         {board(3, 3, 3), board(4, 3, 3), board(4, 4, 4), misere(board(3, 3, 3)), misere(board(4, 3, 3)),
          board(4, 4, 4, false, true), board(3, 3, 3, true, true), ultimate(2)}) {
        const auto game = make(data);
        const auto symmetries = Symmetry(*game, {}).elements();
        ExhaustiveSolver exhaust(game, 1 << 22, symmetries);
        const std::string plain = check_claims(exhaust, {}, Position(game)),
                          folded = check_claims(exhaust, symmetries, Position(game));
        CHECK(!plain.empty() && !folded.empty());
        if (game->misere()) CHECK(folded.size() * 2 < plain.size());
    }
}

TEST("claims of endings within blocks hold") {
    std::mt19937 random(4);
    for (int options = 0; options < 8; ++options) {
        GameData data = ultimate(3);
        data.misere = options & 1;
        data.counts_blocks = options & 2;
        data.keeps_won_blocks_open = options & 4;
        const auto game = make(std::move(data));
        ExhaustiveSolver exhaust(game, 1 << 20);
        for (int i = 0; i < 15; ++i) {
            Position position(game);
            while (!position.is_over() && position.now().free > 11) {
                std::vector<int> legal;
                position.for_each_legal([&](int cell) { legal.push_back(cell); });
                position.play(legal[random() % legal.size()]);
            }
            check_claims(exhaust, {}, position);
        }
    }
}

TEST("a claim with one altered cell is rejected") {
    const auto game = make(misere(board(3, 3, 3)));
    const Position position(game);
    ExhaustiveSolver exhaust(game, 1 << 20);
    WorkLimit limit;
    const std::string text = ClaimWriter(exhaust, {}, 1'000'000, limit).write(position, O, 0).text;
    int altered = 0, accepted = 0;
    for (std::size_t at = text.find('\n'); at < text.size(); ++at) {
        if (text[at - 1] != ' ' || text[at] < '0' || text[at] > '8') continue;
        std::string other = text;
        other[at] = static_cast<char>('0' + (text[at] - '0' + 1) % 9);
        ++altered;
        accepted += Reader(other, {}).accepts(position);
    }
    CHECK(altered > 100);
    CHECK(accepted * 50 < altered);  // a move may happen to be as good as the one written
}

TEST("a claim that is too large or false is not written, and the reason is given") {
    const auto game = make(board(4, 4, 4, false, true));
    ExhaustiveSolver exhaust(game, 1 << 20);
    WorkLimit limit;
    CHECK_EQUAL(ClaimWriter(exhaust, {}, 10, limit).write(Position(game), X, 0).why_not,
                "no certificate: too large, more than 10 nodes");
    const Claim wrong = ClaimWriter(exhaust, {}, 1'000'000, limit).write(Position(game), X, 1);
    CHECK(wrong.text.empty() && !wrong.why_not.empty());
}
