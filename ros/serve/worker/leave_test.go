package worker

import (
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// lease is the time for which others believe in a silent participant (ros/rtps).
const lease = 20 * time.Second

func TestAWorkerThatLeavesIsGoneAtOnceAndAKilledOneWithinItsLease(t *testing.T) {
	onSite(t, func(h *site) {
		stays := h.start(Config{ReportPath: "/l2/workers"}, "/lab/a", "worlds/hall.wbt", sim.Playing)
		leaves := h.start(Config{ReportPath: "/l2/workers"}, "/lab/b", "worlds/hall.wbt", sim.Playing)
		killed := h.start(Config{ReportPath: "/l2/workers"}, "/lab/c", "worlds/hall.wbt", sim.Playing)
		heard := rostest.Hear[l2msgs.Simulation](&h.Stage, "/l2/workers",
			node.QoS{Reliability: many().Reliability, Durability: node.LatchedQoS().Durability, Depth: 100})
		tell := func() (ids []string) {
			for _, m := range heard.All() {
				ids = append(ids, m.WorkerID)
			}
			slices.Sort(ids)
			return slices.Compact(ids)
		}
		h.Until("all three", func() bool { return len(tell()) == 3 })
		leaves.leave()
		time.Sleep(100 * time.Millisecond)
		if got := h.topics("/lab/b"); len(got) > 0 {
			h.T.Errorf("0.1 s after it left: %v", got)
		}
		began := time.Now()
		// as kill -9 looks from outside: it says nothing any more
		h.Net.Partition([]string{"viewer", stays.name}, []string{killed.name})
		h.Until("the end of the killed one", func() bool { return len(h.topics("/lab/c")) == 0 })
		if took := time.Since(began); took > lease+time.Second {
			h.T.Errorf("a viewer saw it for %v; its lease is %v", took, lease)
		}
		heard.Clear()
		time.Sleep(15 * time.Second)
		if got := tell(); len(h.topics("/lab/a")) == 0 || !slices.Equal(got, []string{stays.name}) {
			h.T.Errorf("the one that stays is heard on, and no other: %v of %s", got, stays.name)
		}
		killed.leave() // nobody hears that
		h.Net.Partition()
		again := h.start(Config{ReportPath: "/l2/workers"}, "/lab/c", "worlds/hall.wbt", sim.Playing)
		h.Until("the one that was started in its place",
			func() bool { return slices.Contains(tell(), again.name) && len(h.topics("/lab/c")) > 0 })
	})
}
