#include "solve/exhaustive/exhaustive_certificate.hpp"

#include <map>
#include <random>
#include <sstream>
#include <stdexcept>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "solve/solver.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

constexpr std::uint64_t MANY_NODES = 1'000'000;

// A simple reader of a certificate with one claim, which relies only on the rules. It knows moves and replies, the
// nodes of games without forced sequences; the Python tests check all kinds of nodes.
class Reader {
  public:
    explicit Reader(const Certificate& certificate) : symmetries_(certificate.symmetries) {
        std::istringstream in(certificate.text);
        std::string line, word, side, goal;
        std::getline(in, line);
        std::istringstream(line) >> word >> side >> goal;
        prover_ = side == "X" ? X : O;
        goal_ = goal == "win" ? 1 : 0;
        while (std::getline(in, line)) lines_.push_back(line);
    }

    bool accepts(Position position) {
        try {
            visit(0, nullptr, position);
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
        const bool is_image = slash != std::string::npos;
        visit(std::stoul(text), is_image ? &inverse_of(std::stoul(text.substr(slash + 1))) : nullptr, position);
    }
    void visit(std::size_t node, const Permutation* symmetry, Position& position) {
        require(node < lines_.size());
        if (const auto found = places_.find(node); found != places_.end()) {
            const auto here = place_of(position, symmetry);
            require(std::equal(here.begin(), here.begin() + position.game().cells() + 2, found->second.begin()));
            return;
        }
        require(symmetry == nullptr);
        places_[node] = place_of(position, nullptr);
        std::istringstream line(lines_[node]);
        std::string kind;
        line >> kind;
        require(kind == "m" || kind == "r");
        if (kind == "m")
            visit_move(line, position);
        else
            visit_replies(line, position);
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
    const Permutation& inverse_of(std::size_t symmetry) {
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

Certificate write(ExhaustiveSolver& solver, const Position& position, const Symmetry& symmetry, Side prover, int goal,
                  std::uint64_t most_nodes = MANY_NODES) {
    WorkLimit limit;
    CanonicalPosition canonical(position, symmetry);
    ExhaustiveCertificate writer(solver, canonical, limit, most_nodes);
    writer.add({prover, goal});
    return writer.certificate();
}

// Writes and reads every claim that follows from the value of the position; returns the length of their text.
std::size_t check_claims(ExhaustiveSolver& solver, const Symmetry& symmetry, const Position& position) {
    WorkLimit limit;
    const int value = solver.solve(position, -1, 1, limit).bounds.lower;
    std::size_t length = 0;
    for (Side prover : BOTH_SIDES) {
        if (value != 0 && (value > 0) != (prover == position.turn())) continue;
        const Certificate certificate = write(solver, position, symmetry, prover, value == 0 ? 0 : 1);
        CHECK(Reader(certificate).accepts(position));
        length += certificate.text.size();
    }
    return length;
}

// The group that contains only the identity.
Symmetry no_symmetry(const Game& game) { return Symmetry(game, {}, 1); }

GameData misere(GameData data) { return with(std::move(data), {.misere = true}); }

}  // namespace

TEST("certificates of small games hold, with symmetry and without") {
    for (const auto& data : {misere(board(3, 3, 3)), misere(board(4, 3, 3)), misere(board(3, 3, 3, true, true)),
                             misere(board(4, 3, 3, false, true)), ultimate(2)}) {
        const auto game = make(data);
        const Symmetry symmetry(*game, {});
        ExhaustiveSolver solver(game, 1 << 22, symmetry.elements());
        const std::size_t whole = check_claims(solver, no_symmetry(*game), Position(game)),
                          folded = check_claims(solver, symmetry, Position(game));
        CHECK(whole > 0 && folded > 0);
        if (game->misere() && !game->has_gravity()) CHECK(folded * 2 < whole);
    }
}

TEST("certificates of endings within blocks hold") {
    std::mt19937 random(4);
    for (auto& data : ultimate_variants(3)) {
        const auto game = make(std::move(data));
        ExhaustiveSolver solver(game, 1 << 20);
        for (int i = 0; i < 15; ++i) {
            const Position position = random_ending(game, 11, random);
            if (!position.is_over()) check_claims(solver, Symmetry(*game, {}), position);
        }
    }
}

TEST("a certificate with one altered cell is rejected") {
    const auto game = make(misere(board(3, 3, 3)));
    const Position position(game);
    ExhaustiveSolver solver(game, 1 << 20);
    const std::string text = write(solver, position, no_symmetry(*game), O, 0).text;
    int altered = 0, accepted = 0;
    for (std::size_t at = text.find('\n'); at < text.size(); ++at) {
        if (text[at - 1] != ' ' || text[at] < '0' || text[at] > '8') continue;
        std::string other = text;
        other[at] = static_cast<char>('0' + (text[at] - '0' + 1) % 9);
        ++altered;
        accepted += Reader({other, {}}).accepts(position);
    }
    CHECK(altered > 100);
    CHECK(accepted * 50 < altered);  // an altered move may happen to be as good as the original
}

TEST("a claim that is too large or false is not written, and the reason is given") {
    const auto game = make(board(4, 4, 4, false, true));
    ExhaustiveSolver solver(game, 1 << 20);
    const auto reason = [&](int goal, std::uint64_t most_nodes) -> std::string {
        try {
            return write(solver, Position(game), Symmetry(*game, {}), X, goal, most_nodes).text;
        } catch (const CertificateError& error) {
            return error.what();
        }
    };
    CHECK_EQUAL(reason(0, 3), "no certificate: too large, more than 3 nodes");
    CHECK_EQUAL(reason(1, MANY_NODES), "no certificate: the claim could not be shown to hold");
}

TEST("a certificate that is stopped is not written, and the next one is") {
    for (auto data : {board(5, 4, 4), board(4, 4, 4, false, true)}) {
        const Position position(make(std::move(data)));
        const Symmetry symmetry(position.game(), {});
        Solver solver(position, symmetry, 1);
        CHECK(solver.solve({}).is_solved());
        solver.stop();
        CHECK_THROWS_AS(solver.certificate(), CertificateError);
        CHECK(!solver.certificate().text.empty());
    }
}
