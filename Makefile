# ted: approximate matching of trees and strings in PostgreSQL
#
#   make, make install, make installcheck   build, install, regression tests (PG_CONFIG=...)
#   make CUDA=1, make CUDA=1 install        the same with the GPU module
#   make demo                               the main job on real XML and JSON, from nothing, with a page at the end
#   make test                               what a change can break, in minutes; test-all, more of it and for longer
#   make check-core                         the core's own tests, without PostgreSQL
#   make check-core-arm64                   the same for 64-bit Arm, under qemu
#   make lint                               what static checkers say
#   make coverage                           lines and branches of src that make test reaches
#   make bench                              the core against published algorithms
#   make bench-sql                          calls through SQL against the core
#   make bench-instructions                 instructions a cell, by AVX2 and on 64-bit Arm
#   make bench-join                         joins of real documents against a plain program, and of many records
#   make bench-engines                      joins by one core, by processes and by a GPU
#   make bench-fleet                        joins by workers of Citus, WORKERS of them
#   make bench-statements                   statements and spellings against other plans
#   make bench-strings                      strings, pairs and indexes, against fuzzystrmatch and pg_trgm
#   make test-gpu, make bench-gpu           the GPU module on a card, installed by CUDA=1
#   make test-hostile                       hostile SQL as an ordinary user, SECONDS=3600, SANITIZE=1
#   make fuzz                               the core on invented input, FUZZ_SECONDS=60 each
#   make test-valgrind ONLY="..."           the regression tests, or some of them, under valgrind
#   make test-endurance HOURS=8             fuzzers, hostile, random and concurrent tests under sanitizers; goes on where it stopped
#   make test-concurrency MINUTES=60        scans of one snapshot while others write, vacuum, reindex and crash
#   make test-upgrade                       upgraded databases against fresh ones
#   make freeze                             records checksums of the scripts of a release, which must not change from then on
#   make test-pg-upgrade SERVERS="OLD NEW"  pg_upgrade from one PostgreSQL to another
#   make test-citus                         joins by the workers of Citus, where PostgreSQL has it
#   make test-versions SERVERS="..."        the suites against servers of other versions
#   make dist                               the archive of the last commit for PGXN, in build/dist; MAINTAINER=, HOMEPAGE=
#   make test-package                       Debian packages from that archive, in a bare Debian 12; as root

EXTENSION = ted ted_distributed
TED_VERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" ted.control)
DATA = $(wildcard ted--*.sql ted_distributed--*.sql)
MODULE_big = ted

