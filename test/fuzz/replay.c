/*
 * replay.c
 *	  Replays files in a fuzzer, for compilers without libFuzzer.
 *
 * A file that fails aborts the program before it prints its line of TAP.
 */
#include "bytes.h"

int
main(int argc, char **argv)
{
	static uint8_t data[1 << 16];

	for (int i = 1; i < argc; i++)
	{
		FILE *file = fopen(argv[i], "rb");
		size_t size;
		uint8_t *exact;

		require(file != NULL, "cannot open %s", argv[i]);
		size = fread(data, 1, sizeof(data), file);
		fclose(file);
		exact = malloc(size + (size == 0));
		memcpy(exact, data, size);
		LLVMFuzzerTestOneInput(exact, size);
		free(exact);
	}
	printf("ok 1 - %s: %d inputs\n1..1\n", argv[0], argc - 1);
	return 0;
}
