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
#   make bench-search                       searches by indexes against sequential ones, sizes, joins with little memory
#   make bench-statements                   statements and spellings against other plans
#   make bench-strings                      strings, pairs and indexes, against fuzzystrmatch and pg_trgm
#   make bench-peers                        joins, searches and patches against programs for the same
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
OBJS = $(patsubst %.c,%.o,$(wildcard src/*.c src/*/*.c src/*/*/*.c src/*/*/*/*.c))
EXTRA_CLEAN = build ted_cuda.so $(OBJS:.o=.d)

TESTS = $(patsubst sql/%.sql,%,$(wildcard sql/*.sql))
REGRESS = setup $(filter-out setup,$(TESTS))
REGRESS_OPTS = --inputdir=. --encoding=UTF8
# PostgreSQL 14 has no MERGE
ISOLATION = $(filter-out $(if $(filter 14,$(MAJORVERSION)),merge), \
	$(patsubst test/isolation/specs/%.spec,%,$(wildcard test/isolation/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test/isolation --load-extension=ted

PG_CONFIG ?= $(firstword $(wildcard /usr/lib/postgresql/15/bin/pg_config) pg_config)
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)

# the compilers write which headers an object depends on
DEPENDENCIES = -MMD -MP
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

ifdef CUDA
all: ted_cuda.so
install: install-cuda
uninstall: uninstall-cuda
endif
else
all install installcheck clean:
	@echo "ted: no PostgreSQL server headers found by $(PG_CONFIG)." >&2
	@echo "Install them (Debian: postgresql-server-dev-15), or name another: make PG_CONFIG=/path/to/pg_config" >&2
	@exit 1
endif

# in this order: tests link objects of the GPU module, and benchmarks those of the tests
include cuda/cuda.mk
include test/test.mk
include bench/bench.mk

demo:
	./demo/demo.sh

# META.json has the version of ted.control, with a third number.
DIST_VERSION = $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' META.json)

# dist writes into the archive whose package it is, and where it lives.
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

.PHONY: demo dist
