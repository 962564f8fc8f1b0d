# make help lists the targets. Only Go is needed for run and build; test says what else it misses.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

GO ?= go
WORLD ?=
FUZZTIME ?= 60s
COUNT ?= 6
STEPS ?= 1000000
SEEDS ?= 10000
export CGO_ENABLED ?= 0

# Tests that open sockets meet nobody but themselves: on Linux, where namespaces are to be had, in a network of their own.
ALONE := $(shell ros/interop/netns.sh single true 2>/dev/null && echo ros/interop/netns.sh single)
CPU := $(shell { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null || sysctl -n machdep.cpu.brand_string; } | head -1 | tr -cs 'A-Za-z0-9\n' - | tr A-Z a-z)
BENCH := sim/testdata/bench/$(CPU).txt
PEERS := sim/testdata/bench/$(CPU)-peers.txt

.PHONY: help
help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## opens the console on the demo world, serving ROS 2 (WORLD=… for another)
	./simdeck $(WORLD)

.PHONY: build
build: ## builds ./simdeck, one static binary
	$(GO) build -trimpath -ldflags '-s -w' -o simdeck .

# Interop waits for leases and rates most of its time: what only computes is made beside it, at the lowest priority.
TESTS := lint nofma unit race e2e siege-short manifests interop:determinism,stages,release-test,site-test,viewers-test,fuzz-short,bench-once
.PHONY: test
test: ## everything: what CI runs, with the time of each target (TESTS='lint unit' for some, TESTS=interop:bench-once for two at once)
	@MAKE='$(MAKE)' .ci/timed $(TESTS)

.PHONY: test-corpus
test-corpus: build modules ## the tests that real robots and worlds beside the project (../shared/corpus, SIMDECK_CORPUS=…) add, and no others
	@$(ALONE) .ci/corpus
	SIMDECK_CORPUS_REQUIRED=1 CLIENTS=jazzy LAYOUT=single ros/interop/run.sh test -k corpus

.PHONY: lint
lint: ## gofmt, go vet, the house's budgets and arrows, subjects of commits
	@LC_ALL=C.UTF-8 .ci/subjects
	@unformatted=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); \
	  [ -z "$$unformatted" ] || { echo "gofmt -w these: $$unformatted"; exit 1; }
	$(GO) vet ./... ./.ci/tidy ./.ci/viewers
	$(GO) vet -tags e2e ./ui/uitest/...
	$(GO) vet -tags simdeck_check ./sim/dynamics
	cd .ci/release && $(GO) vet ./...
	cd .ci/site && $(GO) vet ./...
	$(GO) test -count=1 ./.ci/tidy && $(GO) test -count=1 ./sim ./ros ./ui -run 'HouseAllows|LooksAtTheClock|DoesNotLook|OnlySeeded|OpensASocket|HasACorpus|OneBubbleTea'

# Lint has vetted everything: no test does it again.
.PHONY: unit
unit: modules ## every unit test
	$(ALONE) $(GO) test -vet=off -timeout 20m ./...

