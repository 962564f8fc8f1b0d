package pane

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/ui/canvas"
)

func someGraph(passed uint64) sim.Graph {
	return sim.Graph{
		Nodes: []string{"/rviz", "/simdeck"},
		Topics: []sim.GraphName{
			{Name: "/chatter", Types: []string{"std_msgs/msg/String"}, Publishers: 1,
				QoS: []string{"reliable, volatile, last 10"}},
			{Name: "/clock", Types: []string{"rosgraph_msgs/msg/Clock"}, Publishers: 1, Subscribers: 2,
				QoS: []string{"reliable, volatile, last 10"}, Own: true, Passed: passed},
		},
		Services: []sim.GraphName{{Name: "/get_entities",
			Types: []string{"simulation_interfaces/srv/GetEntities"}, Publishers: 1, Own: true}},
	}
}

func (g *Graph) names() (list []string) {
	for _, i := range g.order {
		list = append(list, g.rows[i].kind+" "+g.rows[i].Name)
	}
	return list
}

func TestRatesAreOfWhatPassedSinceTheTimeBefore(t *testing.T) {
	var g Graph
	at := time.Unix(100, 0)
	for i, step := range []struct {
		passed uint64
		after  time.Duration
		want   string
	}{{1000, 0, ""}, {1050, time.Second, "50.0 Hz"}, {1050, time.Second, "0.0 Hz"},
		{2050, 2 * time.Second, "500 Hz"}, {10, time.Second, ""}, {11, time.Second, "1.0 Hz"}} {
		at = at.Add(step.after)
		g.Take(someGraph(step.passed), at)
		for k := range g.rows {
			want := ""
			if g.rows[k].Name == "/clock" {
				want = step.want
			}
			if got := g.rows[k].hertz(); got != want {
				t.Errorf("look %d: the rate of %s is %q, want %q", i, g.rows[k].Name, got, want)
			}
		}
	}
}

func TestTheGraphIsFilteredByKindAndKeepsItsRow(t *testing.T) {
	var g Graph
	g.Take(someGraph(0), time.Unix(1, 0))
	for text, want := range map[string][]string{
		"": {"node /rviz", "node /simdeck", "topic /chatter", "topic /clock",
			"service /get_entities"},
		"tag:topic":          {"topic /chatter", "topic /clock"},
		"tag:own !tag:topic": {"service /get_entities"},
		"clo":                {"topic /clock"},
	} {
		if g.SetFilter(text); !slices.Equal(g.names(), want) {
			t.Errorf("%q shows %v, want %v", text, g.names(), want)
		}
	}
	g.SetFilter("")
	g.Bottom()
	g.Move(-1)
	more := someGraph(0)
	more.Nodes = append([]string{"/aaa"}, more.Nodes...)
	if g.Take(more, time.Unix(2, 0)); g.selected().Name != "/clock" {
		t.Errorf("the cursor is on %s after a node came", g.selected().Name)
	}
}

func TestTheGraphShowsNamesAndPartiesAtAnyWidth(t *testing.T) {
	var g Graph
	g.Take(someGraph(0), time.Unix(1, 0))
	for _, w := range []int{38, 58, 78, 118, 198} {
		cells := canvas.NewCellBuffer(w, 8)
		g.Draw(cells.All(), &View{Link: sim.Connection{On: true}})
		text := cells.Plain()
		for _, want := range []string{"/clock", "1→2", "/get_entities", "1→0", "/simdeck"} {
			if !strings.Contains(text, want) {
				t.Errorf("at %d columns %q is not shown:\n%s", w, want, text)
			}
		}
		if got := strings.Contains(text, "rosgraph_msgs/msg/Clock"); got != (w >= 78) {
			t.Errorf("at %d columns types are shown: %v\n%s", w, got, text)
		}
		if got := strings.Contains(text, "reliable, volatile, last 10"); got != (w >= 118) {
			t.Errorf("at %d columns the quality of service is shown: %v\n%s", w, got, text)
		}
	}
	g.SetFilter("clock")
	if page := fmt.Sprint(g.Whole()); !strings.Contains(page, "quality of service") ||
		!strings.Contains(page, "takes part") {
		t.Errorf("the page of a topic: %s", page)
	}
}

func TestTopicsThatFallSilentOrLoseTheirPublisherAreTold(t *testing.T) {
	var g Graph
	at := time.Unix(100, 0)
	look := func(passed uint64, publishers int) string {
		at = at.Add(time.Second)
		now := someGraph(passed)
		now.Topics[1].Publishers = publishers
		g.Take(now, at)
		c := canvas.NewCellBuffer(120, 8)
		g.Draw(c.All(), &View{Snap: &sim.Snapshot{State: sim.Playing}, Link: sim.Connection{On: true}})
		for _, line := range strings.Split(c.Plain(), "\n") {
			if strings.Contains(line, "/clock") {
				return line
			}
		}
		return ""
	}
	look(0, 1)
	if got := look(50, 1); strings.Contains(got, "!") || !strings.Contains(got, "50.0 Hz") ||
		!strings.Contains(got, "█") {
		t.Errorf("a topic that flows: %q", got)
	}
	if got := look(50, 1); !strings.Contains(got, "!0.0 Hz") {
		t.Errorf("a topic that fell silent: %q", got)
	}
	if got := look(100, 0); !strings.Contains(got, "!0→2") {
		t.Errorf("a topic without its publisher: %q", got)
	}
	if text, _ := g.Badge(); text != "!1" {
		t.Errorf("the badge is %q", text)
	}
	look(150, 1)
	if text, _ := g.Badge(); text != "" {
		t.Errorf("when it is back, the badge is %q", text)
	}
}
