package lockstep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/node"
	"simdeck/sim"
)

const stepSize = 4 * time.Millisecond

// floor is a world and a graph as a gate sees them.
type floor struct {
	t        *testing.T
	gate     *gate
	commands map[string]node.Link
	observed map[string]node.Link
	rates    map[string]float64
	kept     map[string]bool
	only     string // sensor of the robot that takes /a
	looks    uint64
	wall     time.Time
	world    sim.Snapshot
	did      []string
}

func (f *floor) Published(topic string) node.Link  { return f.observed[topic] }
func (f *floor) Subscribed(topic string) node.Link { return f.commands[topic] }
func (f *floor) Looks() uint64                     { return f.looks }
func (f *floor) KeepNewest(topic string, on bool)  { f.kept[topic] = on }

func (f *floor) Rate(topic string) (float64, bool) {
	hz, ok := f.rates[topic]
	return hz, ok
}

func (f *floor) Observation(command string) (string, error) {
	if command != "/a" {
		return "", errors.New("its robot publishes /x, /y; want one")
	}
	return f.only, nil
}

// onAFloor has everybody there, joined for long, with a rest at time zero.
func onAFloor(t *testing.T, topics ...string) *floor {
	t.Helper()
	f := &floor{t: t, commands: map[string]node.Link{}, observed: map[string]node.Link{},
		rates: map[string]float64{"/scan": 10}, kept: map[string]bool{}, only: "/scan",
		wall: time.Unix(1000, 0)}
	there := node.Link{Others: 1, Ready: true}
	f.commands["/a"], f.commands["/b"], f.observed["/scan"] = there, there, there
	f.world.StepSize, f.world.Model = stepSize, &sim.Model{Load: 1}
	list, err := Parse(topics)
	if err != nil {
		t.Fatal(err)
	}
	resolve := func(s string) (string, error) { return "/" + strings.TrimPrefix(s, "/"), nil }
	if f.gate, err = newGate(f, list, "/clock", resolve); err != nil {
		t.Fatal(err)
	}
	f.gate.rest(&f.world)
	f.gate.decide(f.wall)
	f.settle()
	return f
}

// settle lets the time pass that a newly joined topic takes.
func (f *floor) settle() {
	f.wall, f.looks = f.wall.Add(settling), f.looks+settlingLooks
}

// at rests at a simulated time, with an observation or without.
func (f *floor) at(now time.Duration, observed bool) {
	f.world.Time, f.world.Step = now, uint64(now/stepSize)
	if observed {
		l := f.observed["/scan"]
		l.Sent++
		f.observed["/scan"] = l
	}
	f.gate.rest(&f.world)
}

// say has a message come on the n-th topic; stamp is negative without one.
func (f *floor) say(n int, what string, stamp time.Duration) {
	f.gate.channels[n].take(message{stamp, stamp >= 0, func() { f.did = append(f.did, what) }})
}

// waits checks for whom the world waits, a word for each.
func (f *floor) waits(want ...string) {
	f.t.Helper()
	got := f.gate.decide(f.wall)
	ok := len(got) == len(want)
	for i := range got {
		ok = ok && strings.Contains(got[i].Who+": "+got[i].What, want[i])
	}
	if !ok {
		f.t.Errorf("at %v it waits for %+v, want %q", f.world.Time, got, want)
	}
}

// passes checks what is carried out, and how many steps pass then.
func (f *floor) passes(steps uint64, did ...string) {
	f.t.Helper()
	f.waits()
	f.gate.deliver()
	if n := f.gate.steps(); !slices.Equal(f.did, did) || n != steps {
		f.t.Errorf("at %v %d steps pass after %q, want %d after %q", f.world.Time, n, f.did, steps, did)
	}
	f.did = nil
}

func TestAStepWaitsForAMessageForEachObservation(t *testing.T) {
	f := onAFloor(t, "a@scan")
	f.passes(25)
	f.at(100*time.Millisecond, true)
	f.waits("/a: no message for /scan of 100ms")
	f.say(0, "1", -1)
	f.passes(25, "1")
	f.at(104*time.Millisecond, false) // somebody asked again, of the same or of another step
	f.passes(24)
	f.say(0, "2", -1) // ahead of its observation: it has its turn then
	f.at(200*time.Millisecond, true)
	f.passes(25, "2")
}

func TestAStepWaitsForAMessageForEachPeriod(t *testing.T) {
	f := onAFloor(t, "a@30") // periods are no multiples of steps
	f.passes(9)
	f.at(36*time.Millisecond, true) // of others
	f.waits("/a: no message for 36ms")
	f.say(0, "1", -1)
	f.passes(8, "1")
	f.at(68*time.Millisecond, false)
	f.say(0, "2", -1)
	f.passes(8, "2")
}

func TestCommandsAreCarriedOutInTheOrderOfTheirTopics(t *testing.T) {
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		f := onAFloor(t, "b@10", "a")
		f.passes(25)
		f.at(100*time.Millisecond, true)
		f.waits("/b", "/a")
		f.say(order[0], fmt.Sprint(order[0]), -1)
		f.waits([]string{"/b", "/a"}[order[1]])
		f.say(order[1], fmt.Sprint(order[1]), -1)
		f.passes(25, "0", "1")
	}
}

