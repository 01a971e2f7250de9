// Leaves per second on one core.
#include "kernel/position.hpp"
#include "tests/start_positions.hpp"

#include <chrono>
#include <cstdio>

int main() {
    using namespace sumito;
    const std::pair<const char*, const char*> cases[] = {
        {"standard", start_positions::STANDARD}, {"belgian-daisy", start_positions::BELGIAN}};
    for (const auto& [name, text] : cases)
        for (const PerftMode mode : {PerftMode::bulk, PerftMode::full}) {
            const Position position(text);
            const auto start = std::chrono::steady_clock::now();
            const auto n = position.perft(5, mode);
            const std::chrono::duration<double> s = std::chrono::steady_clock::now() - start;
            std::printf("%-14s %-8s depth 5 %12llu leaves %6.3f s %6.3f G/s\n", name,
                        mode == PerftMode::bulk ? "bulk" : "full",
                        static_cast<unsigned long long>(n), s.count(),
                        static_cast<double>(n) / s.count() / 1e9);
        }
}
