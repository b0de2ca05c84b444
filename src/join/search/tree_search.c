/*
 * tree_search.c
 *	  Finds the pairs of trees within a threshold: filter, candidates, verification.
 *
 * The order of the filters, cheapest first: sizes, rarest labels, signatures and all
 * labels (candidates.h); traversals (bounds.h, traversals.h); the greedy mapping, whose
 * cost is an upper bound and settles the pair where it equals the lower one, or is
 * within the threshold and the distance is not wanted, as long as it settles enough
 * pairs; the bounded distance, up to what is known.  Of candidates that a probe cannot
 * distinguish (equivalence.h), only the first one is judged.  By a model that grades
 * labels, a lower bound on the cost of renaming these comes before all labels
 * (grade_bound.h), and that cost (rename_bound.h) before the distance.  JSON documents,
 * whose members have no order, go from all labels straight to their distance.
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

/* Pairs whose distances are computed at once. */
#define PAIRS_PER_BATCH 16384

/*
 * The first GREEDY_TRIALS pairs, then one of GREEDY_SAMPLE, are trials that compare the time
 * that greedy mappings save with the time that they take.  Others have one where that pays.
 */
#define GREEDY_TRIALS 2000
#define GREEDY_SAMPLE 16

/* Approximate seconds that trials of greedy mappings take and save; the latest count most. */
typedef struct GreedyTrials
{
	int32 count;
	uint32 pairs; /* since the first trials */
	double taken;
	double saved; /* for distances that are not computed, or up to less */
} GreedyTrials;

/* A candidate and its bounds. */
typedef struct Verdict
{
	int32 distance; /* or an upper bound on it; TED_BEYOND above the threshold */
	int32 pair;     /* whose distance decides, or -1 where it is known */
} Verdict;

/* A pair that waits for the distance of a pair to be computed: its own, or of an equivalent one. */
typedef struct WaitingPair
{
	int32 probe;
	int32 indexed;
	Verdict verdict;
} WaitingPair;

/* Memory that one pair takes in a batch. */
#define BATCH_BYTES (sizeof(WaitingPair) + sizeof(TedPair) + sizeof(int32))

/* Memory that a tree takes in arrays by place, and a pair for it in a batch. */
#define TREE_BYTES (sizeof(TedIndexedTree) + sizeof(TedCandidate) + sizeof(Verdict) + BATCH_BYTES)

typedef struct TreeSearch
{
	JoinPipeline *join;
	bool json;         /* are trees compared as JSON documents? */
	uint8 *json_kinds; /* by label: a TedJsonKind */
	int32 json_labels; /* of which these are known */
	ModelTrees *model; /* of costs; NULL for unit costs */
	EngineSession *session;
	JoinTrees *indexed;
	TedIndexedTrees added; /* what the index of the trees added will take */
	Size bounds_bytes;     /* an upper bound on what their bounds will take */
	JoinTrees *probes;
	JoinTrees *searched;      /* those that are looked up: one of the two */
	GpuSearch *gpu;           /* NULL where the CPU finds the pairs, by what follows */
	bool gpu_probes;          /* has it been handed the probes? */
	SharedTrees *shared;      /* that the members of the team have built, or NULL */
	TedIndexedTree *in_order; /* the indexed trees in their order */
	TedCandidateIndex *index;
	TedCandidate *candidates;  /* of one probe */
	Verdict *verdicts;         /* by candidate */
	TedTraversals *traversals; /* of the probe under search, once that is turned into bits */
	bool in_bits;
	TedArena bits;
	TedArena scratch; /* for one search, or the bounds of one pair */
	int32 probe;      /* the one of these that is looked up now */
	int64 steps;
	int32 *map_a;
	int32 *map_b;
	int32 map_room;
	GreedyTrials greedy;
	WaitingPair *waiting;
	int32 waiting_count;
	TedPair *pairs; /* whose distances they wait for */
	int32 *distances;
	int32 pair_count;
	int64 settled_labels; /* candidates when none of them waited */
	bool taking;          /* what the GPU has found */
} TreeSearch;

/* Appends the beginning of the tree with a number in the session, if it is of this side. */
static void
DescribeTreeOf(const TreeSearch *search, const JoinTrees *trees, int32 number, StringInfo text)
{
	for (int32 i = 0; trees != NULL && i < JoinTreesCount(trees); i++)
		if (JoinTreesGet(trees, i)->number == number)
		{
			AppendDecodedStart(text, JoinTreesGet(trees, i)->stored,
							   SessionLabels(search->session));
			return;
		}
}