func TestByStampsWhatIsLateOrLiesHasNoTurn(t *testing.T) {
	f := onAFloor(t, "a:stamp")
	f.passes(25)
	f.at(100*time.Millisecond, true)
	f.say(0, "none", -1)
	f.waits("1 dropped, the last: it has no header")
	f.say(0, "late", 96*time.Millisecond)
	f.waits("its stamp, 96ms, has passed")
	f.say(0, "early", time.Hour)
	f.waits("3 dropped, the last: its stamp, 1h0m0s, is to come")
	f.say(0, "right", 100*time.Millisecond+1) // as seconds in a float64 are
	f.say(0, "again", 100*time.Millisecond)
	f.passes(25, "right")
	f.at(200*time.Millisecond, true)
	f.waits("has passed")
	f.at(0, true) // a reset
	f.say(0, "begin", 0)
	f.passes(25, "begin")
}

func TestOfAFloodTheNewestKeepTheirTurn(t *testing.T) {
	f := onAFloor(t, "a")
	f.passes(25)
	for i := range queueLength + 3 {
		f.say(0, fmt.Sprint(i), -1)
	}
	f.at(100*time.Millisecond, true)
	f.passes(25, "3")
	if c := f.gate.channels[0]; c.dropped != 3 || len(c.queue) != queueLength-1 {
		t.Errorf("%d are dropped and %d wait", c.dropped, len(c.queue))
	}
}

func TestNoStepPassesBeforeAllAreJoinedAndWhatCameBeforeIsNoAnswer(t *testing.T) {
	f := onAFloor(t, "a")
	f.gate.channels[0].ready = time.Time{}
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() { f.commands["/a"] = node.Link{} }, "it has no publisher"},
		{func() { f.commands["/a"] = node.Link{Others: 1} }, "its publisher is being joined"},
		{func() {
			f.commands["/a"] = node.Link{Others: 1, Ready: true}
			f.observed["/scan"] = node.Link{Sent: 7}
		},
			"/scan has no subscriber"},
		{func() { f.observed["/scan"] = node.Link{Others: 1, Sent: 7} }, "the subscriber of /scan is being joined"},
		{func() { delete(f.rates, "/scan") }, "no robot publishes /scan"},
		{func() { f.rates["/scan"] = 10; f.observed["/scan"] = node.Link{Others: 1, Ready: true, Sent: 7} },
			"has just come"},
		{func() { f.wall = f.wall.Add(time.Hour) }, "has just come"}, // its sensor is not wanted yet
	} {
		c.change()
		f.say(0, "before", -1)
		f.waits(c.want)
	}
	f.settle()
	f.passes(25)
	f.at(100*time.Millisecond, true)
	f.waits("no message for /scan of 100ms")
	f.commands["/a"] = node.Link{} // it has died, and comes back: what it owed is gone
	f.waits("it has no publisher")
	f.commands["/a"] = node.Link{Others: 1, Ready: true}
	f.waits("has just come")
	f.settle()
	f.passes(25)
	onAFloor(t, "b").waits("its robot publishes /x, /y; want one")
}

// TestTheOnlySensorIsLookedUpAnewWhereItHasGone: another world may have another.
func TestTheOnlySensorIsLookedUpAnewWhereItHasGone(t *testing.T) {
	f := onAFloor(t, "a")
	f.passes(25)
	f.only, f.rates = "/camera", map[string]float64{"/camera": 20}
	f.observed["/camera"] = node.Link{Others: 1, Ready: true}
	f.waits("no robot publishes /scan")
	f.waits("has just come")
	f.settle()
	f.passes(13)
	f.gate.end()
	if f.kept["/camera"] || len(f.kept) != 2 {
		t.Errorf("of topics the newest messages are kept: %v", f.kept)
	}
}

func TestOfTopicsTheNewestMessageIsKeptForThoseWhoLoseIt(t *testing.T) {
	f := onAFloor(t, "a", "b@10")
	f.passes(25)
	if !f.kept["/scan"] || !f.kept["/clock"] {
		t.Errorf("kept is %v", f.kept)
	}
}

func TestAResetForgetsWhatWasDueAndWhatHasCome(t *testing.T) {
	f := onAFloor(t, "a", "b@10")
	f.passes(25)
	f.at(100*time.Millisecond, true)
	f.say(0, "old", -1)
	f.waits("/b")
	f.at(0, false)
	f.passes(25)
	f.at(100*time.Millisecond, true)
	f.waits("/a", "/b")
}

func TestGivingUpCountsWhatIsMissingAndGoesOnToTheNextTurn(t *testing.T) {
	f := onAFloor(t, "a", "b@10")
	f.passes(25)
	f.at(100*time.Millisecond, true)
	f.say(1, "b1", -1)
	f.waits("/a")
	if n := f.gate.giveUp(); n != 1 {
		t.Errorf("%d are missed, want 1", n)
	}
	f.passes(25, "b1")
}
