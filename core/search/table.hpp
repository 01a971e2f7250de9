// The transposition table: what is known about positions already searched, shared by all threads
// without locks. A slot is two words, and the key is stored xored with the data, so that a slot
// torn between two writers simply isn't recognised.
#pragma once

#include "kernel/hash.hpp"
#include "search/limits.hpp"

#include <atomic>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace sumito {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct Entry {
    std::uint16_t move = NO_MOVE;
    std::int16_t score = 0; // wins are counted from this position, not from the root
    std::int8_t depth = 0;
    Bound bound = Bound::none;

    static Entry of(int move, int score, int ply, int depth, Bound bound) {
        const int here = score > SURE ? score + ply : score < -SURE ? score - ply : score;
        return {static_cast<std::uint16_t>(move), static_cast<std::int16_t>(here),
                static_cast<std::int8_t>(depth), bound};
    }
    int score_at(int ply) const {
        return score > SURE ? score - ply : score < -SURE ? score + ply : score;
    }
    bool settles(int alpha, int beta, int ply) const {
        return bound == Bound::exact || (bound == Bound::lower && score_at(ply) >= beta) ||
               (bound == Bound::upper && score_at(ply) <= alpha);
    }
};

class Table {
  public:
    explicit Table(std::size_t megabytes) { resize(megabytes); }

    void resize(std::size_t megabytes) {
        buckets = std::max<std::size_t>(1, (megabytes << 20) / sizeof(Bucket));
        memory.reset(static_cast<Bucket*>(
            ::operator new(buckets * sizeof(Bucket), std::align_val_t{HUGE_PAGE})));
#ifdef __linux__
        // Probes hit random pages: with small ones every probe would also miss the page tables.
        madvise(memory.get(), buckets * sizeof(Bucket), MADV_HUGEPAGE);
#endif
        for (std::size_t i = 0; i < buckets; ++i) new (&memory[i]) Bucket;
        age = 0;
    }

    void clear() {
        for (std::size_t i = 0; i < buckets; ++i)
            for (Slot& slot : memory[i].slots) {
                slot.check.store(0, std::memory_order_relaxed);
                slot.data.store(0, std::memory_order_relaxed);
            }
        age = 0;
    }

    // Entries of earlier searches give way first.
    void new_search() { age = (age + 1) & 63; }

    void prefetch(Key key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&bucket(key));
#else
        static_cast<void>(key);
#endif
    }

    bool probe(Key key, Entry& entry) const {
        for (const Slot& slot : bucket(key).slots) {
            const Key data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) != key || !data) continue;
            entry = unpack(data);
            return true;
        }
        return false;
    }

    void store(Key key, const Entry& entry) {
        Slot* worst = nullptr;
        int worst_worth = 1 << 20;
        for (Slot& slot : bucket(key).slots) {
            const Key data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) == key) {
                worst = &slot;
                break;
            }
            const int worth = data ? depth_of(data) - 8 * ((age - age_of(data)) & 63) : -1000;
            if (worth < worst_worth) {
                worst_worth = worth;
                worst = &slot;
            }
        }
        const Key data = pack(entry);
        worst->data.store(data, std::memory_order_relaxed);
        worst->check.store(key ^ data, std::memory_order_relaxed);
    }

    // Per mille of the table in use by this search, from a sample.
    int full() const {
        const std::size_t sample = std::min<std::size_t>(250, buckets);
        int used = 0;
        for (std::size_t i = 0; i < sample; ++i)
            for (const Slot& slot : memory[i].slots) {
                const Key data = slot.data.load(std::memory_order_relaxed);
                used += data && age_of(data) == age;
            }
        return used * 1000 / static_cast<int>(sample * 4);
    }

  private:
    struct Slot {
        std::atomic<Key> check{0};
        std::atomic<Key> data{0};
    };
    struct alignas(64) Bucket {
        Slot slots[4];
    };

    static constexpr std::size_t HUGE_PAGE = std::size_t{2} << 20;
    struct Free {
        void operator()(Bucket* p) const { ::operator delete(p, std::align_val_t{HUGE_PAGE}); }
    };
    std::unique_ptr<Bucket[], Free> memory;
    std::size_t buckets = 0;
    int age = 0;

    Bucket& bucket(Key key) const {
        // The high bits choose: multiplying by the size needs no power of two.
        const auto high = static_cast<std::uint64_t>(key >> 32);
        return memory[static_cast<std::size_t>((high * buckets) >> 32)];
    }

    static int depth_of(Key data) { return static_cast<std::int8_t>(data >> 48 & 255); }
    static int age_of(Key data) { return static_cast<int>(data >> 58); }

    Key pack(const Entry& e) const {
        return Key{e.move} | Key{static_cast<std::uint16_t>(e.score)} << 16 |
               Key{static_cast<std::uint8_t>(e.depth)} << 48 |
               Key{static_cast<std::uint8_t>(e.bound)} << 56 | Key(age) << 58;
    }
    static Entry unpack(Key data) {
        Entry e;
        e.move = static_cast<std::uint16_t>(data);
        e.score = static_cast<std::int16_t>(data >> 16 & 0xFFFF);
        e.depth = static_cast<std::int8_t>(data >> 48 & 255);
        e.bound = static_cast<Bound>(data >> 56 & 3);
        return e;
    }
};

} // namespace sumito