/* Describes a tree of the session. */
static void
DescribeSearchedTree(void *arg, int32 number, StringInfo text)
{
	const TreeSearch *search = arg;
	int before = text->len;

	DescribeTreeOf(search, search->indexed, number, text);
	if (text->len == before)
		DescribeTreeOf(search, search->probes, number, text);
}

/* Makes an empty set of trees. */
static JoinTrees *
MakeTrees(const TreeSearch *search, const JoinTrees *others, Team *team)
{
	return JoinTreesCreate(search->session, search->model, others, team);
}

/* Opens a search. */
static void *
OpenTreeSearch(JoinPipeline *join)
{
	TreeSearch *search = palloc0_object(TreeSearch);

	search->join = join;
	search->json = join->kind == &JsonDocuments;
	search->session = SessionOpen(&TED_UNIT_COSTS);
	SessionLeaveTrees(search->session);
	/* one process of a join has a context on a GPU: the leader, whose context stays */
	if (IsParallelWorker())
		SessionStayOnCpu(search->session);
	SessionCount(search->session, &join->counts->engine);
	if (join->model != NULL)
	{
		search->model = ModelTreesCreate(join->model, SessionLabels(search->session));
		SessionSetCosts(search->session, ModelTreesCosts(search->model));
	}
	SessionDescribeTrees(search->session, DescribeSearchedTree, search);
	search->indexed = MakeTrees(search, NULL, join->team);
	return search;
}

/* The trees of a side. */
static JoinTrees *
TreesOf(const TreeSearch *search, DocumentsSide side)
{
	return side == JOIN_INDEXED ? search->indexed : search->probes;
}

/* Adds a tree. */
static int32
AddSearchedTree(void *arg, DocumentsSide side, Datum tree)
{
	TreeSearch *search = arg;
	JoinTrees *trees = TreesOf(search, side);
	int32 known = JoinTreesCount(trees);
	int32 number = JoinTreesAdd(trees, tree);

	if (number == known && side == JOIN_INDEXED)
	{
		int32 size = JoinTreesGet(trees, number)->tree->size;

		ted_count_tree(&search->added, size, DistanceAllowed(&search->join->threshold, size));
		search->bounds_bytes += JoinTreesBoundsBytes(size);
	}
	return number;
}

/* Number of trees of a side. */
static int32
CountTrees(const void *search, DocumentsSide side)
{
	return JoinTreesCount(TreesOf(search, side));
}

/* Size of a tree of a side. */
static int32
SizeOf(const void *search, DocumentsSide side, int32 number)
{
	return JoinTreesGet(TreesOf(search, side), number)->tree->size;
}

/* Publishes the trees added for the members of the team. */
static void
PublishTrees(void *search)
{
	JoinTreesPublish(((TreeSearch *) search)->indexed);
}

/* Builds with them what all have added; a model has labels of its own, and so lists. */
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

/* The numbers of the trees that a member has published. */
static const int32 *
TreeNumbers(const void *search, int member)
{
	return SharedDocumentsPlaces(((const TreeSearch *) search)->join->team, member);
}

/* Number of labels of all trees, as filters see them. */
static int32
LabelCount(const TreeSearch *search)
{
	return LabelTableCount(SessionLabels(search->session)) + (search->model != NULL);
}

/* The greatest cost between two trees that match by the model, or TED_NO_LIMIT. */
static int32
CostLimit(const TreeSearch *search, const JoinTree *probe, const JoinTree *indexed)
{
	int64 delete_all = probe->totals.delete_all;
	int64 insert_all = indexed->totals.insert_all;

	return CostAllowed(&search->join->threshold, Max(delete_all, insert_all),
					   delete_all + insert_all);
}

/* Refuses a candidate by total costs, or by the characters of labels that are graded. */
static TedStatus
RefuseByModel(void *arg, int32_t candidate, bool *refused)
{
	TreeSearch *search = arg;
	const JoinTree *probe = JoinTreesGet(search->searched, search->probe);
	const JoinTree *indexed = JoinTreesGet(search->indexed, search->join->by_size[candidate]);
	int32 limit = CostLimit(search, probe, indexed);

	*refused = limit != TED_NO_LIMIT && LeastByTotals(&probe->totals, &indexed->totals) > limit;
	if (*refused || limit == TED_NO_LIMIT || !CostModelIsGraded(search->join->model))
		return TED_OK;
	return ted_grades_exceed(&probe->by_model->graded, &indexed->by_model->graded,
							 ModelTreesCosts(search->model), ModelTreesProfiles(search->model),
							 limit, &PgInterrupt, &search->steps, refused);
}

