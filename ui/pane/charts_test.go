package pane

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

// charted feeds a chart n snapshots of the gallery, in which the green box
// goes along x.
func charted(c *Charts, n int, every time.Duration, from time.Duration, x func(i int) float64) {
	for i := range n {
		s := gallery()
		s.Time = from + time.Duration(i)*every
		s.Entities[1].Pose.Pos = r3.V(x(i), 0, 0.5)
		c.Entity = "green"
		c.Feed(s)
	}
}

func drawn(c *Charts, w, h int) string {
	g := canvas.NewCellBuffer(w, h)
	c.Draw(g.All(), &View{Snap: gallery(), Entity: 1, Symbols: canvas.ASCII})
	return g.Plain()
}

func TestAChartShowsHowANumberWent(t *testing.T) {
	c := &Charts{}
	charted(c, 400, 50*time.Millisecond, 0, func(i int) float64 { return float64(i) * 0.01 })
	c.SetFilter("x")
	text := drawn(c, 80, 12)
	for _, want := range []string{"># x ", "3.9900 m", " 4│", " 0│", "-30s", "-10s", "now"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	// A straight way up: the highest point is at the right, the lowest a third in, where 20 s of 30 begin.
	lines := strings.Split(text, "\n")
	top, bottom := strings.LastIndexByte(lines[0], '*'), strings.IndexByte(lines[10], '*')
	if top < 76 || bottom < 55 || bottom > 62 {
		t.Errorf("the curve goes from column %d to %d\n%s", bottom, top, text)
	}
}

func TestAChartForgetsWhatIsOldAndWhatWasTakenBack(t *testing.T) {
	c := &Charts{}
	charted(c, 3000, 50*time.Millisecond, 0, func(i int) float64 { return float64(i) })
	if n := len(c.times); n != 601 {
		t.Errorf("%d values of 30 s, 20 a second", n)
	}
	charted(c, 1, 0, 140*time.Second, func(int) float64 { return 7 })
	if last := c.times[len(c.times)-1]; last != 140*time.Second {
		t.Errorf("the clock went back to 140 s, the newest value is of %v", last)
	}
	for i := range c.series {
		if len(c.series[i].values) != len(c.times) {
			t.Fatalf("%s has %d values at %d times", c.series[i].name, len(c.series[i].values), len(c.times))
		}
	}
	c.Entity = "red"
	c.Feed(gallery())
	if len(c.times) != 1 || c.of != "red" {
		t.Errorf("another entity: %d values of %q", len(c.times), c.of)
	}
}

func TestAChartIsDrawnInAnyWindow(t *testing.T) {
	c := &Charts{}
	for _, s := range []*sim.Snapshot{gallery(), {Model: &sim.Model{}}} {
		c.Feed(s)
		for w := range 90 {
			for _, h := range []int{0, 1, 2, 3, 7, 30} {
				g := canvas.NewCellBuffer(w, h)
				c.Draw(g.All(), &View{Snap: s, Entity: -1, Focused: true})
			}
		}
	}
}

func TestNumbersInChartsAreShort(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 9.99999, 12.345, -999.99, 1234.5, 99999.9, 1e6, -1.5e12, 1e-5,
		-3e-9} {
		if s := short(v); len(s) > 8 {
			t.Errorf("%v is %q", v, s)
		}
	}
	if got := strings.Join([]string{short(0), short(12.345678), short(1234.5678), short(2e6)},
		" "); got != "0.0000 12.35 1235 2.0e+06" {
		t.Error(got)
	}
}

// parade is a world of n robots, of which number i goes at i cm/s.
func parade(n int, now time.Duration) *sim.Snapshot {
	s := &sim.Snapshot{Time: now, Model: &sim.Model{}}
	for i := range n {
		s.Model.Entities = append(s.Model.Entities, sim.EntityModel{Name: fmt.Sprintf("r%02d", i),
			ID: uint64(i + 1), Info: scene.Info{Category: scene.Robot}, Spec: &scene.ModelSpec{}})
		s.Entities = append(s.Entities, sim.EntityState{
			Pose: r3.PoseRPY(float64(i)*0.01*now.Seconds(), 0, 0, 0, 0, 0)})
	}
	return s
}

