# mediahost's commands. `make` alone lists them.

# What to run, and what the configs in examples/ read from the environment.
CONFIG ?= examples/live-test.yaml
FILE ?=
SYNC ?=
VIDEO_SINK ?=
AUDIO_SINK ?=
# As they were given: a `$` in a file's name is no variable of make's.
$(foreach name,CONFIG FILE SYNC VIDEO_SINK AUDIO_SINK,$(eval override $(name) := $$(value $(name))))
export CONFIG FILE SYNC VIDEO_SINK AUDIO_SINK

# Where to install. DESTDIR is put in front, for packages.
PREFIX ?= /usr/local
DESTDIR ?=

# thread or address: `make test SANITIZE=thread`. Each has a build folder of its own.
SANITIZE ?=

# The randomised suites at full size, see `make campaign`.
NAME ?=
N ?= 100000
SEED ?= 1

SHELL := /bin/sh
swift = . scripts/toolchain.sh && swift
# Every build refuses an import that Package.swift does not declare.
checked := --explicit-target-dependency-import-check error
# An index is for editors, and for SwiftPM, which looks for tests in it. CI and a sanitizer's build have no editor that wants to
# know what is in the system's modules, and take an eighth less without.
debug := $(checked) $(if $(CI)$(SANITIZE),-Xswiftc -index-ignore-system-modules)
scratch := .build
ifneq ($(SANITIZE),)
ifeq ($(filter thread address,$(SANITIZE)),)
$(error SANITIZE is `$(SANITIZE)`; it must be thread or address)
endif
scratch := .build/$(SANITIZE)
# The sanitizer's run time lies in the executable; a plugin finds all of it there only if it is exported.
debug += --sanitize $(SANITIZE) $(if $(filter thread,$(SANITIZE)),-Xswiftc -DTHREAD_SANITIZER -Xlinker --export-dynamic) --scratch-path $(scratch)
endif

.DEFAULT_GOAL := help
.PHONY: help bootstrap build run test bench campaign lint fmt docs install clean

help: ## list the commands
	@echo 'mediahost: a media daemon for embedded Linux'
	@echo
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'
	@echo
	@echo 'Start with `make run` or `make test`: both do all set-up themselves.'

bootstrap:
	@scripts/bootstrap

build: bootstrap ## build the release
	@$(swift) build $(checked) -c release
	@scripts/link-runtime .build/release

run: build ## run CONFIG (default examples/live-test.yaml); FILE=clip.mp4 for examples/play-file.yaml
	@scripts/run

test: bootstrap ## build and run all tests; SANITIZE=thread or address runs those of the host under a sanitizer
	@$(swift) build $(debug) --build-tests
	@scripts/test $(scratch) '$(SANITIZE)' $(debug)

bench: build ## measure, beside gst-launch-1.0 in the same run
	@.build/release/mediahost-bench

campaign: bootstrap ## run one randomised suite at full size: NAME= N= SEED=; without NAME: list them
	@scripts/campaign '$(NAME)' '$(N)' '$(SEED)'

lint: bootstrap ## check format, headers, imports and what plugins export
	@scripts/lint

fmt: bootstrap ## format the Swift sources
	@$(swift) format --in-place --recursive $(wildcard Sources Plugins Tests Benchmarks examples packaging/PluginKit) Package.swift

docs: bootstrap ## write mediahost.yaml, the schema, docs/configuration.md and docs/cli.md from the code
	@$(swift) build $(debug) --build-tests
	@UPDATE_DOCS=1 scripts/test-environment $(scratch) $(SANITIZE) swift test $(debug) --disable-xctest --skip-build --filter ReferenceTests
	@.build/debug/mediahost help --markdown > docs/cli.md

install: build ## install under PREFIX (default /usr/local), with the Swift runtime it needs
	@scripts/install '$(PREFIX)' '$(DESTDIR)'

clean: ## remove everything that was built
	rm -rf .build
	rm -rf examples/frame-counter/.build
	$(MAKE) --no-print-directory -C examples/minimal-plugin clean
	$(MAKE) --no-print-directory -C examples/frame-counter-c clean
