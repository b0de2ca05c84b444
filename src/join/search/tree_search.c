/*
 * tree_search.c
 *	  Finds the pairs of trees within a threshold: filters, candidates, verification.
 *
 * The filters, from the cheapest on: sizes, rarest labels, signatures and all labels
 * (candidates.h); traversals (bounds.h, traversals.h); and the greedy mapping, as long as it
 * settles enough pairs.  Its cost is an upper bound, which settles the pair if it equals the lower
 * bound, or if it is within the threshold and the distance is not wanted.  Then the distance is
 * computed, up to a known bound.  Of candidates that a probe cannot distinguish (equivalence.h),
 * only the first one is judged.  With a cost model that grades labels, a lower bound on the cost of
 * renaming them is used before all labels (grade_bound.h), and a closer bound on that cost
 * (rename_bound.h) before the distance.  JSON documents, whose members have no order, go from all
 * labels directly to their distance.
 *
 * A TreeMeasure has the functions that differ between unit costs, a cost model and JSON documents.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../core/common/processor_tuning.h"
#include "../../core/tree/bounded/bounded.h"
#include "../../core/tree/filters/traversals.h"
#include "../../tree/distance/compared_trees.h"
#include "../../tree/distance/json_distance.h"
#include "../../tree/distance/session_trees.h"
#include "../../tree/value/tree.h"
#include "gpu_search.h"
#include "search.h"
#include "tree_set.h"

/* Most pairs whose distances are computed at once. */
#define PAIRS_PER_BATCH 16384

/*
 * The first GREEDY_TRIALS pairs, and then one of GREEDY_SAMPLE, are trials, which compare the time
 * that greedy mappings save with the time that they take.  Other pairs get a greedy mapping if that
 * pays.
 */
#define GREEDY_TRIALS 2000
#define GREEDY_SAMPLE 16

/*
 * Where pairs that others connect are left out, a probe with at least CROWD pairs is looked up in
 * portions: first among the CROWD trees of the closest sizes, then among PORTION_GROWTH times as
 * many.  A match in one portion leaves out most pairs of the next ones.
 */
#define CROWD 16
#define PORTION_GROWTH 8

/* State of the bounds of a probe and its candidates, with unit costs. */
typedef struct PairBounds
{
	TedTraversals *traversals; /* of the probe, if it has been converted to bit vectors */
	bool in_bits;              /* whether the probe has been converted */
	TedArena bits;             /* memory of the bit vectors */
	TedArena scratch;          /* memory for one candidate */

	/* estimated seconds that trials of greedy mappings take and save; later trials weigh more */
	int32 trials;
	uint32 pairs; /* pairs since the first trials */
	double taken;
	double saved; /* time of distances that were not computed, or computed up to a lower limit */
} PairBounds;

/* The result of comparing a candidate by bounds. */
typedef struct Verdict
{
	int32 distance; /* distance or an upper bound; TED_BEYOND above the threshold */
	int32 pair;     /* index in pairs[] of the distance that decides; -1 if `distance` is known, or
					 * NOT_JUDGED */
} Verdict;

/* For a candidate that was left out, so that none like it can have its verdict. */
#define NOT_JUDGED (-2)

/* A pair that waits for a distance: its own, or that of an equivalent pair. */
typedef struct WaitingPair
{
	int32 probe;
	int32 indexed;
	Verdict verdict;
} WaitingPair;

/* Bytes of one pair in a batch. */
#define BATCH_BYTES (sizeof(WaitingPair) + sizeof(TedPair) + sizeof(int32))

/* Bytes of a tree in arrays by place, including a pair for it in a batch. */
#define TREE_BYTES (sizeof(TedIndexedTree) + sizeof(TedCandidate) + sizeof(Verdict) + BATCH_BYTES)

typedef struct TreeSearch TreeSearch;

/* Functions for one way of comparing trees. */
typedef struct TreeMeasure
{
	bool on_gpu; /* whether a GPU can find the pairs */

	/* refuses candidates of the probe before their labels are compared; or NULL */
	TedRefuse refuse;

	/* compares a probe with its `count` candidates */
	void (*compare)(TreeSearch *search, int32 probe, int32 count);
} TreeMeasure;

/* A search of trees. */
struct TreeSearch
{
	JoinPipeline *join;
	const TreeMeasure *measure;
	ModelTrees *model; /* trees by a cost model; NULL for unit costs */
	EngineSession *session;
	JoinTrees *indexed;
	JoinTrees *probes;
	SharedTrees *shared;   /* trees that the members of the team have built, or NULL */
	TedIndexedTrees added; /* counts of the trees added, for the size of the index */
	Size bounds_bytes;     /* upper bound on the bytes of their bounds */

