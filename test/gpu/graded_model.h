/*
 * graded_model.h
 *	  Random costs by label, made of the traits of label_traits.h.
 *
 * A label has the traits of its group, which is its remainder by the number of groups.  Some
 * labels are like another one.
 */
#ifndef TED_TEST_GPU_GRADED_MODEL_H
#define TED_TEST_GPU_GRADED_MODEL_H

#include <string.h>

#include "../core/random.h"
#include "plain_grade.h"

#define MODEL_GROUPS 4000
#define MODEL_SYMBOLS 2000000

typedef struct GradedModel
{
	int32_t groups;
	int32_t like_in; /* one of this number of labels is like the one before; 0 for none */
	TedLabelTraits traits[MODEL_GROUPS];
	uint32_t symbols[MODEL_SYMBOLS];
	int32_t symbol_count;
	int32_t *insert; /* cost by label */
	int32_t *delete_;
	int32_t *rename; /* [groups][groups], or -1 */
	TedLabelCosts labels;
} GradedModel;

/* The properties of a model; costs are between `least` and `most`, times a unit. */
typedef struct ModelShape
{
	TedUniformCosts least;
	TedUniformCosts most;
	int32_t unit;
	int32_t groups;
	int32_t labels;
	int32_t graded_in; /* one of this number of labels is graded; 0 for none */
	int32_t length;    /* greatest length of texts */
	uint32_t alphabet;
	bool equal; /* insertions cost what deletions do */
	bool never; /* some labels are never renamed */
	bool alike; /* some are like another one */
} ModelShape;

/* Returns the number of the first of the labels that are like a label. */
static inline int32_t
first_alike(const GradedModel *model, int32_t label)
{
	bool is_alike = model->like_in > 0 && label % model->like_in == model->like_in - 1;

	return is_alike ? label - 1 : label;
}

/* Returns the cost of a rename by a model. */
static inline int32_t
rename_by_model(void *context, int32_t from, int32_t to)
{
	GradedModel *model = context;
	int32_t a = from % model->groups;
	int32_t b = to % model->groups;
	int32_t *known = &model->rename[(size_t) a * (size_t) model->groups + (size_t) b];

	if (first_alike(model, from) == first_alike(model, to))
		return 0;
	if (*known < 0)
		*known = plain_rename(&model->traits[a], &model->traits[b],
							  model->delete_[from] + model->insert[to] + 1);
	return *known;
}

/* Describes the costs of a model by the traits of its labels. */
static inline void
traits_by_model(void *context, int32_t label, TedLabelTraits *traits)
{
	const GradedModel *model = context;
	int32_t alike = first_alike(model, label);

	*traits = model->traits[label % model->groups];
	traits->like = alike == label ? -1 : alike;
}

/* Returns a random number from one to another one. */
static inline int32_t
random_between(int32_t least, int32_t most)
{
	return least + (int32_t) random_below((uint32_t) (most - least + 1));
}

/* Returns the traits of a group. */
static inline TedLabelTraits
random_traits(GradedModel *model, const ModelShape *shape)
{
	TedLabelTraits traits = {.rename = random_between(shape->least.rename, shape->most.rename) *
									   shape->unit,
							 .like = -1};

	if (shape->never && random_below(8) == 0)
		traits.rename = TED_NEVER_RENAMED;
	if (shape->graded_in == 0 || random_below((uint32_t) shape->graded_in) > 0)
		return traits;
	traits.is_number = random_below(6) == 0;
	traits.number = (double) random_between(-20, 1000) / (random_below(2) == 0 ? 1 : 7);
	traits.measure = (TedTextMeasure) (1 + random_below(TED_TEXT_MEASURES - 1));
	traits.text = model->symbols + model->symbol_count;
	traits.length = ted_min((int32_t) random_below((uint32_t) shape->length + 1),
							MODEL_SYMBOLS - model->symbol_count);
	if (random_below(2) == 0)
		traits.length = ted_min(traits.length, 10);
	for (int32_t i = 0; i < traits.length; i++)
		model->symbols[model->symbol_count++] = random_below(shape->alphabet) * 37 + 5;
	return traits;
}

/* Makes a model at a fixed address, in place of another one or of none. */
static inline TedCosts
make_graded_model(GradedModel *model, const ModelShape *shape)
{
	size_t pairs = (size_t) shape->groups * (size_t) shape->groups;
	TedUniformCosts most = {shape->most.insert * shape->unit, shape->most.delete_ * shape->unit,
							shape->most.rename * shape->unit};

	most.rename = ted_max(most.rename, most.insert + most.delete_ + 1);
	model->groups = shape->groups;
	model->like_in = shape->alike ? random_between(2, 9) : 0;
	model->symbol_count = 0;
	for (int32_t group = 0; group < shape->groups; group++)
		model->traits[group] = random_traits(model, shape);
	model->insert = realloc(model->insert, sizeof(int32_t) * (size_t) shape->labels);
	model->delete_ = realloc(model->delete_, sizeof(int32_t) * (size_t) shape->labels);
	for (int32_t label = 0; label < shape->labels; label++)
	{
		int32_t group = label % shape->groups;

		if (label == group)
		{
			model->insert[label] =
				random_between(shape->least.insert, shape->most.insert) * shape->unit;
			model->delete_[label] =
				random_between(shape->least.delete_, shape->most.delete_) * shape->unit;
		}
		else
		{
			model->insert[label] = model->insert[group];
			model->delete_[label] = model->delete_[group];
		}
		if (shape->equal)
			model->delete_[label] = model->insert[label];
	}
	if (shape->equal)
		most.insert = most.delete_ = ted_max(most.insert, most.delete_);
	model->rename = realloc(model->rename, sizeof(int32_t) * pairs);
	memset(model->rename, -1, sizeof(int32_t) * pairs);
	model->labels = (TedLabelCosts){.insert = model->insert,
									.delete_ = model->delete_,
									.rename = rename_by_model,
									.traits = traits_by_model,
									.context = model,
									.most = most};
	return (TedCosts){.labels = &model->labels};
}

#endif /* TED_TEST_GPU_GRADED_MODEL_H */
