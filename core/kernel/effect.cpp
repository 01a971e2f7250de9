// Effects of moves, cell by cell.
#include "kernel/effect.hpp"

#include <algorithm>

namespace sumito {

namespace {

Effect effect_of(const AnyBoard& board, Action action) {
    const MoveShape& shape = MOVE_TABLE.shape[action.index];
    const auto& ray = GEOMETRY.ray[shape.first][shape.length ? shape.axis : shape.direction];
    Effect effect{action.index, shape.direction, {}, {}, NOBODY};
    for (int k = 0; k < action.own; ++k) effect.moved.push_back(lowest(ray[k]));
    for (int k = 0; k < action.pushed(); ++k) effect.pushed.push_back(lowest(ray[action.own + k]));
    if (action.ejects()) effect.ejected = board.colour_at(effect.pushed.back());
    return effect;
}

} // namespace

std::optional<Effect> effect_of(const Position& position, int index) {
    const Action action =
        std::visit([&](const auto& game) { return game.resolve(index); }, position.any);
    if (!action) return std::nullopt;
    return effect_of(AnyBoard(position), action);
}

std::vector<Effect> effects_of(const Position& position) {
    const AnyBoard board(position);
    std::vector<Effect> effects;
    std::visit(
        [&](const auto& game) {
            if (game.outcome()) return;
            ActionList list;
            generate(game.board, game.rules, list);
            for (const Action action : list) effects.push_back(effect_of(board, action));
        },
        position.any);
    std::sort(effects.begin(), effects.end(),
              [](const Effect& a, const Effect& b) { return a.index < b.index; });
    return effects;
}

int move_of(const Cells& cells, int direction) {
    Bits group = 0;
    for (const int cell : cells) group |= bit(cell);
    for (int index = 0; index < MOVES; ++index) {
        const MoveShape& shape = MOVE_TABLE.shape[index];
        if (shape.direction != direction) continue;
        if (shape.length) {
            if (shape.from == group) return index;
            continue;
        }
        // In line, either the whole row or its rear marble alone names the move.
        const auto& ray = GEOMETRY.ray[shape.first][direction];
        Bits row = 0;
        for (int length = 1; length <= 3; ++length) {
            if (!ray[length - 1]) break;
            row |= ray[length - 1];
            if (row == group) return index;
        }
    }
    return NO_MOVE;
}

} // namespace sumito