	/* the trees that are looked up, and the candidates of one of them */
	JoinTrees *searched; /* `indexed` or `probes` */
	int32 probe;
	TedCandidateIndex *index;
	bool in_crowd; /* whether the last probe had at least CROWD pairs */
	TedCandidate *candidates;
	Verdict *verdicts; /* by candidate */
	PairBounds bounds;
	int64 steps;       /* steps of bounds by the cost model since the last interrupt check */
	uint8 *json_kinds; /* TedJsonKind of each label */
	int32 json_labels; /* labels whose kinds are known */

	/* waiting pairs, and the pairs whose distances are computed */
	WaitingPair *waiting;
	int32 waiting_count;
	TedPair *pairs;
	int32 *distances;
	int32 pair_count;
	int64 settled_labels; /* counts->labels when no pair waited last */

	GpuSearch *gpu;  /* NULL if the CPU finds the pairs */
	bool gpu_probes; /* whether the GPU has the probes */
};

/* Appends the beginning of the tree with a number in the session, if `trees` has it. */
static void
DescribeTreeOf(const TreeSearch *search, const JoinTrees *trees, int32 number, StringInfo text)
{
	for (int32 i = 0; trees != NULL && i < trees->count; i++)
		if (trees->trees[i].number == number)
		{
			AppendDecodedStart(text, trees->trees[i].stored, SessionLabels(search->session));
			return;
		}
}

/* Describes a tree of the session in errors. */
static void
DescribeSearchedTree(void *arg, int32 number, StringInfo text)
{
	const TreeSearch *search = arg;
	int before = text->len;

	DescribeTreeOf(search, search->indexed, number, text);
	if (text->len == before)
		DescribeTreeOf(search, search->probes, number, text);
}

/* Opens a search that compares trees by a measure; by the cost model if the join has one. */
static void *
OpenTreeSearch(JoinPipeline *join, const TreeMeasure *measure)
{
	TreeSearch *search = palloc0_object(TreeSearch);

	search->join = join;
	search->measure = measure;
	search->session = SessionOpen(&TED_UNIT_COSTS);
	search->session->caller_bounds = true;
	/* only the leader uses a GPU, as its context stays open */
	if (IsParallelWorker())
		search->session->on_cpu = true;
	search->session->counts = &join->counts->engine;
	if (join->model != NULL)
	{
		search->model = ModelTreesCreate(join->model, SessionLabels(search->session));
		search->session->costs = *ModelTedCosts(search->model->costs);
	}
	search->session->describe = DescribeSearchedTree;
	search->session->describe_arg = search;
	search->indexed = JoinTreesCreate(search->session, search->model, NULL, join->team);
	return search;
}

/* Returns the trees of a side. */
static JoinTrees *
TreesOf(const TreeSearch *search, DocumentsSide side)
{
	return side == JOIN_INDEXED ? search->indexed : search->probes;
}

/* Adds a tree to a side; returns its number. */
static int32
AddSearchedTree(void *arg, DocumentsSide side, Datum tree)
{
	TreeSearch *search = arg;
	JoinTrees *trees = TreesOf(search, side);
	int32 known = trees->count;
	int32 number = JoinTreesAdd(trees, tree);

	if (number == known && side == JOIN_INDEXED)
	{
		int32 size = trees->trees[number].tree->size;

		ted_count_tree(&search->added, size, DistanceAllowed(&search->join->threshold, size));
		search->bounds_bytes += JoinTreesBoundsBytes(size);
	}
	return number;
}

/* Returns the number of trees of a side. */
static int32
CountTrees(const void *search, DocumentsSide side)
{
	return TreesOf(search, side)->count;
}

/* Returns the size of a tree of a side. */
static int32
SizeOf(const void *search, DocumentsSide side, int32 number)
{
	return TreesOf(search, side)->trees[number].tree->size;
}

/* Publishes the trees added, for the members of the team. */
static void
PublishTrees(void *arg)
{
	const TreeSearch *search = arg;

	SharedTreesPublish(search->join->team, search->indexed->shared, search->indexed->count,
					   SessionLabels(search->session));
}

/*
 * Builds the trees of all members, together with them; a cost model has other labels, so no lists.
 */
static void
BuildTrees(void *arg)
{
	TreeSearch *search = arg;

	search->shared = SharedTreesBuild(search->join->team, SessionLabels(search->session),
									  &search->join->threshold, search->model == NULL);
	JoinTreesTakeAll(search->indexed, search->shared);
	search->added = (TedIndexedTrees){0};
	search->bounds_bytes = 0;
}

/* Returns the places of the trees that a member has published. */
static const int32 *
TreeNumbers(const void *search, int member)
{
	return SharedDocumentsPlaces(((const TreeSearch *) search)->join->team, member);
}

/* Returns an upper bound on the labels of all trees, as filters see them. */
static int32
LabelCount(const TreeSearch *search)
{
	return LabelTableCount(SessionLabels(search->session)) + (search->model != NULL);
}

