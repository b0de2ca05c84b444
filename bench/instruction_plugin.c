/*
 * instruction_plugin.c
 *	  A plugin of qemu-user that counts the instructions of a program, and prints them at its end.
 *
 * Debian's qemu-user loads plugins, but no package has qemu-plugin.h: what is used of it is
 * declared here (version 1 of the interface).
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define ADD_UINT64 0 /* QEMU_PLUGIN_INLINE_ADD_U64 */

typedef uint64_t PluginId;
typedef struct Block Block; /* struct qemu_plugin_tb */

extern void qemu_plugin_register_vcpu_tb_trans_cb(PluginId id,
												  void (*callback)(PluginId id, Block *block));
extern size_t qemu_plugin_tb_n_insns(const Block *block);
extern void qemu_plugin_register_vcpu_tb_exec_inline(Block *block, int operation, void *counter,
													 uint64_t number);
extern void qemu_plugin_register_atexit_cb(PluginId id, void (*callback)(PluginId id, void *arg),
										   void *arg);

extern int qemu_plugin_version;
extern int qemu_plugin_install(PluginId id, const void *info, int argc, char **argv);

int qemu_plugin_version = 1;

static uint64_t instructions;

/* Makes a translated block add its instructions whenever it runs. */
static void
count_block(PluginId id, Block *block)
{
	(void) id;
	qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_UINT64, &instructions,
											 qemu_plugin_tb_n_insns(block));
}

/* Prints the sum. */
static void
print_sum(PluginId id, void *arg)
{
	(void) id;
	(void) arg;
	fprintf(stderr, "instructions: %" PRIu64 "\n", instructions);
}

/* Called by qemu. */
int
qemu_plugin_install(PluginId id, const void *info, int argc, char **argv)
{
	(void) info;
	(void) argc;
	(void) argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, count_block);
	qemu_plugin_register_atexit_cb(id, print_sum, NULL);
	return 0;
}
