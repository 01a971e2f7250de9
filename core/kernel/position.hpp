// A game so far: board, history and rules. `Game` has its mode at compile time; `Position` holds a
// game of any mode, for callers that read the mode from a text.
#pragma once

#include "kernel/hash.hpp"
#include "kernel/perft.hpp"
#include "kernel/text.hpp"
#include "kernel/turn.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sumito {

template <Mode M>
class Game {
  public:
    Board<M> board;
    Rules rules;
    std::vector<Board<M>> past; // boards before `board`, oldest first

    Game(const Board<M>& start, const Rules& rules) : board(start), rules(rules) {}

    // Occurrences of this position since the last ejection, itself included.
    int occurrences() const {
        int times = 1;
        for (std::size_t i = past.size(); i-- > 0 && past[i].tally.quiet() < board.tally.quiet();)
            times += past[i].same_as(board);
        return times;
    }

    Outcome outcome() const {
        return outcome_of(board, rules, rules.repetition && occurrences() >= rules.repetition);
    }

    Action resolve(int index) const {
        return outcome() ? NO_ACTION : sumito::resolve(board, rules, index);
    }

    void push(Action action) {
        past.push_back(board);
        board = play(board, action, rules);
    }
    void pop() {
        board = past.back();
        past.pop_back();
    }

    std::uint64_t perft(int depth, PerftMode mode);
};

class Position {
  public:
    using Any = std::variant<Game<Mode::two>, Game<Mode::three>, Game<Mode::teams>,
                             Game<Mode::teams_double>>;

    explicit Position(std::string_view text, const Rules& rules = {}); // throws PositionError
    // As the constructor, without exceptions: nothing, and the error in `why`, for an invalid text.
    static std::optional<Position> read(std::string_view text, const Rules& rules,
                                        std::string& why);

    Mode mode() const { return static_cast<Mode>(any.index()); }
    const Rules& rules() const;
    std::string text() const;
    std::vector<int> legal() const; // ascending; empty once the game is over
    int count() const;
    void push(int index); // throws std::invalid_argument when illegal
    void pop();           // throws std::out_of_range at the start
    Outcome outcome() const;
    std::uint64_t perft(int depth, PerftMode mode) const;
    Key hash() const;

    int turn() const;
    std::vector<int> captured() const;
    std::uint32_t quiet() const;
    std::uint32_t ply() const;

    Any any;

  private:
    explicit Position(const BoardVariant& board, const Rules& rules);
};

} // namespace sumito