/* Refuses a candidate if the pair is to be left out. */
static TedStatus
RefuseLeftOut(void *arg, int32_t candidate, bool *refused)
{
	const TreeSearch *search = arg;

	*refused = IsLeftOut(search->join, search->probe, search->join->by_size[candidate]);
	return TED_OK;
}

/* Makes the index in which the CPU finds candidates. */
static void
MakeIndex(TreeSearch *search)
{
	int32 count = search->indexed->count;
	int32 labels = LabelCount(search);
	Size bytes = sizeof(TedIndexedTree) * (Size) count;
	TedIndexedTree *in_order = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	TedArena arena;

	UseLargePages(in_order, bytes);
	for (int32 i = 0; i < count; i++)
	{
		const TedTree *tree = search->indexed->trees[search->join->by_size[i]].tree;

		in_order[i] = (TedIndexedTree){tree, tree->size,
									   DistanceAllowed(&search->join->threshold, tree->size)};
	}
	if (search->shared != NULL && search->shared->lists != NULL)
	{
		ArenaInit(&arena, ted_candidate_index_of_lists_memory(count, labels));
		CheckStatus(ted_candidate_index_of_lists(in_order, count, labels, search->shared->lists,
												 search->shared->parts, search->shared->signature,
												 &arena, &search->index));
	}
	else
	{
		search->added = (TedIndexedTrees){0};
		for (int32 i = 0; i < count; i++)
			ted_count_tree(&search->added, in_order[i].size, in_order[i].limit);
		ArenaInit(&arena, ted_candidate_index_memory(&search->added, labels));
		CheckStatus(
			ted_candidate_index(in_order, count, labels, &arena, &PgInterrupt, &search->index));
	}
	if (search->measure->refuse != NULL)
		ted_candidates_refuse(search->index, search->measure->refuse, search);
	else if (search->join->elsewhere != NULL || search->join->components != NULL)
		ted_candidates_refuse(search->index, RefuseLeftOut, search);
	ArenaInit(&arena, ted_traversals_memory(labels));
	CheckStatus(ted_traversals(labels, &arena, &search->bounds.traversals));
	search->candidates = palloc_extended(sizeof(TedCandidate) * (Size) count, MCXT_ALLOC_HUGE);
	search->verdicts = palloc_extended(sizeof(Verdict) * (Size) count, MCXT_ALLOC_HUGE);
}

/* Indexes the trees added. */
static void
IndexSearchedTrees(void *arg)
{
	TreeSearch *search = arg;
	JoinPipeline *join = search->join;
	int32 count = search->indexed->count;
	SortedTrees sorted = {.trees = search->indexed, .number = join->by_size, .count = count};
	Size room;

	JoinTreesFinish(search->indexed);
	if (search->measure->on_gpu)
		search->gpu = GpuSearchOpen(&join->threshold, &sorted, LabelCount(search), join->team,
									&join->counts->engine);
	if (search->gpu == NULL)
		MakeIndex(search);
	/* the candidates of one probe may be added to a batch that is almost full */
	room = PAIRS_PER_BATCH + (Size) count;
	search->waiting = palloc_extended(sizeof(WaitingPair) * room, MCXT_ALLOC_HUGE);
	search->pairs = palloc_extended(sizeof(TedPair) * room, MCXT_ALLOC_HUGE);
	search->distances = palloc_extended(sizeof(int32) * room, MCXT_ALLOC_HUGE);
	SessionKeepTrees(search->session);
	search->probes = JoinTreesCreate(search->session, search->model, search->indexed, NULL);
}

/* Passes a match on to the caller. */
static void
Found(TreeSearch *search, int32 probe, int32 indexed, int32 distance)
{
	int32 size = 0;
	int32 indexed_size = 0;

	/* with millions of pairs, it takes time to look up the sizes */
	if (search->join->distances_wanted)
	{
		/* with unit costs: sizes; these fit in 32 bits, as the distance of the trees does */
		size = (int32) search->searched->trees[probe].totals.delete_all;
		indexed_size = (int32) search->indexed->trees[indexed].totals.insert_all;
	}
	PairFound(search->join, probe, indexed, distance, Max(size, indexed_size),
			  Min(size, indexed_size));
}

/* Returns the part of the candidates since the last batch that wait for distances. */
static double
TreeWaitingPart(const void *arg)
{
	const TreeSearch *search = arg;
	double candidates = (double) (search->join->counts->labels - search->settled_labels);
	double computed = (double) search->session->cpu.computed;

	if (search->pair_count == 0 || candidates <= 0)
		return 0;
	return Min(search->waiting_count * (1 - computed / search->pair_count) / candidates, 1);
}

