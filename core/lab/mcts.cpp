// Tree search with somebody else's network.
#include "lab/mcts.hpp"

#include "env/planes.hpp"
#include "env/score.hpp"

#include <cmath>
#include <random>

namespace sumito {

namespace {

struct Edge {
    Action action;
    std::int32_t child = -1;
    std::int32_t visits = 0;
    std::int32_t waiting = 0; // looks whose judgement is still to come: each counts as a loss
    float prior = 0;
    float total = 0; // to the side that moves
};

// The tree of one game. Nodes and edges lie in two lists and know each other by number.
template <Mode M>
class Tree {
  public:
    static constexpr int S = sides(M);
    using Values = std::array<float, S>;

    int done = 0;    // simulations whose result is known
    int pending = 0; // and those that wait for it

    void begin(Root<M>&& from) {
        root = std::move(from);
        nodes.clear();
        edges.clear();
        waiting.clear();
        done = pending = 0;
        nodes.push_back({root.board, -1});
        nodes[0].repeats = times_seen(root.board, -1);
    }

    bool is_over() const { return root.is_over; }

    // Goes down to a leaf: its number, or NOWHERE if there is none to judge just now.
    int descend(const Batch& batch, const MctsOptions& options) {
        std::vector<int> path;
        int at = 0;
        for (;;) {
            if (nodes[at].is_end) {
                back_up(path, nodes[at].worth);
                ++done;
                return NOWHERE;
            }
            if (nodes[at].state == State::waiting) {
                undo(path);
                return NOWHERE;
            }
            ++nodes[at].visits;
            if (nodes[at].state == State::fresh) {
                nodes[at].state = State::waiting;
                waiting.push_back({at, std::move(path)});
                ++pending;
                return at;
            }
            const int edge = best_edge(at, options);
            path.push_back(edge);
            ++edges[edge].waiting;
            if (edges[edge].child < 0) edges[edge].child = make_node(at, edges[edge].action, batch);
            at = edges[edge].child;
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

    // The judgement of the leaf that has waited longest.
    void judge(std::size_t number, const float* logits, const float* values, const Rules& rules,
               const MctsOptions& options, std::mt19937_64& random) {
        auto& [at, path] = waiting[number];
        expand(at, logits, rules);
        if (at == 0) add_noise(options, random);
        Values worth;
        const int side = nodes[at].board.side();
        for (int k = 0; k < S; ++k) worth[(side + k) % S] = values[k];
        nodes[at].worth = worth;
        back_up(path, worth);
        if (at != 0) ++done; // the root's own judgement is no look at a move
        --pending;
    }
    void all_judged() { waiting.clear(); }

    void visits(std::int32_t* out) const {
        std::fill_n(out, MOVES, 0);
        const Node& node = nodes[0];
        for (int k = 0; k < node.count; ++k)
            out[edges[node.first + k].action.index] = edges[node.first + k].visits;
    }

    float value() const {
        const Node& node = nodes[0];
        float total = 0;
        int looks = 0;
        for (int k = 0; k < node.count; ++k) {
            total += edges[node.first + k].total;
            looks += edges[node.first + k].visits;
        }
        return looks ? total / static_cast<float>(looks) : 0;
    }

  private:
    enum class State : std::uint8_t { fresh, waiting, open };
    struct Node {
        Board<M> board;
        int parent;
        int first = 0; // of its edges
        int count = 0;
        int visits = 0;
        int repeats = 0;
        Values worth{};
        State state = State::fresh;
        bool is_end = false;
    };
    struct Waiting {
        int node;
        std::vector<int> path;
    };

    Root<M> root;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Waiting> waiting;

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

    int best_edge(int at, const MctsOptions& options) const {
        const Node& node = nodes[at];
        const float scale =
            options.exploration * std::sqrt(static_cast<float>(std::max(1, node.visits)));
        const float unseen = node.worth[node.board.side()] - options.caution;
        int best = node.first;
        float highest = -1e30f;
        for (int k = node.first; k < node.first + node.count; ++k) {
            const Edge& edge = edges[k];
            const auto looks = static_cast<float>(edge.visits + edge.waiting);
            const float value =
                looks > 0 ? (edge.total - static_cast<float>(edge.waiting)) / looks : unseen;
            const float score = value + scale * edge.prior / (1 + looks);
            if (score > highest) {
                highest = score;
                best = k;
            }
        }
        return best;
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
        nodes[at].first = static_cast<int>(edges.size());
        nodes[at].count = list.size;
        nodes[at].state = State::open;
        for (const Action action : list) {
            Edge edge{action};
            edge.prior = std::exp(logit(action) - highest);
            sum += edge.prior;
            edges.push_back(edge);
        }
        for (int k = 0; k < list.size; ++k) edges[nodes[at].first + k].prior /= sum;
    }

    void add_noise(const MctsOptions& options, std::mt19937_64& random) {
        if (options.noise <= 0) return;
        std::gamma_distribution<float> gamma(options.dirichlet);
        std::vector<float> parts;
        float sum = 1e-30f;
        for (int k = 0; k < nodes[0].count; ++k) {
            parts.push_back(gamma(random));
            sum += parts.back();
        }
        for (int k = 0; k < nodes[0].count; ++k) {
            float& prior = edges[nodes[0].first + k].prior;
            prior += options.noise * (parts[k] / sum - prior);
        }
    }

    int parent_of(const Edge& edge) const { return nodes[edge.child].parent; }

    void back_up(const std::vector<int>& path, const Values& worth) {
        for (const int number : path) {
            Edge& edge = edges[number];
            --edge.waiting;
            ++edge.visits;
            edge.total += worth[nodes[parent_of(edge)].board.side()];
        }
    }

    void undo(const std::vector<int>& path) {
        for (const int number : path) {
            --edges[number].waiting;
            --nodes[parent_of(edges[number])].visits;
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
            trees[i].begin(std::get<Root<M>>(batch.root(static_cast<int>(i))));
        leaves.clear();
    }

    int gather(std::uint8_t* observations, std::uint8_t* masks) override {
        // Those that wait for their judgement come first; looks that end games need none.
        while (leaves.empty() && !is_done()) descend(observations, masks);
        return static_cast<int>(leaves.size());
    }

    void judge(const float* logits, const float* values) override {
        for (const Leaf& leaf : leaves) {
            trees[leaf.tree].judge(leaf.number, logits, values, batch.settings().rules, options,
                                   random);
            logits += MOVES;
            values += sides(M);
        }
        for (Tree<M>& tree : trees) tree.all_judged();
        leaves.clear();
    }

    void visits(std::int32_t* out) const override {
        for (const Tree<M>& tree : trees) {
            tree.visits(out);
            out += MOVES;
        }
    }
    void values(float* out) const override {
        for (const Tree<M>& tree : trees) *out++ = tree.value();
    }

  private:
    struct Leaf {
        std::size_t tree, number;
    };

    const Batch& batch;
    const MctsOptions options;
    const Pen pen;
    std::vector<Tree<M>> trees;
    std::vector<Leaf> leaves;
    std::mt19937_64 random;

    // A round: some looks in each game, and a line of the arrays for each leaf to be judged.
    void descend(std::uint8_t* observations, std::uint8_t* masks) {
        const std::size_t bytes =
            static_cast<std::size_t>(planes_of(M, batch.settings().history)) * PLANE;
        for (std::size_t i = 0; i < trees.size(); ++i) {
            Tree<M>& tree = trees[i];
            if (tree.is_over()) continue;
            // A look that ends the game is known at once, so there may be more looks than leaves.
            for (int tries = 0; tries < 4 * options.leaves && tree.pending < options.leaves &&
                                tree.done + tree.pending < options.simulations;
                 ++tries) {
                const int before = tree.done;
                const int leaf = tree.descend(batch, options);
                if (leaf == NOWHERE && tree.done == before) break; // it leads to one that waits
                if (leaf == NOWHERE) continue;
                tree.write(leaf, batch, pen, observations + leaves.size() * bytes,
                           masks + leaves.size() * MOVES);
                leaves.push_back({i, static_cast<std::size_t>(tree.pending - 1)});
            }
        }
    }

    bool is_done() const {
        for (const Tree<M>& tree : trees)
            if (!tree.is_over() && tree.done < options.simulations) return false;
        return true;
    }
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
