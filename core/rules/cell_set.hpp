// Sets of cells, one bit per cell: stored (CellSet), or computed one 64-bit word at a time (CellView).
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace noughts {

using Cell = int;   // 0 to Game::cells() - 1; also stands for the move that marks the cell
using Block = int;  // 0 to Game::blocks() - 1
inline constexpr Cell NO_CELL = -1;
inline constexpr Block NO_BLOCK = -1;

using Word = std::uint64_t;  // 64 members of a set: a whole set of blocks, or all cells of a small board
inline constexpr int WORD_BITS = 64;

constexpr int word_of(int member) { return static_cast<int>(static_cast<unsigned>(member) / WORD_BITS); }
constexpr int words_for(int members) { return (members + WORD_BITS - 1) / WORD_BITS; }

// The word in which only the bit of `member` is set. In sets of several words, this is the bit within word_of(member).
constexpr Word bit(int member) { return Word{1} << (static_cast<unsigned>(member) % WORD_BITS); }
constexpr bool contains(Word set, int member) { return (set & bit(member)) != 0; }
constexpr int lowest(Word set) { return std::countr_zero(set); }
constexpr bool has_several(Word set) { return (set & (set - 1)) != 0; }

// Calls `visit(base + member)` for every member of a word, in ascending order.
template <typename Visit>
void for_each_bit(Word word, int base, Visit&& visit) {
    for (; word; word &= word - 1) visit(base + lowest(word));
}

// Queries on any kind of set. `Set` must provide words(), the number of its words, and word(w).
template <typename Set>
class CellQueries {
  public:
    bool contains(int cell) const { return noughts::contains(self().word(word_of(cell)), cell); }
    bool is_empty() const { return first() == NO_CELL; }

    // The lowest member; NO_CELL if the set is empty.
    int first() const {
        for (int w = 0; w < self().words(); ++w)
            if (const Word word = self().word(w)) return w * WORD_BITS + lowest(word);
        return NO_CELL;
    }
    int count() const {
        int total = 0;
        for (int w = 0; w < self().words(); ++w) total += std::popcount(self().word(w));
        return total;
    }
    // Calls `visit(cell)` for every member in ascending order.
    template <typename Visit>
    void for_each(Visit&& visit) const {
        for (int w = 0; w < self().words(); ++w) for_each_bit(self().word(w), w * WORD_BITS, visit);
    }

    // Iteration in ascending order, for loops that end early.
    class Iterator {
      public:
        explicit Iterator(const Set& set) : set_(set), word_(set.words() > 0 ? set.word(0) : 0) { find_next(); }
        int operator*() const { return w_ * WORD_BITS + lowest(word_); }
        Iterator& operator++() {
            word_ &= word_ - 1;
            find_next();
            return *this;
        }
        bool operator==(std::default_sentinel_t) const { return word_ == 0; }

      private:
        void find_next() {
            while (word_ == 0 && w_ + 1 < set_.words()) word_ = set_.word(++w_);
        }
        const Set& set_;
        int w_ = 0;
        Word word_;
    };
    Iterator begin() const { return Iterator(self()); }
    std::default_sentinel_t end() const { return {}; }

  private:
    const Set& self() const { return static_cast<const Set&>(*this); }
};

// A set whose words are computed on demand by `word_at(w)`. It must not outlive the sets that `word_at` refers to.
template <typename WordAt>
class CellView : public CellQueries<CellView<WordAt>> {
  public:
    CellView(int words, WordAt word_at) : words_(words), word_at_(std::move(word_at)) {}

    int words() const { return words_; }
    Word word(int w) const { return word_at_(w); }

  private:
    int words_;
    WordAt word_at_;
};

// A stored set of numbers from 0 to size - 1.
class CellSet : public CellQueries<CellSet> {
  public:
    CellSet() = default;
    explicit CellSet(int size) : words_(static_cast<std::size_t>(words_for(size)), 0) {}

    int words() const { return static_cast<int>(words_.size()); }
    Word word(int w) const { return words_[w]; }
    const std::vector<Word>& data() const { return words_; }
    std::size_t bytes() const { return words_.capacity() * sizeof(Word); }

    void insert(int cell) { words_[word_of(cell)] |= bit(cell); }
    void erase(int cell) { words_[word_of(cell)] &= ~bit(cell); }
    void toggle(int cell) { words_[word_of(cell)] ^= bit(cell); }
    void clear() { words_.assign(words_.size(), 0); }
    void set_word(int w, Word word) { words_[w] = word; }

    template <typename Set>
    CellSet& operator=(const CellQueries<Set>& set) {
        return combine(set, [](Word, Word other) { return other; });
    }
    template <typename Set>
    CellSet& operator|=(const CellQueries<Set>& set) {
        return combine(set, [](Word own, Word other) { return own | other; });
    }
    template <typename Set>
    CellSet& operator&=(const CellQueries<Set>& set) {
        return combine(set, [](Word own, Word other) { return own & other; });
    }
    template <typename Set>
    CellSet& operator-=(const CellQueries<Set>& set) {
        return combine(set, [](Word own, Word other) { return own & ~other; });
    }
    bool operator==(const CellSet& other) const { return words_ == other.words_; }

  private:
    template <typename Set, typename Combine>
    CellSet& combine(const CellQueries<Set>& set, Combine&& combined) {
        const Set& other = static_cast<const Set&>(set);
        for (int w = 0; w < words(); ++w) words_[w] = combined(words_[w], other.word(w));
        return *this;
    }

    std::vector<Word> words_;
};

// The cells that are in both sets. The view refers to stored sets and copies other views.
template <typename A, typename B>
auto operator&(const CellView<A>& a, const CellView<B>& b) {
    return CellView(a.words(), [a, b](int w) { return a.word(w) & b.word(w); });
}
template <typename A>
auto operator&(const CellView<A>& a, const CellSet& b) {
    return CellView(a.words(), [a, &b](int w) { return a.word(w) & b.word(w); });
}

}  // namespace noughts
