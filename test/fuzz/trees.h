/*
 * trees.h
 *	  Decodes bytes to trees.
 *
 * A tree is a list of codes, one for each node in postorder.  A code is a
 * label and the number of trees made last that become the node's children; the
 * last node takes all that are left.  Thus every list decodes to a tree.
 */
#ifndef TED_TEST_FUZZ_TREES_H
#define TED_TEST_FUZZ_TREES_H

#include "bytes.h"

#define MAX_NODES 60

typedef struct FuzzTree
{
	TedTree tree;
	int32_t code_count;
	uint8_t code[MAX_NODES];
	int32_t label[MAX_NODES];
	int32_t subtree_size[MAX_NODES];
	int32_t depth[MAX_NODES];
	int32_t key_root[MAX_NODES];
} FuzzTree;

/* Makes the tree of the codes. */
static inline void
make_tree(FuzzTree *t)
{
	int32_t stack[MAX_NODES];
	int32_t top = 0;

	for (int32_t x = 0; x < t->code_count; x++)
	{
		int32_t children = x == t->code_count - 1 ? top : t->code[x] >> 3;

		t->label[x] = t->code[x] & 7;
		t->subtree_size[x] = 1;
		for (; children > 0 && top > 0; children--)
			t->subtree_size[x] += t->subtree_size[stack[--top]];
		stack[top++] = x;
	}
	t->tree = (TedTree){.size = t->code_count, .label = t->label, .subtree_size = t->subtree_size};
	ted_tree_index(&t->tree, t->depth, t->key_root, &(TedInterrupt){0});
}

/* Reads the codes of a tree of at least one node. */
static inline void
take_codes(Bytes *bytes, FuzzTree *t)
{
	t->code_count = 1 + take(bytes) % MAX_NODES;
	for (int32_t x = 0; x < t->code_count; x++)
		t->code[x] = take(bytes);
}

/* Edits codes until the bytes run out: inserts one, deletes one or replaces one. */
static inline void
edit_codes(Bytes *bytes, FuzzTree *t)
{
	while (bytes->left > 0)
	{
		uint8_t edit = take(bytes);
		int32_t x = (edit & 63) % t->code_count;
		size_t behind = (size_t) (t->code_count - x - 1);

		if (edit >> 6 == 0 && t->code_count < MAX_NODES)
		{
			memmove(t->code + x + 1, t->code + x, behind + 1);
			t->code_count++;
			t->code[x] = take(bytes);
		}
		else if (edit >> 6 == 1 && t->code_count > 1)
		{
			memmove(t->code + x, t->code + x + 1, behind);
			t->code_count--;
		}
		else
			t->code[x] = take(bytes);
	}
}

#endif /* TED_TEST_FUZZ_TREES_H */
