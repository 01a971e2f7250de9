// Memory and replacement policy of the transposition table.
#include "search/transposition_table.hpp"

#include "kernel/error.hpp"

#include <algorithm>
#include <new>
#include <string>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sumito {

std::size_t machine_memory_mb() {
#ifdef __linux__
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0)
        return (static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)) >> 20;
#endif
    return 0;
}

// The size is checked first: systems that overcommit would fail only when the memory is used.
TranspositionTable::TranspositionTable(std::size_t megabytes) {
    const std::size_t available = machine_memory_mb();
    if (available && megabytes > available)
        raise("a table of " + std::to_string(megabytes) + " MB: this machine has " +
              std::to_string(available) + " MB of memory");
    if (megabytes > SIZE_MAX >> 20) raise("a table of " + std::to_string(megabytes) + " MB");
    buckets = std::max<std::size_t>(1, (megabytes << 20) / sizeof(Bucket));
    const std::size_t bytes = buckets * sizeof(Bucket);
    memory.reset(static_cast<Bucket*>(::operator new(bytes, std::align_val_t{ALIGNMENT})));
#ifdef __linux__
    // Probes hit random pages: with small ones every probe would also miss the page tables.
    madvise(memory.get(), bytes, MADV_HUGEPAGE);
#endif
    for (std::size_t i = 0; i < buckets; ++i) new (&memory[i]) Bucket;
}

void TranspositionTable::clear() {
    for (std::size_t i = 0; i < buckets; ++i)
        for (Slot& slot : memory[i].slots) {
            slot.check.store(0, std::memory_order_relaxed);
            slot.data.store(0, std::memory_order_relaxed);
        }
    age = 0;
}

void TranspositionTable::store(Key key, const Entry& entry) {
    Slot* worst = nullptr;
    int lowest_priority = 1 << 20;
    for (Slot& slot : bucket(key).slots) {
        const Key data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) == key) {
            worst = &slot;
            break;
        }
        const int priority = data ? depth_of(data) - 8 * ((age - age_of(data)) & 63) : -1000;
        if (priority < lowest_priority) {
            lowest_priority = priority;
            worst = &slot;
        }
    }
    const Key data = pack(entry);
    worst->data.store(data, std::memory_order_relaxed);
    worst->check.store(key ^ data, std::memory_order_relaxed);
}

} // namespace sumito
