// The second visit to the nodes of a claim with passes: finds the zones of the nodes below passes, and checks that
// every reply is answered. docs/proof-soundness.md says why a pass answers the replies outside of the zone of its node.
#pragma once

#include <optional>

#include "fight.hpp"
#include "walk.hpp"

// A reference of a node: the node after a move or, without a cell, after a pass.
struct Edge {
    std::uint32_t node;
    int symmetry = -1, cell = -1;

    bool is_pass() const { return cell < 0; }
};

// A line of the file, which is well formed.
template <std::size_t N>
struct Node {
    char kind;
    std::vector<Edge> edges{};
    Set<N> listed{}, dominating{};
    std::optional<Sequence<N>> sequence{};

    Node(std::uint32_t number, Cursor in) : kind(in.next()) {
        if (kind == 'f') sequence.emplace(in);
        if (kind != 'm' && kind != 'r') return;
        while (in.accept(' ')) {
            if (in.accept('=')) {
                sequence.emplace(in);
                return;
            }
            const int cell = in.accept("~ ") ? -1 : in.number();
            if (cell >= 0) listed.set(cell);
            if (in.accept('<')) dominating.set(in.number());
            if (cell < 0 || in.accept(kind == 'm' ? ' ' : ':')) edges.push_back(read_edge(number, in, cell));
        }
    }

    bool has_passes() const { return std::ranges::any_of(edges, &Edge::is_pass); }

  private:
    static Edge read_edge(std::uint32_t number, Cursor& in, int cell) {
        const std::uint32_t node = in.reference(number);
        return {node, in.accept('/') ? in.number() : -1, cell};
    }
};

// Visits the nodes depth first, so that the zones below a node are known when all of its references are done. Keeps the
// zones of a node until the last reference to it. Relies on the first visit: lines are well formed, moves legal, and
// every node is reached, at one position.
template <std::size_t N>
class ZoneCheck {
  public:
    ZoneCheck(const Rules<N>& game, const Proof& source, const Claim& what, const std::vector<Symmetry>& known)
        : rules_(game), proof_(source), claim_(what), symmetries_(known) {}

    void run(const Position<N>& start) {
        count_references();
        lead_ = lead(start);
        enter(0, start);
        while (!path_.empty()) {
            Visit& visit = path_.back();
            if (visit.done == visit.node.edges.size()) {
                leave();
            } else {
                const Edge& edge = visit.node.edges[visit.done];
                const auto known = zones_.find(edge.node);
                known == zones_.end() ? enter(edge.node, after(visit.position, edge)) : unite(edge, known->second);
            }
        }
    }

  private:
    static constexpr int MAX_PASSES = 8;

    struct Visit {
        std::uint32_t number;
        Position<N> position;
        Node<N> node;
        Set<N> left;  // replies that are not answered yet
        Zone<N> zone;
        std::size_t done = 0;  // references
    };

    Node<N> node(std::uint32_t number) const { return {number, Cursor(proof_.line_at(claim_.nodes[number]))}; }

    void count_references() {
        references_.resize(claim_.nodes.size());
        for (std::uint32_t number = 0; number < claim_.nodes.size(); ++number)
            for (const Edge& edge : node(number).edges) ++references_[edge.node];
    }

    // The marks of the prover less those of the opponent, with the opponent's next one: only a pass changes it.
    int lead(const Position<N>& position) const {
        const auto marks = [&](int side) { return static_cast<int>(position.marks[side].count()); };
        return marks(claim_.side) - marks(1 - claim_.side) - (position.turn() != claim_.side);
    }

    Position<N> after(Position<N> position, const Edge& edge) const {
        if (edge.is_pass())
            position.has_passed = !position.has_passed;
        else
            rules_.play(position, edge.cell);
        return edge.symmetry < 0 ? position : preimage(position, symmetries_[edge.symmetry]);
    }

    void enter(std::uint32_t number, const Position<N>& position) {
        const int passes = lead(position) - lead_;  // on each path to the node
        Node<N> line = node(number);
        const Set<N> left = rules_.legal(position) & ~line.listed;
        path_.push_back({number, position, std::move(line), left, {std::vector<Set<N>>(passes)}});
        const Visit& visit = path_.back();
        if (!visit.node.has_passes()) return;
        expect_at(number, passes < MAX_PASSES, "at most 8 passes on a path");
        expect_at(number, (left & fight(visit).threats()).none(), "replies that do not complete a line");
    }

