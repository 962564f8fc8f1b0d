// Package simtest is the simulation test of the whole system, in the manner of FoundationDB and of
// TigerBeetle's VOPR. Engine with real loop, ROS bridge, consoles and recorder run in one bubble of
// testing/synctest, on virtual network, disk and time. Clients, operators, an attacker, faults of network and
// disk, and the time of each event come from one seed; failures are reproducible. It stands beside sim, ros
// and ui because it needs all three at once.
package simtest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
)

var (
	seeds   = flag.Int("seeds", 200, "how many seeds to simulate")
	from    = flag.Uint64("from", 0, "the first of them")
	one     = flag.Int64("seed", -1, "simulate only this seed, and print its trace")
	shrinks = flag.Bool("shrink", true, "leave out events of a seed that fails, as long as it fails")
)

func TestMain(m *testing.M) {
	flag.Parse()
	// goroutines that are ready at the same time run in the order in which they became it
	runtime.GOMAXPROCS(1)
	os.Exit(m.Run())
}

// simulate is the life of a world: its trace, and which properties did not hold. Events for which keep is
// false are left out.
func simulate(t *testing.T, seed uint64, keep func(int) bool) (text string, faults []string) {
	t.Helper()
	keys, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	captures, err := captured()
	if err != nil {
		t.Fatal(err)
	}
	cryptotest.SetGlobalRandom(t, seed)
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 0x51))
		w := newWorld(t, seed, r, keys, captures)
		if w.engine != nil {
			w.run(r, keep)
		}
		text, faults = w.trace.String(), w.faults
	})
	return text, faults
}

func all(int) bool { return true }

func TestWholeSystemKeepsItsPropertiesInEveryWorld(t *testing.T) {
	first, n := *from, *seeds
	if *one >= 0 {
		first, n = uint64(*one), 1
	}
	for seed := first; seed < first+uint64(n); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			text, faults := simulate(t, seed, all)
			if *one >= 0 {
				t.Log("\n" + text)
			}
			if len(faults) > 0 {
				left := shrink(t, seed, faults[0])
				t.Errorf("%s\n%s\nwith as few events as show it:\n%s\ngo test ./simtest -run WholeSystem -seed %d",
					faults[0], tail(text, 40), left, seed)
			}
		})
	}
}

// shrink leaves out events as long as the same property does not hold: halves of them, quarters, and so on.
// It gives the trace of the rest.
func shrink(t *testing.T, seed uint64, fault string) (text string) {
	t.Helper()
	most := 90 // events that there can be
	gone := make([]bool, most)
	kind := firstWords(fault)
	for part := most / 2; *shrinks && part > 0; part /= 2 {
		for at := 0; at < most; at += part {
			before := slices.Clone(gone)
			for i := at; i < min(at+part, most); i++ {
				gone[i] = true
			}
			if slices.Equal(before, gone) {
				continue
			}
			trace, faults := simulate(t, seed, func(i int) bool { return !gone[i] })
			if len(faults) == 0 || firstWords(faults[0]) != kind {
				gone = before
				continue
			}
			text = trace
		}
	}
	return text
}

// firstWords tell faults apart; names and numbers stand behind them.
func firstWords(fault string) string {
	words := strings.Fields(fault)
	return strings.Join(words[:min(2, len(words))], " ")
}

func TestASeedGivesTheSameTraceEachTime(t *testing.T) {
	for seed := *from; seed < *from+5; seed++ {
		first, _ := simulate(t, seed, all)
		if second, _ := simulate(t, seed, all); first != second {
			t.Errorf("seed %d: two runs differ:\n%s", seed, difference(first, second))
		}
	}
}