/* Whether a pair is found elsewhere. */
static bool
IsElsewhere(const TreeSearch *search, int32 probe, int32 indexed)
{
	const JoinPipeline *join = search->join;

	return join->elsewhere != NULL &&
		   join->elsewhere(join->arg,
						   search->searched == search->indexed ? JOIN_INDEXED : JOIN_PROBES, probe,
						   indexed);
}

/* Refuses a candidate that is found elsewhere. */
static TedStatus
RefuseElsewhere(void *arg, int32_t candidate, bool *refused)
{
	const TreeSearch *search = arg;

	*refused = IsElsewhere(search, search->probe, search->join->by_size[candidate]);
	return TED_OK;
}

/* Makes the index by which the CPU finds candidates. */
static void
MakeIndex(TreeSearch *search)
{
	int32 count = JoinTreesCount(search->indexed);
	int32 labels = LabelCount(search);
	TedArena arena;

	search->in_order = palloc_extended(sizeof(TedIndexedTree) * (Size) count, MCXT_ALLOC_HUGE);
	UseLargePages(search->in_order, sizeof(TedIndexedTree) * (Size) count);
	for (int32 i = 0; i < count; i++)
	{
		const TedTree *view = JoinTreesGet(search->indexed, search->join->by_size[i])->tree;
		TedIndexedTree *tree = &search->in_order[i];

		*tree = (TedIndexedTree){view, view->size,
								 DistanceAllowed(&search->join->threshold, view->size)};
	}
	if (search->shared != NULL && search->shared->lists != NULL)
	{
		ArenaInit(&arena, ted_candidate_index_of_lists_memory(count, labels));
		CheckStatus(ted_candidate_index_of_lists(
			search->in_order, count, labels, search->shared->lists, search->shared->parts,
			search->shared->signature, &arena, &search->index));
	}
	else
	{
		search->added = (TedIndexedTrees){0};
		for (int32 i = 0; i < count; i++)
			ted_count_tree(&search->added, search->in_order[i].size, search->in_order[i].limit);
		ArenaInit(&arena, ted_candidate_index_memory(&search->added, labels));
		CheckStatus(ted_candidate_index(search->in_order, count, labels, &arena, &PgInterrupt,
										&search->index));
	}
	if (search->json)
		ted_candidates_in_any_order(search->index);
	if (search->model != NULL)
		ted_candidates_refuse(search->index, RefuseByModel, search);
	else if (search->join->elsewhere != NULL)
		ted_candidates_refuse(search->index, RefuseElsewhere, search);
	ArenaInit(&arena, ted_traversals_memory(labels));
	CheckStatus(ted_traversals(labels, &arena, &search->traversals));
	search->candidates = palloc_extended(sizeof(TedCandidate) * (Size) count, MCXT_ALLOC_HUGE);
	search->verdicts = palloc_extended(sizeof(Verdict) * (Size) count, MCXT_ALLOC_HUGE);
}

/* Adapts what filters see of each indexed tree to all of the indexed trees. */
static void
KeepModelTrees(TreeSearch *search)
{
	ModelTreesKeep(search->model);
	for (int32 i = 0; i < JoinTreesCount(search->indexed); i++)
	{
		JoinTree *tree = JoinTreesGet(search->indexed, i);

		CheckInterrupts();
		ModelTreesFinish(search->model, tree->by_model);
		tree->totals = ModelTreesTotals(search->model, tree->compared);
	}
}

