// Formulas of the review: chance of winning by score, verdict by loss of chance, accuracy.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace sumito {

// Hundredths of a marble that make a win e times as likely as a loss; as in `sumito.engine.score`.
// Fitted by least squares to the results of 1,024 self-play games at 1,000 nodes per move.
inline constexpr double CHANCE_UNIT = 55.0;

// The chance of winning of the side with the score; a draw counts as half a win.
inline double chance_of(double hundredths, int sides) {
    return 1 / (1 + (sides - 1) * std::exp(-hundredths / CHANCE_UNIT));
}

enum class Verdict { good, inaccuracy, mistake, blunder };

inline constexpr std::array<std::string_view, 4> VERDICT_NAMES = {"good", "inaccuracy", "mistake",
                                                                  "blunder"};

// Loss of chance from which a move is an inaccuracy, a mistake, a blunder. Set by hand; a quarter
// of a marble in an even game is about a tenth.
inline constexpr std::array<double, 3> VERDICT_FROM = {0.05, 0.10, 0.20};

constexpr Verdict verdict_of(double loss) {
    int verdict = 0;
    while (verdict < 3 && loss >= VERDICT_FROM[static_cast<std::size_t>(verdict)]) ++verdict;
    return static_cast<Verdict>(verdict);
}

// Accuracy of moves, 0 to 1, by the loss of each: the mean of exp(-5 loss), so that a loss of a
// seventh counts half. 1 without moves. The steepness is set by hand.
inline double accuracy_of(const std::vector<double>& losses) {
    constexpr double STEEPNESS = 5;
    double sum = 0;
    for (const double loss : losses) sum += std::exp(-STEEPNESS * std::max(0.0, loss));
    return losses.empty() ? 1 : sum / static_cast<double>(losses.size());
}

} // namespace sumito
