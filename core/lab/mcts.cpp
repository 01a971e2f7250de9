// Tree search with somebody else's network: at the root sequential halving among moves drawn with
// Gumbel numbers, below it the network's chances improved by values.
#include "lab/mcts.hpp"

#include "env/planes.hpp"
#include "env/score.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <span>

namespace sumito {

namespace {

constexpr float SURE = 50; // looks that a value is taken to rest on besides those made

struct Advice {
    std::int64_t action = 0;
    float value = 0;
};

struct Edge {
    Action action;
    std::int32_t child = -1;
    std::int32_t visits = 0;
    float logit = 0; // of the network: the logarithm of the move's chance
    float luck = 0;  // a Gumbel number, at the root
    float total = 0; // to the side that moves

    float mean() const { return total / static_cast<float>(visits); }
};

// The tree of one game. Nodes and edges lie in two lists and know each other by number.
template <Mode M>
class Tree {
  public:
    static constexpr int S = sides(M);
    using Values = std::array<float, S>;

    void begin(GameSnapshot<M>&& from) {
        root = std::move(from);
        nodes.clear();
        edges.clear();
        waiting.clear();
        candidates.clear();
        done = 0;
        nodes.push_back({root.board, -1});
        nodes[0].repeats = times_seen(root.board, -1);
    }

    bool is_done(const MctsOptions& options) const {
        return root.is_over || done >= options.simulations;
    }

    // A round of looks: one through each candidate, and so each in a part of the tree of its own.
    // `found` is called with every leaf that is to be judged; what ends a game is known at once.
    void look(const Batch& batch, const MctsOptions& options, auto&& found) {
        if (nodes[0].state == State::fresh) {
            waiting.push_back({0, {}});
            found(0);
            return;
        }
        if (rounds_left == 0) next_phase(options);
        --rounds_left;
        for (const int edge : candidates) {
            if (done == options.simulations) return;
            ++done;
            const int leaf = descend(edge, batch, options);
            if (leaf != NOWHERE) found(leaf);
        }
    }

    void write(int at, const Batch& batch, const Pen& pen, std::uint8_t* observation,
               std::uint8_t* mask) const {
        const BatchOptions& settings = batch.settings();
        const Node& node = nodes[at];
        std::vector<std::array<Bits, colours(M)>> past;
        int above = node.parent;
        for (; above >= 0 && static_cast<int>(past.size()) + 1 < settings.history;
             above = nodes[above].parent)
            past.push_back(nodes[above].board.marbles);
        for (std::size_t k = 0; static_cast<int>(past.size()) + 1 < settings.history; ++k)
            past.push_back(root.past[k]);
        write_planes<M>(pen, node.board,
                        {settings.history, past.data(), node.repeats,
                         settings.plies_left(node.board.tally.ply(), batch.start_ply())},
                        observation);
        MoveSets sets;
        fill(sets, node.board, settings.rules);
        pen.mask(sets, mask);
    }

    // The judgement of the leaves that wait, in the order they were found.
    void judge(const float*& logits, const float*& values, const Rules& rules,
               const MctsOptions& options, std::mt19937_64& random) {
        for (const auto& [at, path] : waiting) {
            expand(at, logits, rules);
            Values worth;
            const int side = nodes[at].board.side();
            for (int k = 0; k < S; ++k) worth[(side + k) % S] = values[k];
            nodes[at].worth = worth;
            back_up(path, worth);
            if (at == 0) choose_candidates(options, random);
            logits += MOVES;
            values += S;
        }
        waiting.clear();
    }

    void visits(std::int32_t* out) const {
        std::fill_n(out, MOVES, 0);
        for (const Edge& edge : edges_of(nodes[0])) out[edge.action.index] = edge.visits;
    }

    // What the search would play: how likely each move, the best one, and what that is worth.
    Advice advice(const MctsOptions& options, float* policy) const {
        std::fill_n(policy, MOVES, 0.0f);
        const auto moves = edges_of(nodes[0]);
        if (moves.empty()) return {};
        Advice advice;
        const std::vector<float> chances = improved(nodes[0], options);
        const float unseen = value_unseen(nodes[0]);
        for (std::size_t k = 0; k < moves.size(); ++k) {
            policy[moves[k].action.index] = chances[k];
            advice.value += chances[k] * (moves[k].visits ? moves[k].mean() : unseen);
        }
        const float scale = scale_of(nodes[0], options);
        const auto best = std::ranges::max_element(candidates, {}, [&](int edge) {
            return std::pair(edges[edge].visits, score(edge, scale));
        });
        advice.action = edges[*best].action.index;
        return advice;
    }

  private:
    enum class State : std::uint8_t { fresh, open };
    struct Node {
        Board<M> board;
        int parent;
        int first = 0; // of its edges
        int count = 0;
        int repeats = 0;
        Values worth{};
        State state = State::fresh;
        bool is_end = false;
    };
    struct Waiting {
        int node;
        std::vector<int> path;
    };