/* Indexes the trees added. */
static void
IndexSearchedTrees(void *arg)
{
	TreeSearch *search = arg;
	JoinPipeline *join = search->join;
	int32 count = JoinTreesCount(search->indexed);
	SortedTrees sorted = {.trees = search->indexed, .number = join->by_size, .count = count};
	Size room;

	if (search->model != NULL)
		KeepModelTrees(search);
	if (!search->json && search->model == NULL)
		search->gpu = GpuSearchOpen(&join->threshold, &sorted, LabelCount(search), join->team,
									&join->counts->engine);
	if (search->gpu == NULL)
		MakeIndex(search);
	/* a batch is full when the candidates of a probe have been added */
	room = PAIRS_PER_BATCH + (Size) count;
	search->waiting = palloc_extended(sizeof(WaitingPair) * room, MCXT_ALLOC_HUGE);
	search->pairs = palloc_extended(sizeof(TedPair) * room, MCXT_ALLOC_HUGE);
	search->distances = palloc_extended(sizeof(int32) * room, MCXT_ALLOC_HUGE);
	SessionKeepTrees(search->session);
	search->probes = MakeTrees(search, search->indexed, NULL);
}

/* Passes a pair on to the caller. */
static void
Found(TreeSearch *search, int32 probe, int32 indexed, int32 distance)
{
	int32 size = 0;
	int32 indexed_size = 0;

	/* looking for sizes takes time where pairs come by the million */
	if (search->join->distances_wanted)
	{
		const JoinTree *a = JoinTreesGet(search->searched, probe);
		const JoinTree *b = JoinTreesGet(search->indexed, indexed);

		/* those of trees that are compared fit, as their distance does */
		size = search->model == NULL ? a->tree->size : (int32) a->totals.delete_all;
		indexed_size = search->model == NULL ? b->tree->size : (int32) b->totals.insert_all;
	}
	PairFound(search->join, probe, indexed, distance, Max(size, indexed_size),
			  Min(size, indexed_size));
}

/* Part of the latest candidates that wait for distances. */
static double
TreeWaitingPart(const void *arg)
{
	const TreeSearch *search = arg;
	double candidates = (double) (search->join->counts->labels - search->settled_labels);
	double computed = (double) SessionComputed(search->session);

	if (search->pair_count == 0 || candidates <= 0)
		return 0;
	return Min(search->waiting_count * (1 - computed / search->pair_count) / candidates, 1);
}

/* Computes the distances that pairs wait for. */
static void
ComputeWaiting(TreeSearch *search)
{
	if (search->pair_count == 0)
		return;
	SessionCompute(search->session, search->pairs, search->pair_count, search->distances);
	search->join->counts->batches++;
	for (int32 i = 0; i < search->waiting_count; i++)
	{
		const WaitingPair *waiting = &search->waiting[i];
		int32 distance = Min(search->distances[waiting->verdict.pair], waiting->verdict.distance);

		if (distance != TED_BEYOND)
			Found(search, waiting->probe, waiting->indexed, distance);
	}
	search->waiting_count = 0;
	search->pair_count = 0;
}

/* Computes the distances of all waiting candidates. */
static void
VerifyBatch(TreeSearch *search)
{
	ComputeWaiting(search);
	NoteSettled(search->join);
	search->settled_labels = search->join->counts->labels;
}

/* Makes room for the bounds of a pair. */
static void
ReserveBoundScratch(TreeSearch *search, int32 size_a, int32 size_b, int32 max_distance)
{
	int32 larger = Max(size_a, size_b);

	ArenaReserve(&search->scratch, CurrentMemoryContext,
				 Max(ted_greedy_mapping_memory(size_a, size_b),
					 ted_traversal_bound_memory(size_a, size_b, &TED_UNIT_COSTS, max_distance)));
	if (larger > search->map_room)
	{
		if (search->map_room > 0)
		{
			pfree(search->map_a);
			pfree(search->map_b);
		}
		search->map_room = larger;
		search->map_a = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
		search->map_b = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	}
}

/* Lower bound of a candidate by its traversals, for which the probe may be turned into bits. */
static int32
TraversalBound(TreeSearch *search, const TedBoundsIndex *probe, const TedBoundsIndex *indexed,
			   int32 limit)
{
	int32 bound;

	if (!ted_traversals_pay(probe->size, indexed->size, limit))
	{
		CheckStatus(ted_traversal_bound(probe, indexed, &TED_UNIT_COSTS, limit, &search->scratch,
										&PgInterrupt, &bound));
		return bound;
	}
	if (!search->in_bits)
	{
		TedArena bits;

		ArenaReserve(&search->bits, CurrentMemoryContext, ted_traversals_start_memory(probe->size));
		bits = search->bits;
		CheckStatus(ted_traversals_start(search->traversals, probe, &bits, &PgInterrupt));
		search->in_bits = true;
	}
	CheckStatus(ted_traversals_bound(search->traversals, indexed, limit, &PgInterrupt, &bound));
	return bound;
}

