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
# Without paths of this checkout, so that another one finds the compiled packages in the cache.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(shell $(GO) env GOFLAGS))
# The toolchain that go.mod names is fetched where an older one is installed.
export GOTOOLCHAIN := auto

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
	$(GO) build -ldflags '-s -w' -o simdeck .

# gotestsum runs the tests: it prints a line for each package, and the failures at the end. RETRY=1 runs a failed test alone, at
# most twice more, and names it as flaky.
TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/simdeck/tools
GOTESTSUM := $(TOOLS)/gotestsum --format pkgname --format-hide-empty-pkg --hide-summary skipped --format-icons text
GOTEST := $(GOTESTSUM) --packages
RETRY ?=
ifneq ($(RETRY),)
GOTEST := $(CURDIR)/.ci/retry $(GOTESTSUM) --packages
endif

.PHONY: test
test: ## the gate: what must pass before a change lands, with one summary of all failures
	@MAKE='$(MAKE)' .ci/gate test

.PHONY: test-all
test-all: ## everything; targets whose inputs have not changed since they passed are not made again (BUDGET=25m ends after that time, the next call goes on)
	@MAKE='$(MAKE)' RETRY=1 .ci/gate all

.PHONY: fix
fix: modules ## repairs everything generated: gofmt, go generate, go mod tidy, goldens, generated pages and lists; read what it changes
	gofmt -w $$(git ls-files --cached --others --exclude-standard '*.go')
	$(GO) generate ./...
	for module in $$(git ls-files '*go.mod'); do (cd $$(dirname $$module) && $(GO) mod tidy); done
	$(MAKE) golden

.PHONY: prepare prepare-all
prepare:
	.ci/prepare
prepare-all:
	.ci/prepare all

.PHONY: lint lint-subjects lint-format lint-vet lint-house
lint: ## gofmt, go vet, the arrows between packages, subjects of commits
	@$(MAKE) -k lint-subjects lint-format lint-vet lint-house
lint-subjects:
	@LC_ALL=C.UTF-8 .ci/subjects
lint-format:
	@unformatted=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); \
	  [ -z "$$unformatted" ] || { echo "lint: FAILED: not as gofmt writes them (make fix): $$unformatted"; exit 1; }
lint-vet:
	$(GO) vet ./... ./.ci/tidy ./.ci/viewers
	$(GO) vet -tags e2e ./ui/uitest/...
	$(GO) vet -tags simdeck_check ./sim/dynamics
	cd .ci/release && $(GO) vet ./...
	cd .ci/site && $(GO) vet ./...
lint-house: modules
	@$(GOTEST) ./.ci/tidy -- -vet=off -count=1

# Lint has vetted everything: no test does it again.
.PHONY: unit unit-all
unit: modules ## the unit tests that depend on no clock, socket, process or terminal
	@$(ALONE) $(GOTEST) ./... -- -short -vet=off -timeout 20m
unit-all: build modules ## every unit test, with the corpus of real robots and worlds where it is beside the project
	@$(ALONE) $(GOTEST) ./... -- -vet=off -timeout 20m

.PHONY: console
console: build modules ## two stories in a real terminal (tmux): an operator spawns, pauses and leaves; operators and viewers by SSH
	@.ci/terminal $(ALONE) $(GOTEST) ./ui/uitest/tmux -- -tags e2e -vet=off -count=1 -run 'AnOperatorSpawns|OperatorsAndViewersShare'

.PHONY: story
story: build ## a real ROS 2 client's visit, from finding the simulator to leaving it
	@PACKAGES='tf2_msgs simulation_interfaces@2.x' CLIENTS=jazzy LAYOUT=single ros/interop/run.sh test test_story.py