/* Computes the distances of all waiting pairs, and passes on the matches. */
static void
VerifyBatch(TreeSearch *search)
{
	if (search->pair_count > 0)
	{
		SessionCompute(search->session, search->pairs, search->pair_count, search->distances);
		search->join->counts->batches++;
	}
	for (int32 i = 0; i < search->waiting_count; i++)
	{
		const WaitingPair *waiting = &search->waiting[i];
		int32 distance = Min(search->distances[waiting->verdict.pair], waiting->verdict.distance);

		if (distance != TED_BEYOND)
			Found(search, waiting->probe, waiting->indexed, distance);
	}
	search->waiting_count = 0;
	search->pair_count = 0;
	NoteSettled(search->join);
	search->settled_labels = search->join->counts->labels;
}

/* Adds a pair whose distance is to be computed; returns its index. */
static int32
AddPair(TreeSearch *search, int32 probe, int32 indexed, int32 limit)
{
	search->pairs[search->pair_count] = (TedPair){.a = search->searched->trees[probe].number,
												  .b = search->indexed->trees[indexed].number,
												  .limit = limit};
	return search->pair_count++;
}

/* Passes a candidate on, drops it, or makes it wait for a distance. */
static void
Settle(TreeSearch *search, int32 probe, int32 indexed, Verdict verdict)
{
	if (verdict.pair >= 0)
	{
		search->join->counts->verified++;
		search->waiting[search->waiting_count++] = (WaitingPair){probe, indexed, verdict};
		return;
	}
	search->join->counts->settled++;
	if (verdict.distance != TED_BEYOND)
		Found(search, probe, indexed, verdict.distance);
}

/* Returns a lower bound by traversals; may convert the probe to bit vectors. */
static int32
TraversalBound(TreeSearch *search, const TedBoundsIndex *probe, const TedBoundsIndex *indexed,
			   int32 limit)
{
	PairBounds *bounds = &search->bounds;
	int32 bound;

	if (!ted_traversals_pay(probe->size, indexed->size, limit))
	{
		ArenaReserve(
			&bounds->scratch, CurrentMemoryContext,
			ted_traversal_bound_memory(probe->size, indexed->size, &TED_UNIT_COSTS, limit));
		CheckStatus(ted_traversal_bound(probe, indexed, &TED_UNIT_COSTS, limit, &bounds->scratch,
										&PgInterrupt, &bound));
		return bound;
	}
	if (!bounds->in_bits)
	{
		TedArena bits;

		ArenaReserve(&bounds->bits, CurrentMemoryContext, ted_traversals_start_memory(probe->size));
		bits = bounds->bits;
		CheckStatus(ted_traversals_start(bounds->traversals, probe, &bits, &PgInterrupt));
		bounds->in_bits = true;
	}
	CheckStatus(ted_traversals_bound(bounds->traversals, indexed, limit, &PgInterrupt, &bound));
	return bound;
}

/*
 * Returns an upper bound by a greedy mapping; TED_BEYOND above the limit, or if no mapping is
 * tried.  A bound of at most `settling` settles the pair.
 */
static int32
GreedyBound(TreeSearch *search, const TedBoundsIndex *probe, const TedBoundsIndex *indexed,
			int32 limit, int32 settling)
{
	PairBounds *bounds = &search->bounds;
	bool trial = bounds->trials < GREEDY_TRIALS || ++bounds->pairs % GREEDY_SAMPLE == 0;
	Size map_size = (Size) Max(probe->size, indexed->size);
	TedArena scratch;
	int32 *map_a;
	int32 *map_b;
	int32 upper;

	if (!trial && bounds->saved < bounds->taken)
		return TED_BEYOND;
	ArenaReserve(&bounds->scratch, CurrentMemoryContext,
				 2 * ted_arena_bytes(sizeof(int32) * map_size) +
					 ted_greedy_mapping_memory(probe->size, indexed->size));
	scratch = bounds->scratch;
	map_a = ted_arena_int32(&scratch, map_size);
	map_b = ted_arena_int32(&scratch, map_size);
	CheckStatus(ted_greedy_mapping(probe, indexed, &TED_UNIT_COSTS, limit, &scratch, &PgInterrupt,
								   map_a, map_b, &upper));
	if (trial)
	{
		double computed = ted_plan_pair(probe->tree, indexed->tree, &TED_UNIT_COSTS, limit).seconds;

		if (bounds->trials == 2 * GREEDY_TRIALS)
		{
			bounds->trials /= 2;
			bounds->taken /= 2;
			bounds->saved /= 2;
		}
		bounds->trials++;
		bounds->taken += TED_GREEDY_NODE_TIME * 1e-9 * (probe->size + indexed->size);
		if (upper <= settling)
			bounds->saved += computed;
		else if (upper <= limit)
			bounds->saved +=
				computed -
				ted_plan_pair(probe->tree, indexed->tree, &TED_UNIT_COSTS, upper - 1).seconds;
	}
	return upper <= limit ? upper : TED_BEYOND;
}