/* Notes what the greedy mapping of a pair has taken, and what its upper bound has saved. */
static void
NoteGreedy(GreedyTrials *greedy, const TedTree *probe, const TedTree *indexed, int32 limit,
		   int32 settling, int32 upper)
{
	double computed = ted_pair_seconds(probe, indexed, &TED_UNIT_COSTS, limit);

	if (greedy->count == 2 * GREEDY_TRIALS)
	{
		greedy->count /= 2;
		greedy->taken /= 2;
		greedy->saved /= 2;
	}
	greedy->count++;
	greedy->taken += TED_GREEDY_NODE_TIME * 1e-9 * (probe->size + indexed->size);
	if (upper <= settling)
		greedy->saved += computed;
	else if (upper <= limit)
		greedy->saved += computed - ted_pair_seconds(probe, indexed, &TED_UNIT_COSTS, upper - 1);
}

/*
 * Upper bound of a candidate by its greedy mapping, TED_BEYOND above the limit or where
 * that is not worth trying; one that is not more than `settling` settles the pair.
 */
static int32
GreedyBound(TreeSearch *search, const TedBoundsIndex *probe, const TedBoundsIndex *indexed,
			int32 limit, int32 settling)
{
	GreedyTrials *greedy = &search->greedy;
	bool trial = greedy->count < GREEDY_TRIALS || ++greedy->pairs % GREEDY_SAMPLE == 0;
	int32 upper;

	if (!trial && greedy->saved < greedy->taken)
		return TED_BEYOND;
	CheckStatus(ted_greedy_mapping(probe, indexed, &TED_UNIT_COSTS, limit, &search->scratch,
								   &PgInterrupt, search->map_a, search->map_b, &upper));
	if (trial)
		NoteGreedy(greedy, probe->tree, indexed->tree, limit, settling, upper);
	return upper <= limit ? upper : TED_BEYOND;
}

/* Takes a candidate through the bounds; adds it to the pairs to be computed if need be. */
static Verdict
Judge(TreeSearch *search, int32 probe_number, const TedCandidate *candidate)
{
	int32 indexed_number = search->join->by_size[candidate->number];
	const TedBoundsIndex *probe = JoinTreesBounds(search->searched, probe_number);
	const TedBoundsIndex *indexed = JoinTreesBounds(search->indexed, indexed_number);
	int32 lower;
	int32 settling;
	int32 upper;

	ReserveBoundScratch(search, probe->size, indexed->size, candidate->limit);
	lower = TraversalBound(search, probe, indexed, candidate->limit);
	if (lower == TED_BEYOND)
		return (Verdict){.distance = TED_BEYOND, .pair = -1};
	settling = search->join->distances_wanted ? Max(lower, candidate->bound) : candidate->limit;
	upper = GreedyBound(search, probe, indexed, candidate->limit, settling);
	if (upper <= settling)
		return (Verdict){.distance = upper, .pair = -1};
	search->pairs[search->pair_count] =
		(TedPair){.a = JoinTreesGet(search->searched, probe_number)->number,
				  .b = JoinTreesGet(search->indexed, indexed_number)->number,
				  .limit = Min(candidate->limit, upper - 1)};
	return (Verdict){.distance = upper, .pair = search->pair_count++};
}

/* Whether a pair is out of reach by what renaming graded labels costs. */
static bool
RenamingCostsTooMuch(const TreeSearch *search, const TedTree *probe, const TedTree *indexed,
					 int32 limit)
{
	return CostModelIsGraded(search->join->model) && limit != TED_NO_LIMIT &&
		   ModelTreesBound(search->model, ted_rename_bound, probe, indexed, limit) > limit;
}

/* Whether a pair is out of reach by the operations between its trees as filters see them. */
static bool
TakesTooManyOperations(TreeSearch *search, int32 probe_number, const TedCandidate *candidate,
					   int32 limit)
{
	int32 indexed_number = search->join->by_size[candidate->number];
	const JoinTree *probe = JoinTreesGet(search->searched, probe_number);
	const JoinTree *indexed = JoinTreesGet(search->indexed, indexed_number);
	int32 least = search->join->threshold.least_cost;
	int32 operations;

	if (least == 0 || limit == TED_NO_LIMIT || probe->by_model->unfiltered)
		return false;
	operations = Min(limit / least, candidate->limit);
	if (operations < candidate->bound)
		return true;
	if (operations >= Max(probe->tree->size, indexed->tree->size))
		return false;
	ReserveBoundScratch(search, probe->tree->size, indexed->tree->size, operations);
	return TraversalBound(search, JoinTreesBounds(search->searched, probe_number),
						  JoinTreesBounds(search->indexed, indexed_number),
						  operations) == TED_BEYOND;
}