# What computes without goroutines is left out: it would take most of the time and can have no race. Of dynamics there is
# what its workers do; of sim/engine, the tests in files that know of engines, readers or workers, and not those that step a world.
PURE := /(sim/(r3|shape|dynamics|engine|scene|asset|format|sensor|render|vehicle|trajectory)|ros/(cdr|msgs|rosidl|rtps/wire)|docs)(/|$$)
SHARED := Engine|Pool|Workers|Feed|Subscri|running\(|engine\.New\(|go func|sync\.|atomic\.

.PHONY: race
race: modules ## the unit tests of all that is concurrent, under the race detector (needs gcc)
	@if command -v $${CC:-gcc} >/dev/null; then \
	  CGO_ENABLED=1 $(ALONE) $(GO) test -vet=off -race -short $$($(GO) list ./... | grep -Ev '$(PURE)'); \
	  CGO_ENABLED=1 $(GO) test -vet=off -race -short -run 'Worker' ./sim/dynamics; \
	  tests=$$(grep -lE '$(SHARED)' sim/engine/*_test.go | xargs grep -hoE '^func Test\w+' | sed 's/func //' | paste -sd'|'); \
	  CGO_ENABLED=1 $(GO) test -vet=off -race -short -run "^($$tests)$$" ./sim/engine; \
	elif [ -n "$${CI:-}" ]; then echo "race: gcc is missing; .ci/prepare installs it" >&2; exit 1; \
	else echo "race: NOT RUN: the race detector needs gcc" >&2; fi

.PHONY: nofma
nofma: ## no fused multiply-add in what must compute the same everywhere
	@set -- ./sim/r3 ./sim/shape ./sim/transmission ./sim/medium $$($(GO) list -f '{{.Dir}}' ./sim/dynamics/...) ./sim/render; \
	echo "fused instructions in $$*:"; \
	for target in 'amd64 v1' 'amd64 v3' 'arm64 v1'; do read -r arch level <<<"$$target"; \
	  listing=$$(GOARCH=$$arch GOAMD64=$$level $(GO) build -gcflags=-S "$$@" 2>&1) || { echo "$$listing"; exit 1; }; \
	  [ "$$(grep -c 'STEXT' <<<"$$listing")" -gt 10 ] || { echo "nofma: no listing for $$target"; exit 1; }; \
	  fused=$$(grep -E '\s(VFN?M(ADD|SUB)[0-9]|FN?M(ADD|SUB)[SD]\s)' <<<"$$listing") || true; \
	  [ -z "$$fused" ] || { echo "$$fused" | head -20; echo "nofma: $$target fuses: write float64(x*y) + z"; exit 1; }; \
	  echo "  $$target: 0"; \
	done; \
	! grep -nE '\<VFN?M(ADD|SUB)' $$(find $$* -name '*.s') || { echo "nofma: assembly fuses"; exit 1; }

# Of each mode of the solver some scenes: every test of dynamics would take minutes, as each stage looks at the whole world.
STAGES := Stage|RandomWorlds|RandomArticulationsWith|Checker|Contained|Overflow|HeavyBox|HoldsIts|NothingFast|Loop|Cluster|DirectIsland|Rolling|Rolls|Restitution|Sleep|Newton
.PHONY: stages
stages: ## scenes of every mode of the dynamics, with the conditions of docs/physics.md checked after every stage
	$(GO) test -vet=off -count=1 -tags simdeck_check ./sim/dynamics -run '$(STAGES)'

GOLDENS := -vet=off -count=1 -timeout 30m -run 'Golden' ./sim/engine ./sim/dynamics
.PHONY: determinism
determinism: ## the golden hashes again with other instruction sets: amd64 v1 and v3, and arm64, emulated where it is not this machine's
	@for target in 'amd64 v1' 'amd64 v3' 'arm64 v1'; do read -r arch level <<<"$$target"; run=; \
	  if [ "$$arch" != "$$($(GO) env GOHOSTARCH)" ]; then \
	    case $$arch in arm64) run=qemu-aarch64-static;; amd64) run=qemu-x86_64-static;; esac; \
	    command -v $$run >/dev/null || { [ -z "$${CI:-}" ] || { echo "determinism: $$run is missing; .ci/prepare installs it" >&2; exit 1; }; \
	      echo "determinism: NOT RUN for $$target: it needs $$run" >&2; continue; }; \
	  elif [ "$$level" = v3 ] && ! grep -qm1 '\<avx2\>.*\<bmi2\>\|\<bmi2\>.*\<avx2\>' /proc/cpuinfo; then echo "determinism: NOT RUN for $$target: this processor has no AVX2" >&2; continue; fi; \
	  echo "$$target:"; GOARCH=$$arch GOAMD64=$$level CGO_ENABLED=0 $(GO) test $${run:+-exec $$run} $(GOLDENS) || exit 1; \
	done

# Every fuzzer, as "package name": go test -list would link all tests for that.
FUZZERS := grep -rHoE '^func Fuzz\w+' --include='*_test.go' . | sed -E 's,^\./(.*)/[^/]*:func ,simdeck/\1 ,' | sort

.PHONY: fuzz
fuzz: modules ## every fuzzer for FUZZTIME (60s, or 10000x for so many executions) each
	@$(FUZZERS) | $(ALONE) .ci/fuzz $(FUZZTIME)

.PHONY: fuzz-short
fuzz-short: modules # each from its seeds for 3,000 executions (300 of what takes long): that it runs and finds nothing at once
	@$(FUZZERS) | $(ALONE) .ci/fuzz short

.PHONY: soak
soak: soak-worlds soak-system soak-fuzz ## what takes hours or days: soak-worlds, soak-system and soak-fuzz

.PHONY: soak-worlds
soak-worlds: modules ## runs small random worlds of each kind (heaps, rings, trees, loops) for 1,000,000 steps (STEPS=…): no number lost, no energy gained, nothing stuck, joints whole
	$(GO) test ./sim/dynamics -v -count=1 -timeout 120m -run SmallWorldsKeep -soak $(STEPS)

.PHONY: soak-system
soak-system: modules ## simulates the whole system with 10,000 seeds (SEEDS=…): network, disk, clients, operators and an attacker from each
	$(GO) test ./ros/simtest -count=1 -timeout 600m -run WholeSystem -seeds $(SEEDS)

EXECS ?= 10000000
.PHONY: soak-fuzz
soak-fuzz: modules ## every fuzzer for 10,000,000 executions (EXECS=…), counted in dist/fuzz.txt; begun again it goes on where it was
	@$(FUZZERS) | .ci/soak $(EXECS) dist/fuzz.txt

SIEGE := -count=1 -v -timeout 60m
.PHONY: siege
siege: build modules ## attacks a running simdeck: datagrams, subscriptions, SSH, viewers, kill -9, bit flips, full disks; prints docs/reliability.md's table
	$(ALONE) $(GO) test ./ros/siege $(SIEGE) -run Siege -siege $(CURDIR)/simdeck
	$(ALONE) $(GO) test ./ui/sshd $(SIEGE) -run Siege -siege $(CURDIR)/simdeck
	$(GO) test . $(SIEGE) -run 'KilledProcesses|FlippedBit|FullDisk' -siege

.PHONY: siege-short
siege-short: build modules # a fiftieth of each attack on the network; the others' short forms are unit tests
	$(ALONE) $(GO) test ./ros/siege $(SIEGE) -run Siege -siege $(CURDIR)/simdeck -siege.share 0.02 -siege.measure 2s

.PHONY: golden
golden: modules ## rewrites every golden file; commit what you understand
	@packages=$$(grep -rlE '(flag\.Bool|BoolVar)\(.*"update"' --include='*_test.go' . | xargs -r -n1 dirname | sort -u); \
	[ -n "$$packages" ] || { echo "golden: no package has an -update flag" >&2; exit 1; }; \
	$(ALONE) $(GO) test -count=1 $$packages -update

.PHONY: pictures
pictures: build ## takes the pictures of the manual, and of demo worlds that have changed, anew
	cd worlds && $(GO) test -count=1 -run PicturesAreOf . -pictures ../simdeck
	$(ALONE) $(GO) test -count=1 -run FitsItsWindow ./.ci/viewers -picture $(CURDIR)/docs/pictures/viewers.png
	cd docs && $(GO) test -count=1 -run PicturesAre . -pictures ../simdeck

.PHONY: gen
gen: ## writes the generated code again
	$(GO) generate ./...

.PHONY: e2e
e2e: build ## the console in a real terminal (tmux)
	@if command -v tmux >/dev/null && [ -n "$(ALONE)" ]; then \
	  $(ALONE) $(GO) test -tags e2e -count=1 -v ./ui/uitest/tmux; \
	elif [ -n "$${CI:-}" ]; then echo "e2e: tmux or iproute2 is missing; .ci/prepare installs them" >&2; exit 1; \
	else echo "e2e: NOT RUN: it needs tmux, iproute2 and permission to make a network namespace" >&2; fi

.PHONY: manifests
manifests: build ## what deploy/ holds and simdeck sweep --kubernetes writes is what Kubernetes and Docker Swarm take, and its pods come to what a sweep here does
	cd deploy/check && $(GO) mod download && $(if $(ALONE),../../$(ALONE)) $(GO) test -count=1 ./... -simdeck ../../simdeck
	@if command -v docker >/dev/null; then docker stack config -c deploy/swarm.yaml >/dev/null && echo "deploy/swarm.yaml: a stack"; \
	else echo "manifests: deploy/swarm.yaml NOT CHECKED: it needs docker's client" >&2; fi

.PHONY: interop
interop: build ## a real ROS 2 drives simdeck, on one host and between two
	ros/interop/run.sh test
	ros/interop/run.sh shapes

.PHONY: shapes
shapes: ## the public interoperability tests of DDS against other implementations (docs/reference/interop.md); in CI a third of them each time
	ros/interop/run.sh shapes

DIST ?= dist
.PHONY: release
release: ## what a hosting page needs, into dist/ (DIST=…): archives and packages for six systems, image, install script, repositories, notes, parts lists, provenance and checksums, signed by an OpenSSH key (SIGN=path/to/key) and an OpenPGP one (GPG=KEY); the same commit gives the same bytes
	@mkdir -p $(DIST); out=$$(cd $(DIST) && pwd); key=$(if $(SIGN),"$$(realpath "$(SIGN)")"); cd .ci/release && $(GO) run . -source ../.. -out "$$out" -sign "$$key" -gpg "$(GPG)"

.PHONY: image
image: ## the container image alone, as an OCI layout in dist/image: no daemon is needed
	@mkdir -p $(DIST); out=$$(cd $(DIST) && pwd); cd .ci/release && $(GO) run . -source ../.. -out "$$out" -only image

RELEASE_TOOLS := ssh-keygen dpkg-deb apt-get gpg curl wget groff systemd-analyze qemu-aarch64-static qemu-arm-static unshare ip
.PHONY: release-test
release-test: ## builds a release twice, compares the bytes, and installs it on clean roots in every way that its notes name, and runs it there
	@missing=; for tool in $(RELEASE_TOOLS); do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; [ "$$(id -u)" = 0 ] || missing="$$missing root"; \
	if [ -z "$$missing" ]; then $(GO) mod download && cd .ci/release && $(GO) mod download && $(if $(ALONE),../../$(ALONE)) $(GO) test -count=1 -timeout 30m ./...; \
	elif [ -n "$${CI:-}" ]; then echo "release-test:$$missing missing; .ci/prepare installs it" >&2; exit 1; \
	else echo "release-test: NOT RUN: it needs$$missing" >&2; fi

SITE ?= $(DIST)/site
.PHONY: site
site: ## the manual as a static site in dist/site (SITE=…): navigation, offline search; index.html opens from a file or any server
	@mkdir -p $(dir $(SITE)); out=$$(realpath -m $(SITE)); cd .ci/site && $(GO) run . -source ../.. -out "$$out"

.PHONY: site-test
site-test: ## builds the site and opens every page in Chromium as on a phone and a desk: links, search, errors, overflow; and holds SVG pictures by Chromium and rsvg-convert against each other and their cells
	@missing=; for tool in chromium chromedriver rsvg-convert; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; [ -n "$(ALONE)" ] || missing="$$missing network-namespace"; \
	cd .ci/site && $(GO) mod download; \
	if [ -z "$$missing" ]; then ../../$(ALONE) $(GO) test -count=1 -timeout 20m ./...; \
	elif [ -n "$${CI:-}" ]; then echo "site-test:$$missing missing; .ci/prepare installs it" >&2; exit 1; \
	else $(GO) test -count=1 -skip Chromium ./...; echo "site-test: pages and pictures in Chromium NOT RUN: they need$$missing" >&2; fi

.PHONY: viewers-test
viewers-test: modules ## opens the page of viewers in Chromium: pictures against the console's camera, motion, late pages, viewers that stall
	@missing=; command -v chromium >/dev/null || missing=" chromium"; [ -n "$(ALONE)" ] || missing="$$missing network-namespace"; \
	if [ -z "$$missing" ]; then $(ALONE) $(GO) test -count=1 -timeout 20m ./.ci/viewers; \
	elif [ -n "$${CI:-}" ]; then echo "viewers-test:$$missing missing; .ci/prepare installs it" >&2; exit 1; \
	else echo "viewers-test: NOT RUN: it needs$$missing" >&2; fi

.PHONY: bench
bench: build modules ## measures everything; the table is kept per processor under sim/testdata/bench, and written into docs/reference/performance.md
	@mkdir -p $(dir $(BENCH)); \
	{ .ci/machine; $(ALONE) $(GO) test -run '^$$' -bench . -benchmem -count=$(COUNT) ./...; \
	  $(ALONE) $(GO) test -tags e2e -run '^$$' -bench . -benchtime 3x ./ui/uitest/tmux; } | \
	  grep -Ev '^(PASS|\?|ok .*no test files)' | tee $(BENCH).new; \
	ros/interop/run.sh bench | tee -a $(BENCH).new; \
	$(ALONE) ros/interop/idle_load.sh ./simdeck | sed 's/^/# at rest: /' | tee -a $(BENCH).new; \
	[ ! -e $(BENCH) ] || mv $(BENCH) $(BENCH).old; mv $(BENCH).new $(BENCH)
	@$(GO) test ./docs -run Figures -count=1 -update -figures "$(CURDIR)/$(BENCH)" # of docs/reference/performance.md
	@$(MAKE) bench-load # beside the tools that others load with

.PHONY: bench-peers
bench-peers: modules ## runs the physics scenes on Rapier, Bullet, ODE, MuJoCo and Embree too: one table, ms per step, ours over theirs, written into docs/reference/performance.md; then ours with two workers
	@engines=$$(sim/dynamics/peers/build.sh); mkdir -p $(dir $(PEERS)); \
	{ .ci/machine; sim/dynamics/peers/versions.sh "$$engines"; \
	  $(GO) test ./sim/dynamics -v -count=1 -timeout 60m -run "OtherEngines|RaysOfTheComparison|TwoWorkers" -engines "$$engines"; \
	  GOMAXPROCS=1 $(GO) test ./sim/engine -v -count=1 -timeout 60m -run ModelsRunAsInMuJoCo -engines "$$engines"; } | tee $(PEERS)
	@$(GO) test ./docs -run BesideOtherEngines -count=1 -update -peers "$(CURDIR)/$(PEERS)" # of docs/reference/performance.md

.PHONY: bench-ui
bench-ui: modules ## what the console costs: frames of 10 to 10,000 entities, and bytes a second to the terminal beside the plain bubbles table
	GOMAXPROCS=1 $(GO) test ./ui -run '^$$' -bench 'Frame|BubblesTable' -benchmem -benchtime 200x -count 3
	$(GO) test ./ui -run '^$$' -bench Wire -benchtime 1x

.PHONY: bench-load
bench-load: modules ## loads meshes, robots and worlds with trimesh, yourdfpy, MuJoCo, V-HACD and CoACD too: one table, ms of each
	tools=$$(sim/format/peers/env.sh); \
	GOMAXPROCS=1 $(GO) test ./sim/format -v -count=1 -run LoadTimesBesideOtherTools -tools "$$tools"

.PHONY: accuracy
accuracy: modules ## how far physics is from closed forms, ours and MuJoCo's side by side
	engines=$$(sim/dynamics/peers/build.sh); \
	$(GO) test ./sim/dynamics -v -count=1 -run 'MotionBesideMuJoCo' -engines "$$engines"

ROBOTS ?= ../shared/corpus/dev/urdf
.PHONY: judges
judges: modules ## mass matrices, forces, poses and Jacobians of random trees and of a folder's URDF files (ROBOTS=…) beside Pinocchio's
	tools=$$(sim/format/peers/env.sh); \
	$(GO) test ./sim/dynamics/articulation -v -count=1 -timeout 30m -run Pinocchio -pinocchio "$$tools" -robots "$$(realpath $(ROBOTS))"

.PHONY: bench-once
bench-once: modules # each once: a benchmark that nobody runs rots
	$(ALONE) $(GO) test -vet=off -run '^$$' -bench . -benchtime 1x ./...

.PHONY: bench-cmp
bench-cmp: ## compares the last two runs of make bench
	@[ -e $(BENCH).old ] || { echo "bench-cmp: run make bench before and after a change" >&2; exit 1; }
	$(GO) run golang.org/x/perf/cmd/benchstat@latest $(BENCH).old $(BENCH)

.PHONY: modules
modules: # where the tests run there is no network to fetch them from
	@$(GO) mod download