/* Compares a candidate by its bounds; if they do not decide, adds its distance to the batch. */
static Verdict
Judge(TreeSearch *search, int32 probe_number, const TedCandidate *candidate)
{
	int32 indexed_number = search->join->by_size[candidate->number];
	const TedBoundsIndex *probe = JoinTreesBounds(search->searched, probe_number);
	const TedBoundsIndex *indexed = JoinTreesBounds(search->indexed, indexed_number);
	int32 lower = TraversalBound(search, probe, indexed, candidate->limit);
	int32 settling;
	int32 upper;

	if (lower == TED_BEYOND)
		return (Verdict){.distance = TED_BEYOND, .pair = -1};
	settling = search->join->distances_wanted ? Max(lower, candidate->bound) : candidate->limit;
	upper = GreedyBound(search, probe, indexed, candidate->limit, settling);
	if (upper <= settling)
		return (Verdict){.distance = upper, .pair = -1};
	return (Verdict){
		.distance = upper,
		.pair = AddPair(search, probe_number, indexed_number, Min(candidate->limit, upper - 1))};
}

/* Compares a probe with its candidates by unit costs. */
static void
CompareByUnits(TreeSearch *search, int32 probe, int32 count)
{
	for (int32 i = 0; i < count; i++)
	{
		const TedCandidate *candidate = &search->candidates[i];
		int32 indexed = search->join->by_size[candidate->number];
		Verdict *verdict = &search->verdicts[candidate->like];

		if (candidate->like == i)
			verdict->pair = NOT_JUDGED;
		if (search->join->components != NULL && IsLeftOut(search->join, probe, indexed))
			continue;
		if (verdict->pair == NOT_JUDGED)
			*verdict = Judge(search, probe, candidate);
		Settle(search, probe, indexed, *verdict);
	}
	if (search->bounds.in_bits)
		ted_traversals_end(search->bounds.traversals);
	search->bounds.in_bits = false;
}

static const TreeMeasure by_units = {.on_gpu = true, .compare = CompareByUnits};

/* Returns the greatest distance of two matching trees by the cost model, or TED_NO_LIMIT. */
static int32
CostLimit(const TreeSearch *search, const JoinTree *probe, const JoinTree *indexed)
{
	int64 delete_all = probe->totals.delete_all;
	int64 insert_all = indexed->totals.insert_all;

	return CostAllowed(&search->join->threshold, Max(delete_all, insert_all),
					   delete_all + insert_all);
}

/* Refuses a candidate by total costs, whatever the order of nodes. */
static TedStatus
RefuseByTotals(void *arg, int32_t candidate, bool *refused)
{
	const TreeSearch *search = arg;
	const JoinTree *probe = &search->searched->trees[search->probe];
	const JoinTree *indexed = &search->indexed->trees[search->join->by_size[candidate]];
	int32 limit = CostLimit(search, probe, indexed);

	*refused = IsLeftOut(search->join, search->probe, search->join->by_size[candidate]) ||
			   (limit != TED_NO_LIMIT && LeastByTotals(&probe->totals, &indexed->totals) > limit);
	return TED_OK;
}

/* Refuses a candidate by total costs, or by the characters of graded labels. */
static TedStatus
RefuseByModel(void *arg, int32_t candidate, bool *refused)
{
	TreeSearch *search = arg;
	const JoinTree *probe = &search->searched->trees[search->probe];
	const JoinTree *indexed = &search->indexed->trees[search->join->by_size[candidate]];
	int32 limit = CostLimit(search, probe, indexed);

	CheckStatus(RefuseByTotals(search, candidate, refused));
	if (*refused || limit == TED_NO_LIMIT || !CostModelIsGraded(search->join->model))
		return TED_OK;
	return ted_grades_exceed(&probe->by_model->graded, &indexed->by_model->graded,
							 ModelTedCosts(search->model->costs), search->model->profiles, limit,
							 &PgInterrupt, &search->steps, refused);
}

/*
 * Whether the distance of a pair exceeds the limit, by the operations between its trees as filters
 * see them, or by the cost of renaming graded labels.
 */
static bool
IsTooFarByModel(TreeSearch *search, int32 probe_number, const TedCandidate *candidate, int32 limit)
{
	int32 indexed_number = search->join->by_size[candidate->number];
	const JoinTree *probe = &search->searched->trees[probe_number];
	const JoinTree *indexed = &search->indexed->trees[indexed_number];
	int32 least = search->join->threshold.least_cost;

	if (limit == TED_NO_LIMIT)
		return false;
	if (least > 0 && !probe->by_model->unfiltered)
	{
		int32 operations = Min(limit / least, candidate->limit);

		if (operations < candidate->bound ||
			(operations < Max(probe->tree->size, indexed->tree->size) &&
			 TraversalBound(search, JoinTreesBounds(search->searched, probe_number),
							JoinTreesBounds(search->indexed, indexed_number),
							operations) == TED_BEYOND))
			return true;
	}
	return CostModelIsGraded(search->join->model) &&
		   ModelTreesBound(search->model, ted_rename_bound, probe->compared, indexed->compared,
						   limit) > limit;
}