/* Compares a candidate by the model, unless filters refuse it. */
static Verdict
JudgeByModel(TreeSearch *search, int32 probe_number, const TedCandidate *candidate)
{
	int32 indexed_number = search->join->by_size[candidate->number];
	const JoinTree *probe = JoinTreesGet(search->searched, probe_number);
	const JoinTree *indexed = JoinTreesGet(search->indexed, indexed_number);
	int32 limit = CostLimit(search, probe, indexed);

	if (TakesTooManyOperations(search, probe_number, candidate, limit) ||
		RenamingCostsTooMuch(search, probe->compared, indexed->compared, limit))
		return (Verdict){.distance = TED_BEYOND, .pair = -1};
	search->pairs[search->pair_count] =
		(TedPair){.a = probe->number, .b = indexed->number, .limit = limit};
	return (Verdict){.distance = TED_BEYOND, .pair = search->pair_count++};
}

/* Passes a candidate on, or makes it wait. */
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

/* Forgets the kinds of labels, which may have gone with the probes that they came with. */
static void
ForgetJsonKinds(TreeSearch *search)
{
	if (search->json_kinds != NULL)
		pfree(search->json_kinds);
	search->json_kinds = NULL;
	search->json_labels = 0;
}

/* Finds the kinds of all labels, if they are not known. */
static void
FindJsonKinds(TreeSearch *search)
{
	const LabelTable *labels = SessionLabels(search->session);
	int32 count = LabelTableCount(labels);

	if (search->json_labels == count)
		return;
	ForgetJsonKinds(search);
	search->json_labels = count;
	search->json_kinds = MemoryContextAllocHuge(search->join->context, (Size) count);
	for (int32 id = 0; id < count; id++)
	{
		CheckInterrupts();
		search->json_kinds[id] = (uint8) JsonKindOfLabel(LabelTableGet(labels, id));
	}
}

/* Compares a probe with a candidate as JSON documents. */
static void
CompareJson(TreeSearch *search, int32 probe, const TedCandidate *candidate)
{
	int32 indexed = search->join->by_size[candidate->number];
	TedJson a = {JoinTreesGet(search->searched, probe)->tree, search->json_kinds};
	TedJson b = {JoinTreesGet(search->indexed, indexed)->tree, search->json_kinds};
	int32 distance = candidate->limit;
	ComparedTrees compared;

	CheckInterrupts();
	search->join->counts->verified++;
	BeginDecodedComparison(&compared, a.tree, b.tree, SessionLabels(search->session));
	if (search->join->distances_wanted)
		distance = JsonDistance(&a, &b, candidate->limit, 0);
	else if (!JsonWithin(&a, &b, candidate->limit, 0))
		distance = TED_BEYOND;
	EndComparison(&compared);
	if (distance != TED_BEYOND)
		Found(search, probe, indexed, distance);
}

/* Takes all indexed trees that come before `end` for candidates; returns how many these are. */
static int32
TakeAll(TreeSearch *search, int32 end, int32 limit, TedCandidateCounts *counts)
{
	for (int32 i = 0; i < end; i++)
		search->candidates[i] = (TedCandidate){.number = i, .limit = limit, .like = i};
	counts->window = counts->prefix = counts->label = end;
	return end;
}

/* Whether filters know nothing of a tree that is looked up. */
static bool
IsUnfiltered(const TreeSearch *search, int32 number)
{
	return search->model != NULL && JoinTreesGet(search->searched, number)->by_model->unfiltered;
}

