// The nodes on the path of one thread that other threads may be searching at the same time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace noughts {

// Threads exchange results only through a table. A thread deep below a node would not notice that another thread has
// answered the node, and would finish in vain. So each thread regularly looks up the nodes on its path, and returns to
// the first one that is answered.
template <typename Table>
class ThreadPath {
  public:
    using Key = typename Table::Key;

    // Starts a search after `nodes` nodes.
    void start(std::uint64_t nodes) {
        nodes_.clear();
        is_returning_ = false;
        next_look_ = nodes + NODES_PER_LOOK;
    }
    void enter(const Key& key, int goal) { nodes_.push_back({key, goal}); }
    // Leaves the node entered last. Returns whether another thread has answered that node; then `answer` gives the
    // answer.
    bool leave() {
        nodes_.pop_back();
        if (!is_returning_ || nodes_.size() != answered_) return false;
        is_returning_ = false;
        return true;
    }
    bool answer() const { return answer_; }

    // Whether the search is on its way back to an answered node; until it gets there it must not store results.
    bool is_returning() const { return is_returning_; }
    // Looks for an answered node if the last look was long ago; returns whether there is one.
    bool must_return(const Table& table, std::uint64_t nodes) {
        if (nodes >= next_look_ && !nodes_.empty()) look(table, nodes);
        return is_returning_;
    }

  private:
    static constexpr std::uint64_t NODES_PER_LOOK = 1024;  // as cheap as a few nodes

    struct Node {
        Key key;
        int goal;
    };

    // Keeps the answer, since the table entry may be replaced before the thread is back at the node.
    void look(const Table& table, std::uint64_t nodes) {
        next_look_ = nodes + NODES_PER_LOOK;
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (const int known = table.probe(nodes_[i].key).reaches(nodes_[i].goal)) {
                is_returning_ = true;
                answered_ = i;
                answer_ = known > 0;
                return;
            }
    }

    std::vector<Node> nodes_;  // from the root
    std::uint64_t next_look_ = 0;
    bool is_returning_ = false, answer_ = false;
    std::size_t answered_ = 0;  // index in nodes_ of the node to return to
};

}  // namespace noughts
