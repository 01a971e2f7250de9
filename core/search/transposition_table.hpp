// Transposition table, shared by all threads without locks. A slot is two words, and the key is
// stored xored with the data, so that a slot torn between two writers is not recognised.
#pragma once

#include "kernel/hash.hpp"
#include "search/limits.hpp"

#include <atomic>
#include <memory>

namespace sumito {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct Entry {
    std::uint16_t move = NO_MOVE;
    std::int16_t score = 0; // wins count from this position, not from the root
    std::int16_t value = 0; // static evaluation
    std::int8_t depth = 0;
    Bound bound = Bound::none;

    static Entry of(int move, int score, int ply, int value, int depth, Bound bound) {
        const int here = score > PROVEN ? score + ply : score < -PROVEN ? score - ply : score;
        return {static_cast<std::uint16_t>(move), static_cast<std::int16_t>(here),
                static_cast<std::int16_t>(value), static_cast<std::int8_t>(depth), bound};
    }
    int score_at(int ply) const {
        return score > PROVEN ? score - ply : score < -PROVEN ? score + ply : score;
    }
    bool causes_cutoff(int alpha, int beta, int ply) const {
        return bound == Bound::exact || (bound == Bound::lower && score_at(ply) >= beta) ||
               (bound == Bound::upper && score_at(ply) <= alpha);
    }
};

// Physical memory of the machine; 0 if unknown.
std::size_t machine_memory_mb();

class TranspositionTable {
  public:
    // Throws std::invalid_argument for more than the machine has, std::bad_alloc if it runs out.
    explicit TranspositionTable(std::size_t megabytes);

    void clear();
    // Ages the entries: those of earlier searches are replaced first.
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

    void store(Key key, const Entry& entry);

  private:
    struct Slot {
        std::atomic<Key> check{0};
        std::atomic<Key> data{0};
    };
    struct alignas(64) Bucket {
        Slot slots[4];
    };

#ifdef __linux__
    static constexpr std::size_t ALIGNMENT = std::size_t{2} << 20; // of huge pages
#else
    static constexpr std::size_t ALIGNMENT = 64;
#endif
    struct Release {
        void operator()(Bucket* p) const { ::operator delete(p, std::align_val_t{ALIGNMENT}); }
    };
    std::unique_ptr<Bucket[], Release> memory;
    std::size_t buckets = 0;
    int age = 0;

    Bucket& bucket(Key key) const {
        // The high bits select the bucket: multiplying needs no power of two.
#ifdef __SIZEOF_INT128__
        if constexpr (sizeof(std::size_t) == 8) // one instruction; tables beyond 256 GB need it
            return memory[static_cast<std::size_t>(
                (static_cast<unsigned __int128>(key) * buckets) >> 64)];
#endif
        const auto high = static_cast<std::uint64_t>(key >> 32);
        return memory[static_cast<std::size_t>((high * buckets) >> 32)];
    }

    static int depth_of(Key data) { return static_cast<std::int8_t>(data >> 48 & 255); }
    static int age_of(Key data) { return static_cast<int>(data >> 58); }

    Key pack(const Entry& e) const {
        return Key{e.move} | Key{static_cast<std::uint16_t>(e.score)} << 16 |
               Key{static_cast<std::uint16_t>(e.value)} << 32 |
               Key{static_cast<std::uint8_t>(e.depth)} << 48 |
               Key{static_cast<std::uint8_t>(e.bound)} << 56 | Key(age) << 58;
    }
    static Entry unpack(Key data) {
        Entry e;
        e.move = static_cast<std::uint16_t>(data);
        e.score = static_cast<std::int16_t>(data >> 16 & 0xFFFF);
        e.value = static_cast<std::int16_t>(data >> 32 & 0xFFFF);
        e.depth = static_cast<std::int8_t>(data >> 48 & 255);
        e.bound = static_cast<Bound>(data >> 56 & 3);
        return e;
    }
};

} // namespace sumito