/* Finds the indexed trees that come before `end` in their order and are within the threshold. */
static void
LookUp(TreeSearch *search, int32 probe_number, int32 end)
{
	JoinCounts *passed = search->join->counts;
	const TedTree *probe = JoinTreesGet(search->searched, probe_number)->tree;
	int32 limit = DistanceAllowed(&search->join->threshold, probe->size);
	TedCandidateCounts counts = {0};
	int32 count;

	CheckInterrupts();
	search->probe = probe_number;
	if (IsUnfiltered(search, probe_number))
		count = TakeAll(search, end, limit, &counts);
	else
	{
		ArenaReserve(&search->scratch, CurrentMemoryContext,
					 ted_candidates_memory(probe->size, limit));
		CheckStatus(ted_candidates(search->index, probe, limit, end, &search->scratch, &PgInterrupt,
								   search->candidates, &count, &counts));
	}
	passed->window += counts.window;
	passed->prefix += counts.prefix;
	passed->labels += counts.label;
	for (int32 i = 0; i < count; i++)
	{
		const TedCandidate *candidate = &search->candidates[i];
		int32 indexed = search->join->by_size[candidate->number];

		if (search->json)
		{
			CompareJson(search, probe_number, candidate);
			continue;
		}
		if (search->model != NULL)
		{
			Settle(search, probe_number, indexed, JudgeByModel(search, probe_number, candidate));
			continue;
		}
		search->verdicts[i] = candidate->like == i ? Judge(search, probe_number, candidate)
												   : search->verdicts[candidate->like];
		Settle(search, probe_number, indexed, search->verdicts[i]);
	}
	if (search->in_bits)
		ted_traversals_end(search->traversals);
	search->in_bits = false;
	if (search->waiting_count >= PAIRS_PER_BATCH)
		VerifyBatch(search);
}

/* Continues on the CPU, as the GPU has failed or has no memory. */
static void
LoseGpu(TreeSearch *search)
{
	GpuSearchClose(search->gpu);
	search->gpu = NULL;
	MakeIndex(search);
}

/* Adds what the GPU did with a range to the counts; what is left open counts later. */
static void
CountRange(JoinCounts *counts, const TedJoinRange *range)
{
	counts->window += range->window;
	counts->prefix += range->similar;
	counts->labels += range->labels;
	counts->settled += range->labels - range->computed;
	counts->verified += range->computed;
	counts->batches++;
}

/* Leaves a pair for a batch. */
static void
LeaveOpen(TreeSearch *search, int32 probe, int32 indexed)
{
	const JoinTree *a = JoinTreesGet(search->searched, probe);
	const JoinTree *b = JoinTreesGet(search->indexed, indexed);
	int32 limit = DistanceAllowed(&search->join->threshold, Max(a->tree->size, b->tree->size));

	search->join->counts->settled--;
	search->pairs[search->pair_count] = (TedPair){.a = a->number, .b = b->number, .limit = limit};
	Settle(search, probe, indexed, (Verdict){.distance = TED_BEYOND, .pair = search->pair_count++});
}

/*
 * Takes what the GPU has found, or as much as is enough; returns whether that was
 * all.  The probe at place `first` is the first one in the order `by_size`.
 */
static bool
TakeFound(TreeSearch *search, const int32 *by_size, int32 first)
{
	int64 enough = search->join->counts->found + MATCHES_PER_RUN;

	GpuSearchLookAfter(search->gpu);
	while (search->join->counts->found < enough)
	{
		const TedJoinPair *pair = GpuSearchNext(search->gpu);
		int32 probe;
		int32 indexed;

		if (pair == NULL)
		{
			VerifyBatch(search);
			return true;
		}
		probe = by_size[pair->probe - first];
		indexed = search->join->by_size[pair->indexed];
		if (IsElsewhere(search, probe, indexed))
			continue;
		if (pair->distance == TED_NO_DISTANCE)
			LeaveOpen(search, probe, indexed);
		else
			Found(search, probe, indexed, pair->distance);
		if (search->waiting_count >= PAIRS_PER_BATCH)
			VerifyBatch(search);
	}
	return false;
}

/* Compares trees on the GPU, from a place on; returns where to go on. */
static int32
RunOnGpu(TreeSearch *search, const int32 *by_size, int32 offset, int32 first, int32 end)
{
	if (!search->taking)
	{
		if (!GpuSearchRun(search->gpu, first, end))
		{
			LoseGpu(search);
			return first;
		}
		CountRange(search->join->counts, &search->gpu->range);
	}
	search->taking = !TakeFound(search, by_size, offset);
	return search->taking ? first : search->gpu->range.done;
}

/* Hands the probes to the GPU; false where it is lost. */
static bool
HandProbesOver(TreeSearch *search)
{
	SortedTrees sorted = {.trees = search->probes,
						  .number = search->join->probes_by_size,
						  .count = JoinTreesCount(search->probes)};

	if (!search->gpu_probes && !GpuSearchAddProbes(search->gpu, &sorted, LabelCount(search)))
	{
		LoseGpu(search);
		return false;
	}
	search->gpu_probes = true;
	return true;
}