func TestAChartBeginsWithWhatMovesAndKnowsWhatRobotsDidBeforeTheyAreSelected(t *testing.T) {
	c, model := &Charts{Entity: "r01"}, parade(40, 0).Model
	for i := range 200 {
		s := parade(40, time.Duration(i)*chartEvery)
		s.Model = model
		c.Feed(s)
	}
	if name := c.series[c.order[c.Cursor]].name; name != "x" {
		t.Errorf("it begins with %q, want x, the first that moves", name)
	}
	if n := len(c.kept); n != mostRobots {
		t.Errorf("%d histories, want %d", n, mostRobots)
	}
	c.Move(1)
	s := parade(40, 200*chartEvery)
	s.Model, c.Entity = model, "r05"
	c.Feed(s)
	if len(c.times) != 201 {
		t.Errorf("%d values of a robot that was not selected before, want 201", len(c.times))
	}
	for i := 20; i < 40; i++ {
		s = parade(40, time.Duration(201+i)*chartEvery)
		s.Model, c.Entity = model, fmt.Sprintf("r%d", i)
		c.Feed(s)
	}
	if n := len(c.kept); n > mostCharted || c.kept["r39"] == nil || c.kept["r20"] != nil {
		t.Errorf("%d histories, want at most %d, of who was selected last", n, mostCharted)
	}
}

func TestWhatStandsIsChartedOnAnAxisOfItsUnit(t *testing.T) {
	c := &Charts{}
	charted(c, 100, chartEvery, 0, func(i int) float64 { return 1e-7 * float64(i%2) })
	c.SetFilter("x")
	text := drawn(c, 80, 12)
	if !strings.Contains(text, " 0.01│") || !strings.Contains(text, "-0.01│") {
		t.Errorf("want an axis of centimetres:\n%s", text)
	}
}

func TestAxesHaveRoundTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		ticks     int
		want      string
	}{
		{0, 3.99, 5, "0 1 2 3 4"}, {-0.31, 0.29, 5, "-0.4 -0.2 0.0 0.2 0.4"}, {99.2, 101.7, 4, "99 100 101 102"},
		{0, 1e6, 3, "0 500000 1000000"}, {7, 7, 4, "6 7 8"}, {-1e-9, 1e-9, 3, "-0.01 0.00 0.01"},
		{12, 3400, 2, "0 5000"},
	} {
		a := axisOf(c.low, c.high, c.ticks)
		var got []string
		for k := range 1 + int(math.Round((a.high-a.low)/a.step)) {
			got = append(got, a.label(a.low+float64(k)*a.step))
		}
		if text := strings.Join(got, " "); text != c.want || a.low > c.low || a.high < c.high {
			t.Errorf("%g to %g in %d ticks: %q, want %q", c.low, c.high, c.ticks, text, c.want)
		}
	}
}

func TestSeveralCurvesShareTheAxisOfTheirUnit(t *testing.T) {
	c := &Charts{}
	charted(c, 400, chartEvery, 0, func(i int) float64 { return float64(i) * 0.01 })
	for range len(c.series) {
		if c.series[c.order[c.Cursor]].name == "x" {
			break
		}
		c.Move(1)
	}
	if name, on := c.Add(); name != "x" || !on {
		t.Fatalf("added %q, %v", name, on)
	}
	c.Move(1)
	if text := drawn(c, 90, 16); c.series[c.order[c.Cursor]].unit != "m" || !strings.Contains(text, " 4│") {
		t.Errorf("y beside x, which goes to 4 m:\n%s", text)
	}
	for c.series[c.order[c.Cursor]].unit == "m" {
		c.Move(1)
	}
	if text := drawn(c, 90, 16); !strings.Contains(text, "x 0…5 m") && !strings.Contains(text, "x 0…4 m") {
		t.Errorf("x beside a number of another unit has no range of its own:\n%s", text)
	}
	for range 2 * len(curveInks) {
		c.Add()
		c.Move(1)
	}
	if len(c.added) >= len(curveInks) {
		t.Errorf("%d curves for %d colors", len(c.added)+1, len(curveInks))
	}
}
