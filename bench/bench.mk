# The benchmarks: the core as it is installed, the baselines with all that this processor has.

BASELINES = $(addprefix bench/,scs_row_wise.o scs_anti_diagonal.o lcs_tiled.o lcs_words.o)

# files of pairs of trees, one tree a line
BENCH_TREES ?=
BENCHES = ted lcs tile
BENCH_OBJECTS = $(addprefix build/plain/bench/,bench.o trees.o tile_model.o) \
	$(addprefix build/native/,bench/plain.o $(BASELINES))

build/bench_%: build/plain/bench/bench_%.o $(BENCH_OBJECTS) $(PLAIN_CORE)
	$(CC) -o $@ $^ -lm

build/native/%.o: %.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O3 -march=native $(DEPENDENCIES) -c -o $@ $<

# all of them
bench-programs: $(addprefix build/bench_,$(BENCHES) sql join candidates instructions)

bench: $(BENCHES:%=build/bench_%)
	./build/bench_ted $(BENCH_TREES)
	./build/bench_lcs
	./build/bench_tile
	./bench/plot.sh

# the core as the extension has it: other options of the compiler would count as overhead
build/bench_sql: $(addprefix build/plain/bench/,bench_sql.o bench.o trees.o tile_model.o) $(CORE:%=src/%.o)
	$(CC) -o $@ $^ -lm

bench-sql:
	./bench/sql.sh

build/bench_instructions: $(addprefix build/plain/bench/,bench_instructions.o bench.o trees.o) $(PLAIN_CORE)
	$(CC) -o $@ $^ -lm

build/arm64_bench_instructions: $(addprefix build/arm64/bench/,bench_instructions.o bench.o trees.o) $(ARM64_CORE)
	$(ARM64_CC) -o $@ $^ -lm

build/instruction_plugin.so: bench/instruction_plugin.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared -o $@ $<

bench-instructions:
	./bench/instructions.sh

bench-join:
	./bench/join.sh
	./bench/growth.sh

bench-engines:
	./bench/engines.sh

bench-fleet:
	./bench/fleet.sh

bench-search:
	./bench/search.sh

bench-statements:
	./bench/statements.sh
	./bench/spellings.sh

bench-strings: build/bench_candidates
	./bench/strings.sh
	./bench/string_index.sh
	/usr/bin/python3 bench/names.py 1000000 > build/names.tsv
	./build/bench_candidates build/names.tsv 0.8 10000 30000 100000 300000 1000000

bench-peers:
	./bench/peers.sh

build/gpu_levels: $(addprefix build/plain/bench/gpu/,gpu_levels.o gpu_pairs.o crossings.o limits.o) build/plain/bench/xted_model.o \
		build/cuda/bench/gpu/levels.cu.o $(GPU_OBJECTS)
	$(NVCC) $(NVCC_FLAGS) -o $@ $^

bench-gpu: build/gpu_levels build/lcs_gpu
	./bench/gpu.sh $(BENCH_TREES)
	./bench/plot.sh

.PHONY: bench bench-engines bench-fleet bench-gpu bench-instructions bench-join bench-peers bench-programs bench-search bench-sql bench-statements bench-strings