/* Compares a probe with its candidates by the cost model. */
static void
CompareByModel(TreeSearch *search, int32 probe, int32 count)
{
	for (int32 i = 0; i < count; i++)
	{
		int32 indexed = search->join->by_size[search->candidates[i].number];
		int32 limit =
			CostLimit(search, &search->searched->trees[probe], &search->indexed->trees[indexed]);
		Verdict verdict = {.distance = TED_BEYOND, .pair = -1};

		if (IsLeftOut(search->join, probe, indexed))
			continue;
		if (!IsTooFarByModel(search, probe, &search->candidates[i], limit))
			verdict.pair = AddPair(search, probe, indexed, limit);
		Settle(search, probe, indexed, verdict);
	}
	if (search->bounds.in_bits)
		ted_traversals_end(search->bounds.traversals);
	search->bounds.in_bits = false;
}

static const TreeMeasure by_model = {.refuse = RefuseByModel, .compare = CompareByModel};

/* Forgets the kinds of labels, as labels of probes may be forgotten. */
static void
ForgetJsonKinds(TreeSearch *search)
{
	if (search->json_kinds != NULL)
		pfree(search->json_kinds);
	search->json_kinds = NULL;
	search->json_labels = 0;
}

/* Compares a probe with its candidates as JSON documents. */
static void
CompareJson(TreeSearch *search, int32 probe, int32 count)
{
	const LabelTable *labels = SessionLabels(search->session);
	int32 label_count = LabelTableCount(labels);

	if (search->json_labels != label_count)
	{
		ForgetJsonKinds(search);
		search->json_labels = label_count;
		search->json_kinds = MemoryContextAllocHuge(search->join->context, (Size) label_count);
		for (int32 id = 0; id < label_count; id++)
		{
			CheckInterrupts();
			search->json_kinds[id] = (uint8) JsonKindOfLabel(LabelTableGet(labels, id));
		}
	}
	for (int32 i = 0; i < count; i++)
	{
		const TedCandidate *candidate = &search->candidates[i];
		int32 indexed = search->join->by_size[candidate->number];
		TedJson a = {search->searched->trees[probe].tree, search->json_kinds};
		TedJson b = {search->indexed->trees[indexed].tree, search->json_kinds};
		int32 distance = candidate->limit;
		ComparedTrees compared;

		CheckInterrupts();
		search->join->counts->verified++;
		BeginDecodedComparison(&compared, a.tree, b.tree, labels);
		if (search->join->distances_wanted)
			distance = JsonDistance(&a, &b, NULL, candidate->limit, 0);
		else if (!JsonWithin(&a, &b, NULL, candidate->limit, 0))
			distance = TED_BEYOND;
		EndComparison(&compared);
		if (distance != TED_BEYOND)
			Found(search, probe, indexed, distance);
	}
}

static const TreeMeasure as_json = {.compare = CompareJson};

/*
 * Compares a probe with its candidates as JSON documents by the cost model.  The number of
 * operations that filters count is a lower bound in any order of nodes; bounds by traversals and
 * by graded labels need their order.
 */
static void
CompareJsonByModel(TreeSearch *search, int32 probe_number, int32 count)
{
	const JoinTree *probe = &search->searched->trees[probe_number];
	const LabelTable *labels = SessionLabels(search->session);
	int32 least = search->join->threshold.least_cost;

	for (int32 i = 0; i < count; i++)
	{
		const TedCandidate *candidate = &search->candidates[i];
		int32 number = search->join->by_size[candidate->number];
		const JoinTree *indexed = &search->indexed->trees[number];
		int32 limit = CostLimit(search, probe, indexed);
		ComparedTrees compared;
		int32 distance;

		CheckInterrupts();
		if (IsLeftOut(search->join, probe_number, number) ||
			(limit != TED_NO_LIMIT && least > 0 && candidate->bound > limit / least))
			continue;
		search->join->counts->verified++;
		BeginDecodedComparison(&compared, probe->stored, indexed->stored, labels);
		distance = JsonDistanceByModel(&(RelabelledPair){.a = probe->compared,
														 .b = indexed->compared,
														 .labels = labels,
														 .costs = search->model->costs,
														 .model = search->join->model},
									   limit, search->join->distances_wanted);
		EndComparison(&compared);
		if (distance != TED_BEYOND)
			Found(search, probe_number, number, distance);
	}
}

