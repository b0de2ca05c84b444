# The tests: the core's, without a server; a card's; the suites.  The object of X.c is build/VARIANT/X.o.

CORE = $(patsubst src/%.c,%,$(wildcard src/core/*/*.c src/core/*/*/*.c))
CORE_OBJECTS = $(CORE:%=src/%.o) \
	src/engine/cpu.o $(addprefix src/engine/gpu/,device_costs.o device_join.o gpu.o gpu_open.o gpu_strings.o gpu_time.o \
		shared_batch.o shared_join.o)
PLAIN_CORE = $(addprefix build/plain/,$(CORE_OBJECTS))
SANITIZED_CORE = $(addprefix build/sanitized/,$(CORE_OBJECTS))

CORE_CFLAGS = -std=c11 -O2 -g -Wall -Wextra -Werror $(DEPENDENCIES)
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all

build/plain/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CORE_CFLAGS) -c -o $@ $<

# compiled in half of the time of -O2, and hardly slower
build/sanitized/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CORE_CFLAGS) -O1 $(SANITIZE) -c -o $@ $<

# programs read files by getline()
build/plain/bench/%.o build/plain/test/gpu/%.o: CORE_CFLAGS += -std=gnu11

build/fake/%.o: %.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Werror $(DEPENDENCIES) -fPIC $(PG_CPPFLAGS) -c -o $@ $<

.SECONDARY:
-include $(shell find build -name '*.d' 2>/dev/null)

# What clang says of the extension's files.

build/clang/%.checked: %.c
	@mkdir -p $(@D)
	clang $(filter-out -fexcess-precision=% -flto% -ffat-lto-objects,$(CPPFLAGS) $(CFLAGS)) \
		-Wno-unknown-warning-option -Wno-ignored-optimization-argument -MT $@ -MF $(@:.checked=.d) -fsyntax-only $<
	@touch $@

check-clang: $(OBJS:%.o=build/clang/%.checked)

# The core's own tests, each plain and under the sanitizers; then the fuzzers' seeds.  Plain tests link the extension's
# objects, where there is PostgreSQL.

CORE_TESTS = $(patsubst test/core/test_%.c,%,$(wildcard test/core/test_*.c))
FUZZERS = ted lcs
# what a test needs beside the core
TESTED_baselines = $(BASELINES) bench/tile_model.o
TESTED_gpu_time = bench/xted_model.o
TESTED_gpu = test/gpu/fake.o
# what it is compared with, never sanitized
AGAINST_adaptive = bench/plain.o
AGAINST_heavy_strip = bench/plain.o
TESTED_CORE = $(if $(wildcard $(PGXS)),$(CORE_OBJECTS),$(PLAIN_CORE))

.SECONDEXPANSION:
$(CORE_TESTS:%=build/test_%): build/test_%: build/plain/test/core/test_%.o $(TESTED_CORE) \
		$$(addprefix build/plain/,$$(TESTED_$$*) $$(AGAINST_$$*))
	$(CC) -o $@ $^ -lm

$(CORE_TESTS:%=build/sanitized_%): build/sanitized_%: build/sanitized/test/core/test_%.o $(SANITIZED_CORE) \
		$$(addprefix build/sanitized/,$$(TESTED_$$*)) $$(addprefix build/plain/,$$(AGAINST_$$*))
	$(CC) $(SANITIZE) -o $@ $^ -lm

$(FUZZERS:%=build/replay_%): build/replay_%: $(addprefix build/sanitized/test/fuzz/,fuzz_%.o replay.o) $(SANITIZED_CORE)
	$(CC) $(SANITIZE) -o $@ $^ -lm

# The tests as they are and under the sanitizers, or one of these.
CORE_KINDS = test sanitized
CORE_RUNS = $(foreach kind,$(CORE_KINDS),$(CORE_TESTS:%=run-$(kind)_%))
REPLAYS = $(if $(filter sanitized,$(CORE_KINDS)),$(addprefix run-replay_,$(FUZZERS)))

core-tests: $(patsubst run-%,build/%,$(CORE_RUNS) $(REPLAYS))

$(CORE_RUNS): run-%: build/%
	@echo "# $<"; ./$<

$(FUZZERS:%=run-replay_%): run-replay_%: build/replay_%
	@echo "# $<"; ./$< test/fuzz/seeds/$*/*

# On all processors; each test's output is whole, and one that fails does not end the others.
check-core:
	@$(MAKE) -s -j$(JOBS) -k --output-sync $(CORE_RUNS) $(REPLAYS)

JOBS = $(shell nproc)

# The same tests for 64-bit Arm, compiled here and run by qemu, under which LeakSanitizer does not work; those of the
# kernels also under the other sanitizers.

ARM64_CC = aarch64-linux-gnu-gcc
ARM64_RUN = ASAN_OPTIONS=detect_leaks=0 qemu-aarch64 -L /usr/aarch64-linux-gnu
ARM64_CORE = $(addprefix build/arm64/,$(CORE_OBJECTS))
ARM64_SANITIZED_CORE = $(addprefix build/arm64_sanitized/,$(CORE_OBJECTS))
ARM64_SANITIZED_TESTS = lcs lcs_batch lcs_candidates ted topk

build/arm64/bench/%.o: CORE_CFLAGS += -std=gnu11

build/arm64/%.o: %.c
	@mkdir -p $(@D)
	$(ARM64_CC) $(CORE_CFLAGS) -c -o $@ $<

build/arm64_sanitized/%.o: %.c
	@mkdir -p $(@D)
	$(ARM64_CC) $(CORE_CFLAGS) $(SANITIZE) -c -o $@ $<

$(CORE_TESTS:%=build/arm64_test_%): build/arm64_test_%: build/arm64/test/core/test_%.o $(ARM64_CORE) \
		$$(addprefix build/arm64/,$$(TESTED_$$*) $$(AGAINST_$$*))
	$(ARM64_CC) -o $@ $^ -lm

$(CORE_TESTS:%=build/arm64_sanitized_%): build/arm64_sanitized_%: build/arm64_sanitized/test/core/test_%.o $(ARM64_SANITIZED_CORE) \
		$$(addprefix build/arm64_sanitized/,$$(TESTED_$$*)) $$(addprefix build/arm64/,$$(AGAINST_$$*))
	$(ARM64_CC) $(SANITIZE) -o $@ $^ -lm

ARM64_RUNS = $(addprefix run-arm64_test_,$(CORE_TESTS)) $(addprefix run-arm64_sanitized_,$(ARM64_SANITIZED_TESTS))

$(ARM64_RUNS): run-%: build/%
	@echo "# $<"; $(ARM64_RUN) $<

check-core-arm64:
	@$(MAKE) -s -j$(JOBS) -k --output-sync $(ARM64_RUNS)

# A GPU module that computes on the CPU and fails where tests tell it to.

build/ted_fake.so: $(addprefix build/fake/,test/gpu/fake.o test/gpu/fake_sql.o) $(CORE:%=src/%.o)
	$(CC) -shared -Wl,-Bsymbolic -o $@ $^

# Fuzzing, with clang: bytes decode to pairs, on which the core is compared with the textbook algorithms.

FUZZ_SECONDS = 60

build/fuzz/%.o: %.c
	@mkdir -p $(@D)
	clang $(CORE_CFLAGS) -fsanitize=fuzzer $(SANITIZE) -c -o $@ $<

build/fuzz_%: build/fuzz/test/fuzz/fuzz_%.o $(CORE:%=build/fuzz/src/%.o)
	clang -fsanitize=fuzzer $(SANITIZE) -o $@ $^ -lm

fuzz: $(FUZZERS:%=build/fuzz_%)
	@for f in $(FUZZERS); do \
		mkdir -p build/corpus/$$f; \
		./build/fuzz_$$f -max_total_time=$(FUZZ_SECONDS) -max_len=200 -timeout=20 \
			-print_final_stats=1 -artifact_prefix=build/$$f- \
			build/corpus/$$f test/fuzz/seeds/$$f || exit 1; \
	done

# Programs for a GPU, with CUDA; each kernel is compiled once, for them and for the module.

build/lcs_gpu: $(patsubst %,build/cuda/%.cu.o,$(addprefix test/gpu/,lcs_gpu lcs_check) \
		$(addprefix bench/gpu/,lcs_bench scs_row_wise lcs_tiled)) build/plain/bench/tile_model.o \
		$(filter build/cuda/cuda/string/%.cu.o,$(CUDA_MODULE)) $(PLAIN_CORE)
	$(NVCC) $(NVCC_FLAGS) -o $@ $^

GPU_OBJECTS = build/plain/test/gpu/card.o build/plain/bench/trees.o $(CUDA_MODULE) $(PLAIN_CORE)

build/gpu_ted build/gpu_join build/gpu_string_join: build/gpu_%: build/plain/test/gpu/gpu_%.o $(GPU_OBJECTS)
	$(NVCC) $(NVCC_FLAGS) -o $@ $^

gpu-programs: build/lcs_gpu build/gpu_ted build/gpu_join build/gpu_string_join build/gpu_levels

# On a card: the module alone, then inside a server of its own.
test-gpu: gpu-programs
	test/with-server.sh test/gpu/run.sh

# Faults of the module that these have to find.
test-gpu-planted: gpu-programs
	./test/gpu/planted.sh

# The suites, with servers of their own.

test:
	./test/run.sh short

test-all:
	./test/run.sh all

lint:
	./test/lint.sh

coverage:
	./test/coverage.sh

HOURS = 8
test-endurance:
	PG_CONFIG="$(PG_CONFIG)" ./test/endurance.sh $(HOURS)

MINUTES = 60
test-concurrency: install
	PG_CONFIG="$(PG_CONFIG)" ./test/concurrency.sh $(MINUTES)

# Faults that this has to find.
test-concurrency-planted:
	PG_CONFIG="$(PG_CONFIG)" PLANTED=1 ./test/concurrency.sh 1

test-upgrade:
	./test/upgrade.sh

# The scripts of earlier releases have to be the same.
freeze:
	[ ! -e test/frozen.sha256 ] || sha256sum --check --quiet test/frozen.sha256
	sha256sum $(sort $(DATA)) > test/frozen.sha256

# The regression tests under valgrind; ONLY names some of them.
test-valgrind:
	PG_CONFIG="$(PG_CONFIG)" ./test/valgrind.sh $(ONLY)

test-citus: install
	PG_CONFIG="$(PG_CONFIG)" ./test/citus.sh

# Servers of several versions: SERVERS="/opt/postgresql-14 /opt/postgresql-17".
test-versions:
	./test/versions.sh $(SERVERS)

test-pg-upgrade:
	./test/pg_upgrade.sh $(SERVERS)

test-package: dist
	./test/package.sh

# Hostile SQL for so long, against a copy of the server; with SANITIZE=1, under the sanitizers.
SECONDS = 3600
test-hostile:
	./test/hostile/scratch.sh $(if $(filter 1,$(SANITIZE)),-s) \
		test/with-server.sh python3 test/hostile/run.py $(SECONDS)

# Faults that the suite has to find.
test-hostile-planted:
	./test/hostile/planted.sh

# Faults of joins that the random tests have to find.
test-random-planted:
	./test/random/planted.sh

.PHONY: check-clang check-core check-core-arm64 core-tests coverage freeze fuzz gpu-programs lint $(CORE_RUNS) $(REPLAYS) $(ARM64_RUNS) \
	test test-all test-citus test-concurrency test-concurrency-planted test-endurance test-gpu test-gpu-planted test-hostile \
	test-hostile-planted test-package test-pg-upgrade test-random-planted test-upgrade test-valgrind test-versions