/* Whether the GPU finds the pairs. */
static bool
HasGpu(const void *search)
{
	return ((const TreeSearch *) search)->gpu != NULL;
}

/* Finds the matches of trees at some places on the GPU; returns where to go on. */
static int32
FindOnGpu(TreeSearch *search, DocumentsSide side, int32 first, int32 end)
{
	int32 indexed = JoinTreesCount(search->indexed);

	if (side == JOIN_INDEXED)
		return RunOnGpu(search, search->join->by_size, 0, first, end);
	if (!HandProbesOver(search))
		return first;
	return RunOnGpu(search, search->join->probes_by_size, indexed, indexed + first, indexed + end) -
		   indexed;
}

/* Finds matches of trees at some places on the CPU, of indexed ones with those before them. */
static int32
FindOnCpu(TreeSearch *search, DocumentsSide side, int32 first, int32 end)
{
	JoinPipeline *join = search->join;
	const int32 *order = side == JOIN_INDEXED ? join->by_size : join->probes_by_size;
	int64 enough = join->counts->found + MATCHES_PER_RUN;
	int32 indexed = JoinTreesCount(search->indexed);

	if (search->json)
		FindJsonKinds(search);
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

/* Finds the matches of trees at some places; returns where to go on. */
static int32
FindTrees(void *arg, DocumentsSide side, int32 first, int32 end)
{
	TreeSearch *search = arg;

	search->searched = TreesOf(search, side);
	return search->gpu != NULL ? FindOnGpu(search, side, first, end)
							   : FindOnCpu(search, side, first, end);
}

/* Makes room for other probes. */
static void
ForgetTreeProbes(void *arg)
{
	TreeSearch *search = arg;

	if (search->gpu != NULL)
		GpuSearchForgetProbes(search->gpu);
	search->gpu_probes = false;
	ForgetJsonKinds(search);
	JoinTreesReset(search->probes);
	if (search->model != NULL)
		ModelTreesForget(search->model);
}

/*
 * Memory that the index of the trees added will take, and their bounds and batches of pairs.
 * Each member of a team has all but the lists for itself.
 */
static Size
TreeIndexMemory(const void *arg)
{
	const TreeSearch *search = arg;
	const Team *team = search->join->team;
	Size count = (Size) search->added.count;
	Size views = team == NULL ? 0 : (sizeof(JoinTree) + sizeof(TedTree)) * count;
	Size others = team == NULL ? 0 : (Size) TeamMembers(team) - 1;
	Size own = TREE_BYTES * count + views + search->bounds_bytes;
	Size index = ted_candidate_index_memory(&search->added, LabelCount(search));

	return PAIRS_PER_BATCH * BATCH_BYTES + own + index +
		   others * (own + ted_candidate_index_of_lists_memory(search->added.count, 0));
}

/* Approximate memory that a tree of a size takes with the index, besides its labels. */
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

/* Whether sizes allow two trees to be within a threshold. */
static bool
SizesMatch(const DocumentThreshold *threshold, int32 a, int32 b)
{
	return threshold->ignores || abs(a - b) <= DistanceAllowed(threshold, Max(a, b));
}

/* What trees have in common, however they are compared. */
#define TREE_DOCUMENTS                                                                             \
	.sizes_match = SizesMatch, .rarest_filter = "Rarest Labels", .labels_filter = "Labels",        \
	.open = OpenTreeSearch, .close = CloseTreeSearch, .add = AddSearchedTree, .count = CountTrees, \
	.size_of = SizeOf, .publish = PublishTrees, .build = BuildTrees, .numbers = TreeNumbers,       \
	.index = IndexSearchedTrees, .index_memory = TreeIndexMemory, .document_memory = TreeMemory,   \
	.find = FindTrees, .waiting = TreeWaitingPart, .forget_probes = ForgetTreeProbes

const DocumentKind TreeDocuments = {TREE_DOCUMENTS, .size = TreeSize, .list_nodes = ListTreeNodes,
									.bounds = "Bounds", .takes_all = HasGpu};
const DocumentKind JsonDocuments = {TREE_DOCUMENTS, .size = TreeSize, .list_nodes = ListTreeNodes};