static const TreeMeasure as_json_by_model = {.refuse = RefuseByTotals,
											 .compare = CompareJsonByModel};

/*
 * Compares a probe with the indexed trees from place `first` to before `end`; returns the number of
 * pairs whose labels or components were compared.
 */
static int64
LookUpAmong(TreeSearch *search, int32 first, int32 end)
{
	JoinCounts *passed = search->join->counts;
	const JoinTree *tree = &search->searched->trees[search->probe];
	const TedTree *probe = tree->tree;
	int32 limit = DistanceAllowed(&search->join->threshold, probe->size);
	TedCandidateCounts counts = {0};
	int32 count;

	if (tree->by_model != NULL && tree->by_model->unfiltered)
	{
		/* filters cannot see the tree, so all trees are candidates */
		count = end - first;
		for (int32 i = 0; i < count; i++)
			search->candidates[i] = (TedCandidate){.number = first + i, .limit = limit, .like = i};
		counts = (TedCandidateCounts){.window = count, .prefix = count, .label = count};
	}
	else
	{
		TedArena *scratch = &search->bounds.scratch;

		ArenaReserve(scratch, CurrentMemoryContext, ted_candidates_memory(probe->size, limit));
		CheckStatus(ted_candidates(search->index, probe, limit, first, end, scratch, &PgInterrupt,
								   search->candidates, &count, &counts));
	}
	passed->window += counts.window;
	passed->prefix += counts.prefix;
	passed->labels += counts.label;
	search->measure->compare(search, search->probe, count);
	return counts.prefix;
}

/* Finds the matches of a probe among the indexed trees before place `end`. */
static void
LookUp(TreeSearch *search, int32 probe, int32 end)
{
	bool in_portions = search->join->components != NULL && search->in_crowd;
	int64 portion = in_portions ? CROWD : end;
	int64 pairs = 0;

	search->probe = probe;
	do
	{
		int32 first = (int32) Max(end - portion, 0);

		CheckInterrupts();
		pairs += LookUpAmong(search, first, end);
		if (search->waiting_count >= PAIRS_PER_BATCH ||
			(in_portions && first > 0 && search->waiting_count > 0))
			VerifyBatch(search);
		end = first;
		portion *= PORTION_GROWTH;
	} while (end > 0);
	search->in_crowd = pairs >= CROWD;
}

/* Adds a range that the GPU has compared to the counts; the trees it leaves open come later. */
static void
CountTreeRange(JoinCounts *counts, const TedJoinRange *range)
{
	counts->prefix += range->similar;
	counts->settled += range->labels - range->computed;
	counts->verified += range->computed;
}

/* Takes a pair that the GPU has found; computes its distance if it was left open. */
static void
TakeTreePair(void *arg, int32 probe, int32 indexed, int32 distance)
{
	TreeSearch *search = arg;
	Verdict verdict = {.distance = TED_BEYOND};
	int32 larger;

	if (IsLeftOut(search->join, probe, indexed))
		return;
	if (distance != TED_NO_DISTANCE)
	{
		Found(search, probe, indexed, distance);
		return;
	}
	larger =
		Max(search->searched->trees[probe].tree->size, search->indexed->trees[indexed].tree->size);
	verdict.pair =
		AddPair(search, probe, indexed, DistanceAllowed(&search->join->threshold, larger));
	search->join->counts->settled--;
	Settle(search, probe, indexed, verdict);
	if (search->waiting_count >= PAIRS_PER_BATCH)
		VerifyBatch(search);
}

/* Whether the GPU finds the pairs. */
static bool
HasGpu(const void *search)
{
	return ((const TreeSearch *) search)->gpu != NULL;
}

/* Sends the probes to the GPU, unless it has them; returns false if it cannot take them. */
static bool
SendProbes(TreeSearch *search)
{
	SortedTrees sorted = {.trees = search->probes,
						  .number = search->join->probes_by_size,
						  .count = search->probes->count};

	search->gpu_probes =
		search->gpu_probes || GpuSearchAddProbes(search->gpu, &sorted, LabelCount(search));
	return search->gpu_probes;
}

/* Finds the matches of trees at some places on the GPU; returns the place where to continue. */
static int32
FindOnGpu(TreeSearch *search, DocumentsSide side, int32 first, int32 end)
{
	int32 next = first;

	if (side == JOIN_PROBES && !SendProbes(search))
		GpuSearchClose(&search->gpu);
	else
		next = GpuSearchFind(&search->gpu, search->join, side, first, end, CountTreeRange,
							 TakeTreePair);
	if (search->gpu == NULL)
		MakeIndex(search); /* the CPU continues, as the GPU has failed or has no memory */
	else if (next > first)
		VerifyBatch(search);
	return next;
}