    GameSnapshot<M> root;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Waiting> waiting;
    int done = 0; // simulations

    // Sequential halving: the root's moves that are still looked at, and for how many rounds.
    std::vector<int> candidates;
    int phases = 0;
    int rounds_left = 0;

    std::span<const Edge> edges_of(const Node& node) const {
        return std::span(edges).subspan(static_cast<std::size_t>(node.first),
                                        static_cast<std::size_t>(node.count));
    }

    // How often a board stood before, in the line above it and in the game so far.
    int times_seen(const Board<M>& board, int parent) const {
        int times = 0;
        for (int at = parent; at >= 0; at = nodes[at].parent) {
            if (nodes[at].board.tally.quiet() >= board.tally.quiet()) return times;
            times += nodes[at].board.same_as(board);
        }
        for (std::size_t i = root.seen.size();
             i-- > 0 && root.seen[i].tally.quiet() < board.tally.quiet();)
            times += root.seen[i].same_as(board);
        return times;
    }

    int make_node(int parent, Action action, const Batch& batch) {
        const BatchOptions& settings = batch.settings();
        Node node{play(nodes[parent].board, action, settings.rules), parent};
        if (settings.rules.repetition) node.repeats = times_seen(node.board, parent);
        const Outcome outcome =
            outcome_of(node.board, settings.rules,
                       settings.rules.repetition && node.repeats + 1 >= settings.rules.repetition);
        if (outcome) {
            node.is_end = true;
            node.worth = final_rewards(node.board, outcome);
        } else if (node.board.tally.ply() - batch.start_ply() >= settings.ply_limit) {
            node.is_end = true; // cut off: worth nothing to anybody
        }
        nodes.push_back(node);
        return static_cast<int>(nodes.size()) - 1;
    }

    // Goes down from a move of the root to a leaf: its number, or NOWHERE if the game ends there.
    int descend(int edge, const Batch& batch, const MctsOptions& options) {
        std::vector<int> path;
        for (int at = 0;; edge = best_edge(nodes[at], options)) {
            path.push_back(edge);
            if (edges[edge].child < 0) edges[edge].child = make_node(at, edges[edge].action, batch);
            at = edges[edge].child;
            if (nodes[at].is_end) {
                back_up(path, nodes[at].worth);
                return NOWHERE;
            }
            if (nodes[at].state == State::fresh) {
                waiting.push_back({at, std::move(path)});
                return at;
            }
        }
    }

    // Below the root: the move that lags behind its share of the looks most.
    int best_edge(const Node& node, const MctsOptions& options) const {
        const std::vector<float> chances = improved(node, options);
        const auto moves = edges_of(node);
        int looks = 1;
        for (const Edge& edge : moves) looks += edge.visits;
        std::size_t best = 0;
        float furthest = -1e30f;
        for (std::size_t k = 0; k < moves.size(); ++k) {
            const float lag =
                chances[k] - static_cast<float>(moves[k].visits) / static_cast<float>(looks);
            if (lag > furthest) {
                furthest = lag;
                best = k;
            }
        }
        return node.first + static_cast<int>(best);
    }

    // The network's chances, made better by what the looks have found.
    std::vector<float> improved(const Node& node, const MctsOptions& options) const {
        const float scale = scale_of(node, options);
        const float unseen = value_unseen(node);
        std::vector<float> chances;
        chances.reserve(static_cast<std::size_t>(node.count));
        float highest = -1e30f;
        for (const Edge& edge : edges_of(node)) {
            chances.push_back(edge.logit + scale * (edge.visits ? edge.mean() : unseen));
            highest = std::max(highest, chances.back());
        }
        float sum = 0;
        for (float& chance : chances) sum += chance = std::exp(chance - highest);
        for (float& chance : chances) chance /= sum;
        return chances;
    }

    // How much a value counts beside the logits: the more, the more looks it rests on.
    float scale_of(const Node& node, const MctsOptions& options) const {
        int most = 0;
        for (const Edge& edge : edges_of(node)) most = std::max(most, edge.visits);
        return options.trust * (SURE + static_cast<float>(most));
    }

    // What a move not looked at is taken to be worth: the network's judgement of the position, and
    // that of the moves looked at, by their chances.
    float value_unseen(const Node& node) const {
        float chance = 0, worth = 0;
        int looks = 0;
        for (const Edge& edge : edges_of(node)) {
            if (!edge.visits) continue;
            const float prior = std::max(std::exp(edge.logit), 1e-30f);
            chance += prior;
            worth += prior * edge.mean();
            looks += edge.visits;
        }
        const float judged = node.worth[node.board.side()];
        if (!looks) return judged;
        const auto n = static_cast<float>(looks);
        return (judged + n * worth / chance) / (1 + n);
    }

