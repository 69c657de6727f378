# tavl: a language for old board games, and the program that runs it. `make help` lists the targets.
CC     = gcc
BISON  = bison
FLEX   = flex
PREFIX = /usr/local
BUILD  = build

MAIN_GAME    = nordy-loki
FUZZ_SECONDS = 60
JOBS         = $(shell nproc 2>/dev/null || echo 2)

DEBIAN  = gcc make flex bison pkg-config liblua5.4-dev libcmocka-dev libjansson-dev libedit-dev \
          libxxhash-dev librandom123-dev libsodium-dev
MODULES = lua5.4 jansson libedit libxxhash libsodium

WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wwrite-strings -Wundef -Wvla
WERROR   = $(if $(CI),1,)
SANITIZE =
OPTIMIZE = -O2
CFLAGS   = -std=c11 $(OPTIMIZE) -g $(WARNINGS) $(if $(WERROR),-Werror,) $(SANITIZE)
CPPFLAGS = -D_GNU_SOURCE -Iinterp -Igrammar -I$(BUILD) \
           $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(MODULES) 2>/dev/null))
LDFLAGS  = -rdynamic $(SANITIZE)
LDLIBS   = $(shell pkg-config --libs $(MODULES) 2>/dev/null) -ldl -lpthread -lm

# The program, folder by folder; each folder includes only from those before it.
BASE   = $(wildcard interp/base/*.c)
FRONT  = $(wildcard interp/front/*.c)
PLAY   = $(wildcard interp/play/*.c)
NATIVE = $(wildcard interp/native/*.c)
STUDY  = $(wildcard interp/study/*.c)
MIND   = $(wildcard interp/mind/*.c)
FACE   = $(wildcard interp/face/*.c)
MAIN   = $(wildcard interp/main.c)
UNIT   = $(wildcard tests/unit/test_*.c)
FUZZ   = $(wildcard tests/fuzz/*.c)
BENCH  = $(wildcard tests/bench/*.sh)
EQUAL  = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/equal/*.c))

GENERATED    = $(BUILD)/parser.o $(BUILD)/lexer.o
OBJECTS      = $(patsubst %.c,$(BUILD)/%.o,$(BASE) $(FRONT) $(PLAY) $(NATIVE) $(STUDY) $(MIND) $(FACE))
MAIN_OBJECT  = $(patsubst %.c,$(BUILD)/%.o,$(MAIN))
UNIT_PROGRAM = $(patsubst %.c,$(BUILD)/%,$(UNIT))
ARCHIVE      = $(BUILD)/libtavl.a

# `make V=1` shows whole commands.
say = $(if $(V),,@echo '  $(1)' &&)

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all play test suite units asan equal fuzz bench format clean help install packages

all: $(BUILD)/tavl

help:
	@echo 'make            build build/tavl'
	@echo 'make play       play the main game ($(MAIN_GAME)); installs what Debian lacks'
	@echo 'make test       build everything, run every test; installs what Debian lacks'
	@echo 'make asan       the same tests with address and undefined-behaviour sanitizers'
	@echo 'make equal      the evaluators on every option of every game, machine code too (N=3 games each; an hour)'
	@echo 'make fuzz       every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS) (needs clang)'
	@echo 'make bench      measure'
	@echo 'make format     clang-format over interp/ and tests/'
	@echo 'make install    into PREFIX=$(PREFIX)'
	@echo 'make clean      remove build/'

$(BUILD)/tavl: $(MAIN_OBJECT) $(ARCHIVE)
	$(call say,CC $@) $(CC) $(LDFLAGS) -o $@.$$$$ $(MAIN_OBJECT) $(ARCHIVE) $(LDLIBS) && mv -f $@.$$$$ $@

$(ARCHIVE): $(OBJECTS) $(GENERATED)
	$(call say,AR $@) $(AR) rcs $@.$$$$ $^ && mv -f $@.$$$$ $@

$(BUILD)/%.o: %.c | $(BUILD)/parser.h
	@mkdir -p $(@D)
	$(call say,CC $@) $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The kernel is one loop in which everything is inlined: what is decided for it is worth more effort.
$(BUILD)/interp/play/kernel_%.o: OPTIMIZE = -O3

# The text of the machine, which every printed game begins with, as strings for the printer.
MACHINE = machine.h machine_sets.inc machine_context.inc machine_board.inc machine_walk.inc machine_calm.inc machine_list.inc machine_turn.inc machine_dice.inc machine_pair.inc \
  machine_same.inc machine_spend.inc machine_wander.inc machine_all.inc machine_play.inc
$(BUILD)/machine_text.h: $(addprefix interp/play/,$(MACHINE))
	@mkdir -p $(@D)
	@for file in $(MACHINE); do \
	  echo "static const char *const machine_text_$$(echo $$file | tr . _)[] = {"; \
	  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/",/' interp/play/$$file; \
	  echo '0};'; \
	done > $@
$(BUILD)/interp/native/print.o: $(BUILD)/machine_text.h

# The generated sources: bison's are clean; flex compares and narrows in its own skeleton.
$(BUILD)/parser.o: $(BUILD)/parser.c
	$(call say,CC $@) $(CC) $(CPPFLAGS) $(CFLAGS) -Wno-conversion -MMD -MP -c -o $@ $<

$(BUILD)/lexer.o: $(BUILD)/lexer.c $(BUILD)/parser.h
	$(call say,CC $@) $(CC) $(CPPFLAGS) $(CFLAGS) -Wno-conversion -Wno-sign-compare -Wno-missing-prototypes -MMD -MP -c -o $@ $<

$(BUILD)/parser.c $(BUILD)/parser.h &: grammar/parser.y
	@mkdir -p $(BUILD)
	$(call say,BISON $@) $(BISON) -Wall -Wcounterexamples -Werror -o $(BUILD)/parser.c --header=$(BUILD)/parser.h $<

$(BUILD)/lexer.c: grammar/lexer.l
	@mkdir -p $(BUILD)
	$(call say,FLEX $@) $(FLEX) -o $@ $<

# One cmocka program for each file; the archive keeps each to the modules that it uses.
$(BUILD)/tests/unit/%: tests/unit/%.c $(ARCHIVE)
	@mkdir -p $(@D)
	$(call say,CC $@) $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(ARCHIVE) -lcmocka $(LDLIBS)

$(BUILD)/tests/bench/bench: $(BUILD)/%: %.c $(ARCHIVE)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(ARCHIVE) $(LDLIBS)

$(BUILD)/tests/equal/equal: $(EQUAL) $(ARCHIVE)
	$(call say,CC $@) $(CC) $(LDFLAGS) -o $@ $(EQUAL) $(ARCHIVE) $(LDLIBS)

units: $(UNIT_PROGRAM) $(BUILD)/tests/equal/equal

play: packages
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@$(BUILD)/tavl play $(MAIN_GAME)

test: packages
	@$(MAKE) --no-print-directory -j$(JOBS) all units
	@$(MAKE) --no-print-directory suite

suite:
	@TAVL=$(BUILD)/tavl BUILD=$(BUILD) tests/run.sh $(UNIT_PROGRAM)

asan: packages
	@$(MAKE) --no-print-directory test BUILD=build/asan OPTIMIZE=-O1 \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

equal: packages
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/tests/equal/equal
	@BUILD=$(BUILD) sh tests/equal/run.sh full

fuzz: packages
	@for target in $(FUZZ); do \
	  $(MAKE) --no-print-directory -j$(JOBS) BUILD=build/fuzz CC=clang OPTIMIZE=-O1 \
	    SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined' \
	    build/fuzz/$${target%.c} || exit 1; \
	  mkdir -p build/fuzz/corpus/$$(basename $$target .c); \
	  TAVL_HOME=$(CURDIR) build/fuzz/$${target%.c} -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
	    -print_final_stats=1 -max_len=16384 -dict=tests/fuzz/words.dict \
	    -artifact_prefix=build/fuzz/ build/fuzz/corpus/$$(basename $$target .c) rules stdlib || exit 1; \
	done
	@$(MAKE) --no-print-directory -j$(JOBS) build/tests/equal/equal BUILD=build
	TAVL_HOME=$(CURDIR) build/tests/equal/equal -n 2 -t 200 -s $$(date +%s) -T $(FUZZ_SECONDS)

build/fuzz/tests/fuzz/%: tests/fuzz/%.c build/fuzz/libtavl.a
	@mkdir -p $(@D)
	$(call say,CC $@) $(CC) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer -o $@ $< build/fuzz/libtavl.a $(LDLIBS)

bench: packages
	@$(MAKE) --no-print-directory -j$(JOBS) all $(BUILD)/tests/bench/bench
	@for script in $(BENCH); do echo "$$script"; TAVL=$(BUILD)/tavl sh $$script || exit 1; done

format:
	clang-format -i $(shell find interp tests \( -name '*.c' -o -name '*.h' \))

clean:
	rm -rf build

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/tavl $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BUILD)/tavl $(DESTDIR)$(PREFIX)/bin/tavl
	cp -R rules stdlib $(DESTDIR)$(PREFIX)/share/tavl/
	install -m 644 grammar/tavl.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 grammar/language.md $(DESTDIR)$(PREFIX)/share/tavl/

# Everything that a Debian without it needs; elsewhere says what is missing and stops.
packages:
	@missing=''; \
	if command -v dpkg-query >/dev/null 2>&1; then \
	  for p in $(DEBIAN); do \
	    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; \
	  done; \
	  [ -z "$$missing" ] && exit 0; \
	  if [ "$$(id -u)" = 0 ]; then as=''; \
	  elif command -v sudo >/dev/null 2>&1; then as=sudo; \
	  else echo "missing Debian packages:$$missing" >&2; exit 1; fi; \
	  echo "installing:$$missing"; \
	  $$as apt-get update -qq && \
	  $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	else \
	  for c in $(CC) $(FLEX) $(BISON) pkg-config; do \
	    command -v $$c >/dev/null 2>&1 || missing="$$missing $$c"; done; \
	  for m in $(MODULES) cmocka; do \
	    pkg-config --exists $$m 2>/dev/null || missing="$$missing $$m"; done; \
	  [ -z "$$missing" ] || { echo "missing programs or libraries:$$missing" >&2; exit 1; }; \
	fi

-include $(OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d) $(GENERATED:.o=.d) $(addsuffix .d,$(UNIT_PROGRAM)) $(EQUAL:.o=.d)
