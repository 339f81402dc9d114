#include "solve/proof_number/proof_table.hpp"

#include "check.hpp"
#include "snapshots.hpp"

using namespace noughts;
using namespace noughts::testing;

TEST("the proof table never mistakes one position for another") {
    ProofTable table(2, 1);
    const Word key[2] = {5, 9}, other[2] = {9, 5};
    table.store(key, 1, {PROVED, 7, 3, 0});
    const auto found = table.probe(key, 1);
    CHECK(found && found->numbers.is_proved());
    CHECK_EQUAL(found->move, 3);
    CHECK(!table.probe(other, 1));
    CHECK(!table.probe(key, 2));
    for (Word i = 0; i < 100000; ++i) {
        const Word many[2] = {i, i * i};
        table.store(many, 0, {{static_cast<std::uint32_t>(i) + 1, 1}, 1, 0, 0});
    }
    int kept = 0;
    for (Word i = 0; i < 100000; ++i) {
        const Word many[2] = {i, i * i};
        const auto entry = table.probe(many, 0);
        if (!entry) continue;
        ++kept;
        CHECK_EQUAL(entry->numbers.proof, i + 1);
    }
    CHECK(kept > 20000);
    CHECK(table.bytes() <= 1 << 20);
}

TEST("the proof table forgets nothing while it grows, and can be saved at any moment") {
    ProofTable table(2, 64);
    const auto has_all = [](const ProofTable& read, Word end) {
        int missing = 0;
        for (Word i = 0; i < end; ++i) {
            const Word key[2] = {i, i * i};
            const auto found = read.probe(key, 1);
            missing += !found || found->work != i;
        }
        return missing * 10 <= static_cast<int>(end);  // a bucket has four entries: some are replaced
    };
    Word stored = 0;
    // The first growth begins with entry 8193 and takes 1024 more.
    for (const Word end : {8'000, 8'300, 9'000, 9'300, 40'000, 120'000}) {
        for (; stored < end; ++stored) {
            const Word key[2] = {stored, stored * stored};
            table.store(key, 1, {{1, 1}, static_cast<std::uint32_t>(stored), 0, 0});
        }
        CHECK(has_all(table, end));
        const std::string saved = saved_bytes([&](SnapshotWriter& out) { table.save(out, 5); });
        ProofTable second(2, 8);
        SnapshotReader in = reader_of(saved);
        second.load(in, 5, 9);
        CHECK(has_all(second, end));
    }
}

TEST("proof numbers, tags and moves that no search stores are refused") {
    ProofTable table(2, 1);
    const Word key[2] = {5, 9};
    const ProofEntry sound{{3, 4}, 7, 3, 0};
    const auto with = [&sound](ProofNumbers numbers, std::uint16_t move) {
        return ProofEntry{numbers, sound.work, move, 0};
    };
    for (const ProofEntry& bad :
         {with({0, 0}, 3), with({0, 7}, 3), with({INFINITE, 5}, 3), with({5, INFINITE + 1}, 3), with({3, 4}, 9)}) {
        ProofTable first(2, 1), second(2, 1);
        first.store(key, 1, bad);
        const std::string saved = saved_bytes([&](SnapshotWriter& out) { first.save(out, 5); });
        SnapshotReader in = reader_of(saved);
        CHECK_THROWS_AS(second.load(in, 5, 9), InvalidSnapshot);
        CHECK_EQUAL(second.entries(), 0u);
    }
    table.store(key, 3, sound);
    std::string saved = saved_bytes([&](SnapshotWriter& out) { table.save(out, 5); });
    SnapshotReader in = reader_of(saved);
    table.load(in, 5, 9);
    saved[saved.size() - 8] = 5;  // the tag without its flag
    SnapshotReader unused = reader_of(saved);
    CHECK_THROWS_AS(table.load(unused, 5, 9), InvalidSnapshot);
}