/*
 * Finds the matches of trees at some places on the CPU; of indexed trees, with those before them.
 */
static int32
FindOnCpu(TreeSearch *search, DocumentsSide side, int32 first, int32 end)
{
	JoinPipeline *join = search->join;
	const int32 *order = side == JOIN_INDEXED ? join->by_size : join->probes_by_size;
	int64 enough = join->counts->found + MATCHES_PER_RUN;
	int32 indexed = search->indexed->count;

	for (; first < end && join->counts->found < enough; first++)
	{
		join->place = first;
		LookUp(search, order == NULL ? first : order[first],
			   side == JOIN_INDEXED ? first : indexed);
	}
	join->place = first;
	VerifyBatch(search);
	return first;
}

/* Finds the matches of trees at some places; returns the place where to continue. */
static int32
FindTrees(void *arg, DocumentsSide side, int32 first, int32 end)
{
	TreeSearch *search = arg;

	search->searched = TreesOf(search, side);
	return search->gpu != NULL ? FindOnGpu(search, side, first, end)
							   : FindOnCpu(search, side, first, end);
}

/* Frees the probes, to make room for others. */
static void
ForgetTreeProbes(void *arg)
{
	TreeSearch *search = arg;

	if (search->gpu != NULL)
		GpuJoinForget(search->gpu->join, search->gpu->indexed);
	search->gpu_probes = false;
	ForgetJsonKinds(search);
	JoinTreesReset(search->probes);
}

/*
 * Returns the bytes that the index of the trees added, their bounds and batches of pairs will take.
 * Each member of a team has its own, except for the lists.
 */
static Size
TreeIndexMemory(const void *arg)
{
	const TreeSearch *search = arg;
	const Team *team = search->join->team;
	Size count = (Size) search->added.count;
	Size views = team == NULL ? 0 : (sizeof(JoinTree) + sizeof(TedTree)) * count;
	Size others = team == NULL ? 0 : (Size) team->members - 1;
	Size own = TREE_BYTES * count + views + search->bounds_bytes;
	Size index = ted_candidate_index_memory(&search->added, LabelCount(search));

	return PAIRS_PER_BATCH * BATCH_BYTES + own + index +
		   others * (own + ted_candidate_index_of_lists_memory(search->added.count, 0));
}

/* Estimates the bytes of a tree of this size in the index, besides its labels. */
static Size
TreeMemory(const void *search, int32 size)
{
	TedIndexedTrees one = {0};

	ted_count_tree(&one, size,
				   DistanceAllowed(&((const TreeSearch *) search)->join->threshold, size));
	return sizeof(JoinTree) + sizeof(TedTree) + 4 * sizeof(int32) * (Size) size +
		   JoinTreesBoundsBytes(size) + TREE_BYTES + ted_candidate_index_memory(&one, 0) +
		   (((const TreeSearch *) search)->model == NULL ? 0 : ModelTreeBytes(size));
}

/* Closes a search. */
static void
CloseTreeSearch(void *search)
{
	SessionClose(((TreeSearch *) search)->session);
}

/* Whether the sizes of two trees allow them to be within a threshold. */
static bool
SizesMatch(const DocumentThreshold *threshold, int32 a, int32 b)
{
	return threshold->ignores || abs(a - b) <= DistanceAllowed(threshold, Max(a, b));
}

/* Opens a search of trees, by unit costs or by a cost model. */
static void *
OpenTrees(JoinPipeline *join)
{
	return OpenTreeSearch(join, join->model == NULL ? &by_units : &by_model);
}

/* Opens a search of JSON documents. */
static void *
OpenJson(JoinPipeline *join)
{
	return OpenTreeSearch(join, join->model == NULL ? &as_json : &as_json_by_model);
}

/* Common members of the kinds of trees. */
#define TREE_DOCUMENTS                                                                             \
	.sizes_match = SizesMatch, .rarest_filter = "Rarest Labels", .labels_filter = "Labels",        \
	.close = CloseTreeSearch, .add = AddSearchedTree, .count = CountTrees, .size_of = SizeOf,      \
	.publish = PublishTrees, .build = BuildTrees, .numbers = TreeNumbers,                          \
	.index = IndexSearchedTrees, .index_memory = TreeIndexMemory, .document_memory = TreeMemory,   \
	.find = FindTrees, .waiting = TreeWaitingPart, .forget_probes = ForgetTreeProbes

const DocumentKind TreeDocuments = {TREE_DOCUMENTS,     .open = OpenTrees,
									.size = TreeSize,   .list_nodes = ListTreeNodes,
									.bounds = "Bounds", .takes_all = HasGpu};
const DocumentKind JsonDocuments = {TREE_DOCUMENTS, .open = OpenJson, .size = TreeSize,
									.list_nodes = ListTreeNodes};