    void expect_at(std::uint32_t number, bool holds, const char* expected) const {
        if (!holds) throw Rejection(claim_.place(number) + ": expected " + expected);
    }

    // Adds the zones of the node of a reference; a pass takes the replies outside of the first.
    void unite(const Edge& edge, const Zone<N>& zone) {
        Visit& visit = path_.back();
        const auto here = [&](const Set<N>& set) {
            return edge.symmetry < 0 ? set : moved_back(set, symmetries_[edge.symmetry].cells);
        };
        if (edge.is_pass()) visit.left &= here(zone.sets[0]);
        for (std::size_t i = 0; i < visit.zone.sets.size(); ++i)
            visit.zone.sets[i] |= here(zone.sets[i + edge.is_pass()]);
        ++visit.done;
        if (--references_[edge.node] == 0) zones_.erase(edge.node);
    }

    // The cells that a permutation takes to a set.
    static Set<N> moved_back(const Set<N>& set, const Cells& permutation) {
        Set<N> found;
        for (std::size_t cell = 0; cell < permutation.size(); ++cell) found[cell] = set[permutation[cell]];
        return found;
    }

    // Completes the zone of a node whose references are done, and adds it to that of the node before.
    void leave() {
        Visit visit = std::move(path_.back());
        path_.pop_back();
        try {
            finish(visit);
        } catch (const Rejection& reason) {
            throw Rejection(claim_.place(visit.number) + ": " + reason.what());
        }
        if (path_.empty()) return;
        const Visit& before = path_.back();
        if (references_[visit.number] > 1) zones_.emplace(visit.number, visit.zone);
        unite(before.node.edges[before.done], visit.zone);
    }

    void finish(Visit& visit) const {
        Zone<N>& zone = visit.zone;
        Node<N>& node = visit.node;
        const bool has_passes = node.has_passes();
        expect(!has_passes || node.sequence || visit.left.none(), "an answer to every reply");
        if (has_passes && node.sequence && visit.left.any())
            Sequence<N>(*node.sequence).replay_after_each(visit.left, fight(visit));
        if (zone.sets.empty()) return;
        switch (node.kind) {
            case 'g': return zone.add(rules_.board);
            case 'm': return zone.add(node.listed);
            case 'f': return expect(node.sequence->add_zone(fight(visit), false, zone), "a sequence that wins");
        }
        const auto& marks = visit.position.marks;
        zone.add_lines(rules_, marks[claim_.side], marks[1 - claim_.side]);
        zone.add(node.dominating);
        if (node.sequence && visit.left.any()) add_default(visit);
    }

    // Adds the zone of a default: extra marks are tolerated after a pass, when one more is there, and after each reply
    // that does not lie outside of the zone of the sequence.
    void add_default(Visit& visit) const {
        Sequence<N>& sequence = *visit.node.sequence;
        const Fight<N> start = fight(visit);
        auto& sets = visit.zone.sets;
        Zone<N> passed{std::vector<Set<N>>(sets.size() + 1)};
        if (!sequence.add_zone(start, true, passed)) return visit.zone.add(rules_.board);
        for (std::size_t i = 0; i < sets.size(); ++i) sets[i] |= passed.sets[i + 1];
        for_each(visit.left & passed.sets[0], [&](int reply) {
            expect(sequence.add_zone(Fight<N>(start).mark_other(reply), true, visit.zone), "a default that wins");
        });
    }

    Fight<N> fight(const Visit& visit) const { return Fight<N>(rules_, visit.position, claim_.side); }

    const Rules<N>& rules_;
    const Proof& proof_;
    const Claim& claim_;
    const std::vector<Symmetry>& symmetries_;
    std::vector<std::uint32_t> references_;  // to each node that are left
    int lead_ = 0;                           // at node 0
    std::vector<Visit> path_;
    std::unordered_map<std::uint32_t, Zone<N>> zones_;  // of nodes that are done and have references left
};
