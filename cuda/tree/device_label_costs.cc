/*
 * device_label_costs.cc
 *	  Costs by label on a device.
 */
#include <algorithm>

#include "../../src/core/tree/label_traits.h"
#include "../common/card_tuning.h"
#include "device_label_costs.h"

/* The codes of symbols below this are in an array, all others in a hash table. */
constexpr uint32_t LOW_SYMBOLS = 1 << 14;

/* Makes room for an array on the device and starts to send it. */
template <class T>
static cudaError_t
send(const std::vector<T> &array, Block &to, cudaStream_t stream)
{
	const int64_t bytes = (int64_t) (sizeof(T) * array.size());
	cudaError_t status = to.reserve(std::max(bytes, (int64_t) 1));

	if (status == cudaSuccess && bytes > 0)
		status = cudaMemcpyAsync(to.as<void>(), array.data(), (size_t) bytes,
								 cudaMemcpyHostToDevice, stream);
	return status;
}

/* Forgets all kinds of labels and all trees. */
void
LabelCosts::forget_all()
{
	kinds.clear();
	codes.clear();
	low_code.clear();
	high_code.clear();
	code_count = 0;
	for (int i = 0; i < 2; i++)
	{
		node[i].clear();
		known_sum[i].clear();
	}
	table = {};
	one_way = false;
}

/* Returns the code of a symbol; a new symbol gets the next code. */
uint16_t
LabelCosts::code(uint32_t symbol)
{
	int32_t *known;

	if (low_code.empty())
		low_code.assign(LOW_SYMBOLS, -1);
	known =
		symbol < LOW_SYMBOLS ? &low_code[symbol] : &high_code.try_emplace(symbol, -1).first->second;
	if (*known < 0)
		*known = code_count++;
	return (uint16_t) *known;
}

/* Adds the new kinds of labels; returns false if their texts have too many different symbols. */
bool
LabelCosts::encode(const TedDeviceCosts &costs)
{
	for (int64_t i = (int64_t) codes.size(); i < costs.symbols; i++)
		codes.push_back(code(costs.symbol[i]));
	for (int32_t i = (int32_t) kinds.size(); i < costs.kinds; i++)
	{
		const TedDeviceKind &from = costs.of_kind[i];

		kinds.push_back({from.insert, from.delete_, from.rename, from.like, from.measure,
						 from.length, from.text, from.number});
		node[0].push_back(from.insert);
		node[1].push_back(from.delete_);
	}
	return code_count <= MOST_CODES;
}

/*
 * Makes room for the costs of renaming `count` kinds; sets `anew` if all costs must be computed
 * again.  If all do, there is room for as many kinds again, as far as memory allows.
 */
cudaError_t
LabelCosts::reserve_table(int32_t count, bool &anew)
{
	const int64_t memory = budget->limit / LABEL_MEMORY_PART;
	const bool was_one_way = one_way;
	bool wide = table.wide;
	int64_t capacity = table.kinds;
	cudaError_t status;

	for (int32_t i = 0; i < count; i++)
	{
		one_way |= kinds[i].insert != kinds[i].remove;
		wide |= std::max(kinds[i].insert, kinds[i].remove) > INT16_MAX;
	}
	const int64_t cell = (wide ? sizeof(int32_t) : sizeof(int16_t)) * (one_way ? 2 : 1);

	anew = count > capacity || wide != table.wide || one_way != was_one_way;
	if (!anew)
		return cudaSuccess;
	table = {};
	if (count > capacity)
		capacity = std::min(std::max(2 * (int64_t) count, LEAST_KINDS), MOST_KINDS);
	while (capacity > count && cell * capacity * (capacity + 1) > memory)
		capacity = std::max(capacity * 7 / 8, (int64_t) count);
	if (count > MOST_KINDS || cell * capacity * (capacity + 1) > memory)
		return cudaErrorMemoryAllocation;
	for (int i = 0; i < 2; i++)
		if (i == 0 || one_way)
		{
			status = renames[i].reserve(cell / (one_way ? 2 : 1) * capacity * (capacity + 1));
			if (status != cudaSuccess)
				return status;
			table.rename[i] = renames[i].as<void>();
		}
		else
			table.rename[i] = table.rename[0];
	table.wide = wide;
	table.kinds = (int32_t) capacity;
	return cudaSuccess;
}

/* Sends the labels as kernels see them: the kind, and a number within it. */
cudaError_t
LabelCosts::send_labels(const TedDeviceCosts &costs)
{
	std::vector<int32_t> numbered(costs.labels);
	std::vector<int32_t> next(costs.kinds, FIRST_NUMBER);
	cudaError_t status;

	static_assert(TED_LABELS_PER_KIND + FIRST_NUMBER <= 1 << NUMBER_BITS,
				  "the labels of a kind have numbers");
	kind.assign(costs.kind, costs.kind + costs.labels);
	for (int32_t label = 0; label < costs.labels; label++)
		if (kind[label] >= 0)
			numbered[label] = numbered_label(kind[label], next[kind[label]]++);
	status = send(numbered, labels, stream);
	table.label = labels.as<int32_t>();
	return status;
}