# What computes without goroutines is left out: it would take most of the time and can have no race. Of dynamics there is
# what its workers do; of sim/engine, the tests in files that know of engines, readers or workers, and not those that step a world.
PURE := /(sim/(r3|shape|dynamics|engine|scene|asset|format|sensor|render|vehicle|trajectory|medium|transmission)|ros/(cdr|msgs|rosidl|rtps/wire|simtest)|docs)(/|$$)
SHARED := Engine|Pool|Workers|Feed|Subscri|running\(|engine\.New\(|go func|sync\.|atomic\.
REALTIME := ./webots ./autopilot ./ros/transport ./ui/fetch ./ui/metrics ./ui/sshd ./ui/viewers

.PHONY: race
race: modules ## the unit tests of all that is concurrent, under the race detector (needs gcc)
	@if command -v $${CC:-gcc} >/dev/null; then export CGO_ENABLED=1; status=0; \
	  $(ALONE) $(GOTEST) "$$($(GO) list ./... | grep -Ev '$(PURE)' | xargs)" -- -vet=off -race -short || status=1; \
	  $(ALONE) $(GOTEST) '$(REALTIME)' -- -vet=off -race || status=1; \
	  $(GOTEST) ./ros/simtest -- -vet=off -race -short -args -seeds 10 || status=1; \
	  $(GOTEST) ./sim/dynamics -- -vet=off -race -short -run Worker || status=1; \
	  tests=$$(grep -lE '$(SHARED)' sim/engine/*_test.go | xargs grep -hoE '^func Test\w+' | sed 's/func //' | paste -sd'|'); \
	  $(GOTEST) ./sim/engine -- -vet=off -race -short -run "^($$tests)$$" || status=1; \
	  exit $$status; \
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
	@$(GOTEST) ./sim/dynamics -- -vet=off -count=1 -tags simdeck_check -run '$(STAGES)'

GOLDENS := -vet=off -count=1 -timeout 30m -run 'Golden'
.PHONY: vulncheck
vulncheck: modules ## known vulnerabilities in what simdeck calls, where their database answers
	@said=$$($(GO) tool -modfile=.ci/tools/go.mod govulncheck ./... 2>&1) && status=0 || status=$$?; echo "$$said"; \
	if grep -q 'fetching vulnerabilities:' <<<"$$said"; then echo "vulncheck: NOT RUN: the database does not answer"; else exit $$status; fi

.PHONY: determinism
determinism: modules ## the golden hashes again with other instruction sets than unit's: amd64 v3, and arm64, emulated where it is not this machine's
	@.ci/determinism $(GOTEST) './sim/engine ./sim/dynamics' -- $(GOLDENS)

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
	@$(ALONE) $(GOTEST) ./ros/siege -- $(SIEGE) -run Siege -args -siege $(CURDIR)/simdeck -siege.share 0.02 -siege.measure 2s

.PHONY: golden
golden: modules ## rewrites every golden file; commit what you understand
	@packages=$$(grep -rlE '(flag\.Bool|BoolVar)\(.*"update"' --include='*_test.go' . | xargs -r -n1 dirname | sort -u); \
	$(ALONE) $(GO) test -short -vet=off -count=1 $$packages -update
	@$(ALONE) $(GO) test -vet=off -count=1 ./docs ./ros/simtest -run 'References?|Interfaces' -update # these run the program

.PHONY: pictures
pictures: build ## takes the pictures of the manual, and of demo worlds that have changed, anew
	cd worlds && $(GO) test -count=1 -run PicturesAreOf . -pictures ../simdeck
	$(ALONE) $(GO) test -count=1 -run FitsItsWindow ./.ci/viewers -picture $(CURDIR)/docs/pictures/viewers.png
	cd docs && $(GO) test -count=1 -run PicturesAre . -pictures ../simdeck

.PHONY: gen
gen: ## writes the generated code again
	$(GO) generate ./...

.PHONY: e2e
e2e: build modules ## the console in a real terminal (tmux)
	@.ci/terminal $(ALONE) $(GOTEST) ./ui/uitest/tmux -- -tags e2e -vet=off -count=1

.PHONY: manifests
manifests: build modules ## what deploy/ holds and simdeck sweep --kubernetes writes is what Kubernetes and Docker Swarm take, and its pods come to what a sweep here does
	cd deploy/check && $(GO) mod download && $(if $(ALONE),../../$(ALONE)) $(GOTEST) ./... -- -vet=off -count=1 -args -simdeck ../../simdeck
	@if command -v docker >/dev/null; then docker stack config -c deploy/swarm.yaml >/dev/null && echo "deploy/swarm.yaml: a stack"; \
	else echo "manifests: deploy/swarm.yaml NOT CHECKED: it needs docker's client" >&2; fi

.PHONY: interop interop-jazzy interop-hosts interop-kilted interop-peers interop-bad
interop: build ## a real ROS 2 drives simdeck, on one host and between two
	ros/interop/run.sh test
	ros/interop/run.sh shapes
interop-jazzy: build # every case with Jazzy on one host; the next ones have those that depend on the cable or on Kilted's types
	@CLIENTS=jazzy LAYOUT=single ros/interop/run.sh test
interop-hosts: build
	@CLIENTS=jazzy LAYOUT=veth ros/interop/run.sh test
interop-kilted: build
	@CLIENTS=kilted LAYOUT='single veth' ros/interop/run.sh test
interop-peers: build
	@CLIENTS='peers zenoh' LAYOUT='single veth' ros/interop/run.sh test
interop-bad: build
	@CLIENTS='jazzy kilted peers' LAYOUT=bad ros/interop/run.sh test

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
release-test: modules ## builds a release twice, compares the bytes, and installs it on clean roots in every way that its notes name, and runs it there
	@missing=; for tool in $(RELEASE_TOOLS); do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; [ "$$(id -u)" = 0 ] || missing="$$missing root"; \
	if [ -z "$$missing" ]; then $(GO) mod download && cd .ci/release && $(GO) mod download && $(if $(ALONE),../../$(ALONE)) $(GOTEST) ./... -- -vet=off -count=1 -timeout 30m; \
	elif [ -n "$${CI:-}" ]; then echo "release-test:$$missing missing; .ci/prepare installs it" >&2; exit 1; \
	else echo "release-test: NOT RUN: it needs$$missing" >&2; fi

SITE ?= $(DIST)/site
.PHONY: site
site: ## the manual as a static site in dist/site (SITE=…): navigation, offline search; index.html opens from a file or any server
	@mkdir -p $(dir $(SITE)); out=$$(realpath -m $(SITE)); cd .ci/site && $(GO) run . -source ../.. -out "$$out"

.PHONY: site-test
site-test: modules ## builds the site and opens every page in Chromium as on a phone and a desk: links, search, errors, overflow; and holds SVG pictures by Chromium and rsvg-convert against each other and their cells
	@missing=; for tool in chromium chromedriver rsvg-convert; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; [ -n "$(ALONE)" ] || missing="$$missing network-namespace"; \
	cd .ci/site && $(GO) mod download; \
	if [ -z "$$missing" ]; then ../../$(ALONE) $(GOTEST) ./... -- -vet=off -count=1 -timeout 20m; \
	elif [ -n "$${CI:-}" ]; then echo "site-test:$$missing missing; .ci/prepare installs it" >&2; exit 1; \
	else $(GO) test -count=1 -skip Chromium ./...; echo "site-test: pages and pictures in Chromium NOT RUN: they need$$missing" >&2; fi

.PHONY: viewers-test
viewers-test: modules ## opens the page of viewers in Chromium: pictures against the console's camera, motion, late pages, viewers that stall
	@missing=; command -v chromium >/dev/null || missing=" chromium"; [ -n "$(ALONE)" ] || missing="$$missing network-namespace"; \
	if [ -z "$$missing" ]; then $(ALONE) $(GOTEST) ./.ci/viewers -- -vet=off -count=1 -timeout 20m; \
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
	@$(ALONE) $(GOTEST) ./... -- -vet=off -run '^$$' -bench . -benchtime 1x

.PHONY: bench-cmp
bench-cmp: ## compares the last two runs of make bench
	@[ -e $(BENCH).old ] || { echo "bench-cmp: run make bench before and after a change" >&2; exit 1; }
	$(GO) run golang.org/x/perf/cmd/benchstat@latest $(BENCH).old $(BENCH)

.PHONY: modules
modules: # where the tests run there is no network to fetch them from
	@$(GO) mod download && $(GO) build -modfile=.ci/tools/go.mod -o $(TOOLS)/gotestsum gotest.tools/gotestsum
