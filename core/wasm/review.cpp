// WebAssembly exports of the review: reasons of mistakes, and its formulas.
#include "review/judgement.hpp"
#include "review/mistake_reasons.hpp"
#include "wasm/cells.hpp"

using namespace sumito;
using namespace sumito::abi;

// Why a move was a mistake. Input: the better variation (`better` moves) and the punishment, all
// legal in turn. Output: kind, count and cells of each reason.
SUMITO_EXPORT(board_faults)
int board_faults(const Position* board, int played, int better, int punishment) {
    const auto line = [](int from, int size) {
        std::vector<int> moves;
        for (int n = from; n < from + size; ++n)
            moves.push_back(static_cast<int>(in_buffer[static_cast<std::size_t>(n)]));
        return moves;
    };
    out_numbers.clear();
    for (const MistakeReason& reason :
         find_mistake_reasons(*board, played, line(0, better), line(better, punishment))) {
        put_number(static_cast<int>(reason.kind));
        put_number(reason.count);
        put_cells(reason.cells);
    }
    return out_numbers_size();
}

SUMITO_EXPORT(chance) double chance(double hundredths, int sides) {
    return chance_of(hundredths, sides);
}
SUMITO_EXPORT(verdict) int verdict(double loss) { return static_cast<int>(verdict_of(loss)); }
// Accuracy of moves. Input: their losses.
SUMITO_EXPORT(accuracy) double accuracy(int count) {
    return accuracy_of({in_buffer.begin(), in_buffer.begin() + count});
}