    void expand(int at, const float* logits, const Rules& rules) {
        ActionList list;
        generate(nodes[at].board, rules, list);
        const auto logit = [&](Action action) {
            return std::clamp(logits[action.index], -1e30f, 1e30f); // whatever the network said
        };
        float highest = -1e30f;
        for (const Action action : list) highest = std::max(highest, logit(action));
        float sum = 0;
        for (const Action action : list) sum += std::exp(logit(action) - highest);
        nodes[at].first = static_cast<int>(edges.size());
        nodes[at].count = list.size;
        nodes[at].state = State::open;
        for (const Action action : list) {
            Edge edge{action};
            edge.logit = logit(action) - highest - std::log(sum);
            edges.push_back(edge);
        }
    }

    // The root's moves in the order of their logits and luck, which draws them by their chances
    // without drawing one twice; the first ones are looked at.
    void choose_candidates(const MctsOptions& options, std::mt19937_64& random) {
        std::extreme_value_distribution<float> gumbel;
        candidates.resize(edges.size());
        std::iota(candidates.begin(), candidates.end(), 0);
        if (options.noise > 0)
            for (Edge& edge : edges) edge.luck = options.noise * gumbel(random);
        keep_best(options.considered, options);
        const auto count = static_cast<unsigned>(candidates.size());
        phases = std::max(1, static_cast<int>(std::bit_width(count - 1)));
        rounds_left = rounds(options);
    }

    // Halves the candidates.
    void next_phase(const MctsOptions& options) {
        keep_best(std::max(2, static_cast<int>(candidates.size()) / 2), options);
        rounds_left = rounds(options);
    }

    // Every phase has as many looks as the others, if that can be.
    int rounds(const MctsOptions& options) const {
        return std::max(1, options.simulations / (phases * static_cast<int>(candidates.size())));
    }

    void keep_best(int count, const MctsOptions& options) {
        const float scale = scale_of(nodes[0], options);
        std::ranges::stable_sort(candidates, std::greater{},
                                 [&](int edge) { return score(edge, scale); });
        if (static_cast<int>(candidates.size()) > count)
            candidates.resize(static_cast<std::size_t>(count));
    }

    float score(int number, float scale) const {
        const Edge& edge = edges[number];
        return edge.logit + edge.luck + (edge.visits ? scale * edge.mean() : 0);
    }

    int parent_of(const Edge& edge) const { return nodes[edge.child].parent; }

    void back_up(const std::vector<int>& path, const Values& worth) {
        for (const int number : path) {
            Edge& edge = edges[number];
            ++edge.visits;
            edge.total += worth[nodes[parent_of(edge)].board.side()];
        }
    }
};

template <Mode M>
class MctsOf final : public Mcts {
  public:
    MctsOf(const Batch& batch, const MctsOptions& options)
        : batch(batch), options(options), pen(batch.settings().plain),
          trees(static_cast<std::size_t>(batch.settings().games)), random(options.seed) {
        begin();
    }

    void begin() final {
        for (std::size_t i = 0; i < trees.size(); ++i)
            trees[i].begin(std::get<GameSnapshot<M>>(batch.snapshot(static_cast<int>(i))));
        leaves = 0;
    }

    int gather(std::uint8_t* observations, std::uint8_t* masks) override {
        const std::size_t bytes =
            static_cast<std::size_t>(planes_of(M, batch.settings().history)) * PLANE;
        if (leaves) return static_cast<int>(leaves); // they still wait for their judgement
        for (Tree<M>& tree : trees) {
            const std::size_t before = leaves;
            // Looks that end games need no judgement: then there is another round at once.
            while (leaves == before && !tree.is_done(options))
                tree.look(batch, options, [&](int leaf) {
                    tree.write(leaf, batch, pen, observations + leaves * bytes,
                               masks + leaves * MOVES);
                    ++leaves;
                });
        }
        return static_cast<int>(leaves);
    }

    void judge(const float* logits, const float* values) override {
        for (Tree<M>& tree : trees)
            tree.judge(logits, values, batch.settings().rules, options, random);
        leaves = 0;
    }

    void visits(std::int32_t* out) const override {
        for (const Tree<M>& tree : trees) {
            tree.visits(out);
            out += MOVES;
        }
    }

    void advice(float* policy, std::int64_t* actions, float* values) const override {
        for (const Tree<M>& tree : trees) {
            const Advice advice = tree.advice(options, policy);
            *actions++ = advice.action;
            *values++ = advice.value;
            policy += MOVES;
        }
    }

  private:
    const Batch& batch;
    const MctsOptions options;
    const Pen pen;
    std::vector<Tree<M>> trees;
    std::size_t leaves = 0; // that wait for their judgement
    std::mt19937_64 random;
};

} // namespace

std::unique_ptr<Mcts> make_mcts(const Batch& batch, const MctsOptions& options) {
    switch (batch.mode()) {
    case Mode::two:
        return std::make_unique<MctsOf<Mode::two>>(batch, options);
    case Mode::three:
        return std::make_unique<MctsOf<Mode::three>>(batch, options);
    case Mode::teams:
        return std::make_unique<MctsOf<Mode::teams>>(batch, options);
    default:
        return std::make_unique<MctsOf<Mode::teams_double>>(batch, options);
    }
}

} // namespace sumito
