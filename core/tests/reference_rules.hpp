// Reference implementation of the rules, cell by cell on a plain grid, independent of the kernel
// but for the numbering of moves: slow and obvious.
#pragma once

#include "kernel/position.hpp"

#include <set>
#include <string>

namespace reference {

inline constexpr int STEP[6][2] = {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}};
inline constexpr char EMPTY = '.';
inline constexpr char RIM = '#';

struct Spot {
    int row, digit;
    Spot operator+(int direction) const {
        return {row + STEP[direction][0], digit + STEP[direction][1]};
    }
};

class Grid {
  public:
    Grid(const std::string& rows, sumito::Mode mode, char turn) : mode(mode), turn(turn) {
        for (auto& line : cells)
            for (char& c : line) c = RIM;
        int row = 9;
        int digit = 5;
        for (const char c : rows) {
            if (c == '/') {
                --row;
                digit = row > 5 ? row - 4 : 1;
            } else if (c >= '1' && c <= '9') {
                for (int k = 0; k < c - '0'; ++k) cells[row][digit++] = EMPTY;
            } else {
                cells[row][digit++] = c;
            }
        }
    }

    char at(Spot s) const { return cells[s.row][s.digit]; }

    bool friendly(char c) const {
        if (c == turn) return true;
        if (!sumito::in_teams(mode)) return false;
        const std::string pairs = "brbwuw";
        const auto i = pairs.find(turn);
        return pairs[i + 1] == c;
    }
    bool opposing(char c) const { return c != EMPTY && c != RIM && !friendly(c); }

    // The marbles moved, own and pushed; none if the move is illegal.
    std::vector<Spot> in_line(Spot rear, int d) const {
        std::vector<Spot> moved;
        if (at(rear) != turn) return {};
        Spot s = rear;
        for (; friendly(at(s)); s = s + d) moved.push_back(s);
        const std::size_t own = moved.size();
        if (own > 3 || at(s) == RIM) return {};
        for (; opposing(at(s)); s = s + d) moved.push_back(s);
        const std::size_t pushed = moved.size() - own;
        if (pushed >= own || (at(s) != EMPTY && at(s) != RIM)) return {};
        return moved;
    }

    std::vector<Spot> side_step(Spot first, int axis, int length, int d, bool partner) const {
        std::vector<Spot> moved;
        bool own = false;
        for (Spot s = first; length > 0; --length, s = s + axis) {
            if (!(partner ? friendly(at(s)) : at(s) == turn) || at(s + d) != EMPTY) return {};
            own |= at(s) == turn;
            moved.push_back(s);
        }
        return own ? moved : std::vector<Spot>{};
    }

    // Moves the marbles, front first; returns how many were ejected.
    int move(const std::vector<Spot>& moved, int d) {
        int out = 0;
        for (auto s = moved.rbegin(); s != moved.rend(); ++s) {
            const char c = at(*s);
            cells[s->row][s->digit] = EMPTY;
            if (at(*s + d) == RIM)
                ++out;
            else
                cells[(*s + d).row][(*s + d).digit] = c;
        }
        return out;
    }

    std::string rows() const {
        std::string text;
        for (int row = 9; row >= 1; --row) {
            int gap = 0;
            for (int digit = 1; digit <= 9; ++digit) {
                const char c = cells[row][digit];
                if (c == RIM) continue;
                if (c == EMPTY) {
                    ++gap;
                    continue;
                }
                if (gap) text += static_cast<char>('0' + gap);
                gap = 0;
                text += c;
            }
            if (gap) text += static_cast<char>('0' + gap);
            if (row > 1) text += '/';
        }
        return text;
    }

  private:
    sumito::Mode mode;
    char turn;
    char cells[11][11];
};

struct Effect {
    std::vector<Spot> moved;
    int direction;
};

// The effects of all moves by number; empty for illegal moves.
inline std::vector<Effect> effects(const Grid& grid, bool partner) {
    std::vector<Effect> all;
    std::vector<Spot> reading;
    for (int row = 1; row <= 9; ++row)
        for (int digit = 1; digit <= 9; ++digit)
            if (grid.at({row, digit}) != RIM) reading.push_back({row, digit});
    for (const Spot s : reading)
        for (int d = 0; d < 6; ++d)
            if (grid.at(s + d) != RIM) all.push_back({grid.in_line(s, d), d});
    for (const Spot s : reading)
        for (int axis = 0; axis < 3; ++axis)
            for (int length = 2; length <= 3; ++length)
                for (int d = 0; d < 6; ++d) {
                    if (d % 3 == axis) continue;
                    bool fits = true;
                    Spot x = s;
                    for (int k = 0; k < length; ++k) {
                        fits = fits && x.row >= 1 && x.row <= 9 && x.digit >= 1 && x.digit <= 9 &&
                               grid.at(x) != RIM && grid.at(x + d) != RIM;
                        x = x + axis;
                    }
                    if (fits) all.push_back({grid.side_step(s, axis, length, d, partner), d});
                }
    return all;
}

} // namespace reference