CORE = $(patsubst src/%.c,%,$(wildcard src/core/*/*.c src/core/*/*/*.c))
OBJS = $(patsubst %.c,%.o,$(wildcard src/*.c src/*/*.c src/*/*/*.c src/*/*/*/*.c))

# the compilers write which headers an object depends on
DEPENDENCIES = -MMD -MP

TESTS = $(patsubst sql/%.sql,%,$(wildcard sql/*.sql))
REGRESS = setup $(filter-out setup,$(TESTS))
REGRESS_OPTS = --inputdir=. --encoding=UTF8
# PostgreSQL 14 has no MERGE
ISOLATION = $(filter-out $(if $(filter 14,$(MAJORVERSION)),merge), \
	$(patsubst test/isolation/specs/%.spec,%,$(wildcard test/isolation/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test/isolation --load-extension=ted

# The GPU module: make CUDA=1 builds and installs it beside the extension.
CUDA_OBJS = $(addprefix src/,core/tree/tree.o core/tree/mirror.o engine/gpu/gpu_time.o)
NVCC ?= $(firstword $(wildcard /usr/local/cuda/bin/nvcc) nvcc)
NVCC_COMMON = --std=c++17 -Xcompiler -fPIC -cudart static -gencode arch=compute_90,code=compute_90
NVCC_FLAGS = -O3 $(NVCC_COMMON) -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
NVCC_QUICK = -O1 -Xcicc -O0 $(NVCC_COMMON)
CUDA_MODULE = $(patsubst %,build/cuda/%.o,$(wildcard cuda/*.cc cuda/*/*.cc cuda/*/*.cu))
EXTRA_CLEAN = build ted_cuda.so $(OBJS:.o=.d)

PG_CONFIG ?= $(firstword $(wildcard /usr/lib/postgresql/15/bin/pg_config) pg_config)
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)

# -isystem: PostgreSQL's own headers are not held to our warnings
# only what PostgreSQL looks up is exported
PG_CFLAGS = -std=gnu11 -Wall -Wextra $(DEPENDENCIES) \
	-fvisibility=hidden -DPGDLLEXPORT='__attribute__((visibility("default")))'
PG_CPPFLAGS = -DTED_VERSION='"$(TED_VERSION)"' -isystem $(shell $(PG_CONFIG) --includedir-server 2>/dev/null) \
	$(shell pkg-config --cflags libxml-2.0 2>/dev/null || xml2-config --cflags)
SHLIB_LINK = -Wl,-Bsymbolic $(shell pkg-config --libs libxml-2.0 2>/dev/null || xml2-config --libs)

ifneq ($(wildcard $(PGXS)),)
include $(PGXS)
-include $(OBJS:.o=.d)
# COVERAGE=1: what runs counts the lines that it comes to
CC += $(if $(COVERAGE),--coverage)
$(OBJS:.o=.bc): %.bc: %.o
src/ted.o: ted.control

ted_cuda.so: $(CUDA_MODULE) $(CUDA_OBJS)
	$(NVCC) $(NVCC_FLAGS) -Xlinker -Bsymbolic,-z,defs -shared -o $@ $^

ifdef CUDA
all: ted_cuda.so
install: install-cuda
uninstall: uninstall-cuda
endif

install-cuda: ted_cuda.so installdirs
	$(INSTALL_SHLIB) ted_cuda.so '$(DESTDIR)$(pkglibdir)/'

uninstall-cuda:
	rm -f '$(DESTDIR)$(pkglibdir)/ted_cuda.so'
else
all install installcheck clean:
	@echo "ted: no PostgreSQL server headers found by $(PG_CONFIG)." >&2
	@echo "Install them (Debian: postgresql-server-dev-15), or name another: make PG_CONFIG=/path/to/pg_config" >&2
	@exit 1
endif

# Programs without a server.  The object of X.c is VARIANT/X.o in build/; a kernel's X.cu is build/cuda/X.cu.o.

CORE_CFLAGS = -std=c11 -O2 -g -Wall -Wextra -Werror $(DEPENDENCIES)
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
CORE_OBJECTS = $(CORE:%=src/%.o) \
	src/engine/cpu.o $(addprefix src/engine/gpu/,device_costs.o device_join.o gpu.o gpu_open.o gpu_strings.o gpu_time.o shared_batch.o shared_join.o)
PLAIN_CORE = $(addprefix build/plain/,$(CORE_OBJECTS))
SANITIZED_CORE = $(addprefix build/sanitized/,$(CORE_OBJECTS))

build/plain/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CORE_CFLAGS) -c -o $@ $<

# compiled in half of the time of -O2, and hardly slower
build/sanitized/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CORE_CFLAGS) -O1 $(SANITIZE) -c -o $@ $<

# programs read files by getline()
build/plain/bench/%.o build/plain/test/gpu/%.o: CORE_CFLAGS += -std=gnu11

# with all that this processor has
build/native/%.o: %.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O3 -march=native $(DEPENDENCIES) -c -o $@ $<

build/fake/%.o: %.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -Wall -Wextra -Werror $(DEPENDENCIES) -fPIC $(PG_CPPFLAGS) -c -o $@ $<

build/fuzz/%.o: %.c
	@mkdir -p $(@D)
	clang $(CORE_CFLAGS) -fsanitize=fuzzer $(SANITIZE) -c -o $@ $<

# What clang says of the extension's files, and nvcc of the GPU module's, without its optimiser and for one architecture.

build/clang/%.checked: %.c
	@mkdir -p $(@D)
	clang $(filter-out -fexcess-precision=% -flto% -ffat-lto-objects,$(CPPFLAGS) $(CFLAGS)) \
		-Wno-unknown-warning-option -Wno-ignored-optimization-argument -MT $@ -MF $(@:.checked=.d) -fsyntax-only $<
	@touch $@

check-clang: $(OBJS:%.o=build/clang/%.checked)

check-cuda: build/quick/ted_cuda.so

build/quick/%.o: %
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_QUICK) $(DEPENDENCIES) -MT $@ -MF $(@:.o=.d) -c -o $@ $<

build/quick/ted_cuda.so: $(CUDA_MODULE:build/cuda/%=build/quick/%) $(CUDA_OBJS)
	$(NVCC) $(NVCC_QUICK) -Xlinker -Bsymbolic,-z,defs -shared -o $@ $^

build/cuda/%.o: %
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_FLAGS) $(DEPENDENCIES) -MT $@ -MF $(@:.o=.d) -c -o $@ $<

.SECONDARY:
-include $(shell find build -name '*.d' 2>/dev/null)

# The core's own tests, each plain and under the sanitizers; then the fuzzers' seeds.

CORE_TESTS = $(patsubst test/core/test_%.c,%,$(wildcard test/core/test_*.c))
FUZZERS = ted lcs
BASELINES = $(addprefix bench/,scs_row_wise.o scs_anti_diagonal.o lcs_tiled.o lcs_words.o)
# what a test needs beside the core
TESTED_baselines = $(BASELINES) bench/tile_model.o
TESTED_gpu_time = bench/xted_model.o
TESTED_gpu = test/gpu/fake.o
# what it is compared with, never sanitized
AGAINST_adaptive = bench/plain.o
AGAINST_heavy_strip = bench/plain.o

.SECONDEXPANSION:
$(CORE_TESTS:%=build/test_%): build/test_%: build/plain/test/core/test_%.o $(PLAIN_CORE) \
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
REPLAYS = $(addprefix run-replay_,$(FUZZERS))

core-tests: $(patsubst run-%,build/%,$(CORE_RUNS) $(REPLAYS))

$(CORE_RUNS): run-%: build/%
	@echo "# $<"; ./$<

$(REPLAYS): run-replay_%: build/replay_%
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

# The benchmark: the core as it is installed, the baselines with all that this processor has.

# files of pairs of trees, one tree a line
BENCH_TREES ?=
BENCHES = ted lcs tile
BENCH_OBJECTS = $(addprefix build/plain/bench/,bench.o trees.o tile_model.o) \
	$(addprefix build/native/,bench/plain.o $(BASELINES))

build/bench_%: build/plain/bench/bench_%.o $(BENCH_OBJECTS) $(PLAIN_CORE)
	$(CC) -o $@ $^ -lm

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

bench-statements:
	./bench/statements.sh
	./bench/spellings.sh

bench-strings: build/bench_candidates
	./bench/strings.sh
	./bench/string_index.sh
	/usr/bin/python3 bench/names.py 1000000 > build/names.tsv
	./build/bench_candidates build/names.tsv 0.8 10000 30000 100000 300000 1000000

# Fuzzing, with clang: bytes decode to pairs, on which the core is compared with the textbook algorithms.

FUZZ_SECONDS = 60

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

build/lcs_gpu: $(patsubst %,build/cuda/test/gpu/%.cu.o,lcs_gpu lcs_check lcs_check_many lcs_bench scs_row_wise lcs_tiled) \
		build/plain/bench/tile_model.o $(filter build/cuda/cuda/string/%.cu.o,$(CUDA_MODULE)) $(PLAIN_CORE)
	$(NVCC) $(NVCC_FLAGS) -o $@ $^

GPU_OBJECTS = build/plain/test/gpu/card.o build/plain/bench/trees.o $(CUDA_MODULE) $(PLAIN_CORE)

build/gpu_ted build/gpu_join build/gpu_string_join: build/gpu_%: build/plain/test/gpu/gpu_%.o $(GPU_OBJECTS)
	$(NVCC) $(NVCC_FLAGS) -o $@ $^

build/gpu_levels: $(patsubst %,build/plain/test/gpu/%.o,gpu_levels crossings limits) build/plain/bench/xted_model.o build/cuda/test/gpu/levels.cu.o $(GPU_OBJECTS)
	$(NVCC) $(NVCC_FLAGS) -o $@ $^

gpu-programs: build/lcs_gpu build/gpu_ted build/gpu_join build/gpu_string_join build/gpu_levels

# On a card: the module alone, then inside a server of its own; and its benchmark.
test-gpu: gpu-programs
	test/with-server.sh test/gpu/run.sh

# Faults of the module that these have to find.
test-gpu-planted: gpu-programs
	./test/gpu/planted.sh

bench-gpu: gpu-programs
	./test/gpu/bench.sh $(BENCH_TREES)
	./bench/plot.sh

demo:
	./demo/demo.sh

test:
	./test/run.sh short

test-all:
	./test/run.sh all

lint:
	./test/lint.sh

coverage:
	./test/coverage.sh

# META.json has the version of ted.control, with a third number.
DIST_VERSION = $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' META.json)

# Whose package it is, and where it lives: dist writes these into the archive.
MAINTAINER = the ted authors <maintainers@example.org>
HOMEPAGE = https://ted.example.org

dist:
	@case "$(DIST_VERSION)" in "$(TED_VERSION)".*) ;; *) \
		echo "META.json is of version $(DIST_VERSION), ted.control of $(TED_VERSION)" >&2; exit 1;; esac
	rm -rf build/dist
	mkdir -p build/dist
	git archive --prefix=ted-$(DIST_VERSION)/ HEAD | tar -x -C build/dist
	cd build/dist/ted-$(DIST_VERSION) && \
	sed -i 's|^Maintainer: .*|Maintainer: $(MAINTAINER)|; s|^Homepage: .*|Homepage: $(HOMEPAGE)|' debian/control debian/control.in && \
	sed -i '1,/^ -- /s|^ -- .*  | -- $(MAINTAINER)  |' debian/changelog && \
	sed -i 's|"maintainer": ".*"|"maintainer": "$(MAINTAINER)"|; s|"homepage": ".*"|"homepage": "$(HOMEPAGE)"|' META.json
	cd build/dist && /usr/bin/python3 -m zipfile -c ted-$(DIST_VERSION).zip ted-$(DIST_VERSION) && rm -r ted-$(DIST_VERSION)

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

# Those of earlier releases have to be the same.
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

.PHONY: bench bench-programs bench-engines bench-fleet bench-gpu bench-instructions bench-join bench-sql bench-statements bench-strings check-clang check-core check-core-arm64 check-cuda core-tests coverage demo dist freeze fuzz gpu-programs install-cuda lint $(CORE_RUNS) $(REPLAYS) $(ARM64_RUNS) \
	test test-all test-citus test-concurrency test-concurrency-planted test-endurance test-gpu test-gpu-planted test-hostile test-hostile-planted test-package test-pg-upgrade test-random-planted test-upgrade \
	test-valgrind test-versions uninstall-cuda