/* Sends the kinds, their texts, and the costs of removing the labels of rows. */
cudaError_t
LabelCosts::send_kinds()
{
	std::vector<int32_t> removed = node[1];
	cudaError_t status;

	removed.insert(removed.end(), node[0].begin(), node[0].end());
	status = send(removed, removals, stream);
	if (status == cudaSuccess)
		status = send(kinds, described, stream);
	if (status == cudaSuccess)
		status = send(codes, texts, stream);
	table.remove[0] = removals.as<int32_t>();
	table.remove[1] = table.remove[0] + node[1].size();
	return status;
}

/* Sends the order of the rows; fails if computing all of them would take too long. */
cudaError_t
LabelCosts::send_order()
{
	double words = 0;

	order.resize(kinds.size());
	symbols = (double) kinds.size();
	for (size_t i = 0; i < kinds.size(); i++)
	{
		order[i] = (int32_t) i;
		words += (double) pattern_words(kinds[i].length);
		symbols += kinds[i].length;
	}
	std::stable_sort(order.begin(), order.end(),
					 [this](int32_t a, int32_t b) { return kinds[a].length < kinds[b].length; });
	if (words * symbols > MOST_GRADE_STEPS ||
		(!kinds.empty() &&
		 grade_scratch_bytes(kinds[order.back()].length, code_count) > GRADE_SCRATCH))
		return cudaErrorMemoryAllocation;
	return send(order, in_order, stream);
}

/* Sets the costs, and starts to compute those of renaming. */
cudaError_t
LabelCosts::set(const TedDeviceCosts &costs, const int *cancel, cudaStream_t on)
{
	bool anew;
	cudaError_t status;

	if (costs.known == 0)
		forget_all();
	stream = on;
	if (!encode(costs))
		return cudaErrorMemoryAllocation;
	status = reserve_table(costs.kinds, anew);
	if (status == cudaSuccess)
		status = send_labels(costs);
	if (status == cudaSuccess)
		status = send_kinds();
	if (status == cudaSuccess)
		status = send_order();
	if (status != cudaSuccess)
		return status;
	work.kinds = described.as<GradedKind>();
	work.texts = texts.as<uint16_t>();
	work.codes = code_count;
	work.count = costs.kinds;
	work.known = anew ? 0 : costs.known;
	work.order = in_order.as<int32_t>();
	work.first = work.known == work.count ? work.count : 0;
	work.stride = table.kinds;
	work.wide = table.wide;
	work.rename[0] = (void *) table.rename[0];
	work.rename[1] = (void *) table.rename[1];
	work.cancel = cancel;
	return grade_next();
}

/* Starts to compute the next rows: as many as take some milliseconds and fit into memory. */
cudaError_t
LabelCosts::grade_next()
{
	double steps = 0;
	int32_t rows = 0;
	cudaError_t status = cudaSuccess;

	work.scratch_bytes = 0;
	for (int32_t row = work.first; row < work.count; row++, rows++)
	{
		const int64_t length = kinds[order[row]].length;
		const int64_t bytes = grade_scratch_bytes(length, work.codes);

		steps += (double) std::max(pattern_words(length), (int64_t) 1) * symbols;
		if (rows > 0 && (steps > GRADE_STEPS_AT_ONCE || bytes * (rows + 1) > GRADE_SCRATCH))
			break;
		work.scratch_bytes = bytes;
	}
	if (work.scratch_bytes > 0)
		status = scratch.reserve(work.scratch_bytes * rows);
	work.scratch = scratch.as<char>();
	if (status == cudaSuccess && rows > 0)
		status = grade_launch(work, rows, stream);
	work.first += rows;
	return status;
}

/* Polls the rows that are being computed, and starts the next ones. */
cudaError_t
LabelCosts::poll()
{
	cudaError_t status = cudaStreamQuery(stream);

	if (status == cudaSuccess && work.first < work.count)
	{
		status = grade_next();
		if (status == cudaSuccess)
			status = cudaErrorNotReady;
	}
	return status;
}

/* Forgets all trees but the first `count`. */
void
LabelCosts::forget(int32_t count)
{
	for (std::vector<int32_t> &known : known_sum)
		if (known.size() > (size_t) count)
			known.resize(count);
}

/* Returns the cost of inserting, or deleting, all nodes of a tree. */
int32_t
LabelCosts::sum(const TedTree &tree, int32_t number, bool deleted)
{
	std::vector<int32_t> &known = known_sum[deleted];

	if ((size_t) number >= known.size())
		known.resize(number + 1, -1);
	if (known[number] < 0)
	{
		known[number] = 0;
		for (int32_t x = 0; x < tree.size; x++)
			known[number] += node[deleted][kind[tree.label[x]]];
	}
	return known[number];
}
