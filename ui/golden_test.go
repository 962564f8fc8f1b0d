package ui_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/keymap"
	"simdeck/ui/uitest"
)

var update = flag.Bool("update", false, "rewrite the golden frames")

func shipped(t testing.TB) *keymap.Map {
	t.Helper()
	data, err := os.ReadFile("../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := keymap.Parse("keymap.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// open drives a console over the room at 120 by 40 cells.
func open(t *testing.T, test func(*uitest.Driver)) {
	t.Helper()
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), nil, test)
}

func link() sim.Connection { return sim.Connection{On: true, Domain: 7, Peers: 2, Name: "/simdeck"} }

func graph() sim.Graph {
	return sim.Graph{
		Nodes: []string{"/rviz", "/simdeck"},
		Topics: []sim.GraphName{
			{Name: "/burger_1/cmd_vel", Types: []string{"geometry_msgs/msg/TwistStamped"}, Publishers: 0,
				Subscribers: 1, QoS: []string{"reliable, volatile, last 10"}, Own: true},
			{Name: "/burger_1/scan", Types: []string{"sensor_msgs/msg/LaserScan"}, Publishers: 1,
				Subscribers: 1, QoS: []string{"best effort, volatile, last 5"}, Own: true, Passed: 77},
			{Name: "/clock", Types: []string{"rosgraph_msgs/msg/Clock"}, Publishers: 1, Subscribers: 2,
				QoS: []string{"reliable, volatile, last 10"}, Own: true, Passed: 1000},
		},
		Services: []sim.GraphName{{Name: "/simdeck/get_entities",
			Types: []string{"simulation_interfaces/srv/GetEntities"}, Publishers: 1, Own: true}},
	}
}

// frames are the screens whose every cell is kept, each reached by the names
// of actions.
func frames() map[string]func(*uitest.Driver) {
	press := func(ids ...string) func(*uitest.Driver) {
		return func(d *uitest.Driver) { d.Press(ids...) }
	}
	return map[string]func(*uitest.Driver){
		"start":     press(),
		"map":       press("view.map", "map.right", "map.right", "map.up"),
		"detail":    press("view.detail"),
		"poses":     press("view.poses", "list.down"),
		"state":     press("view.state"),
		"record":    press("view.state", "sim.record", "dialog.accept"),
		"recording": press("sim.record"),
		"log":       press("view.log", "sim.toggle", "sim.step", "sim.step"),
		"notes":     press("view.notes", "list.down"),
		"graph": func(d *uitest.Driver) {
			d.Press("view.graph")
			d.Wait(1100 * time.Millisecond)
			d.Press("list.down")
		},
		"camera":  press("view.camera"),
		"charts":  press("view.charts"),
		"zoom":    press("view.map", "view.zoom"),
		"help":    press("app.help"),
		"palette": func(d *uitest.Driver) { d.Press("app.palette"); d.Type("pose") },
		"spawn":   func(d *uitest.Driver) { d.Press("entity.spawn"); d.Type("crate") },
		"crowd": func(d *uitest.Driver) {
			d.Press("entity.spawn", "dialog.prev")
			d.Type("9")
			d.Press("dialog.next")
		},
		"marked":  press("list.top", "list.mark", "list.mark", "list.mark"),
		"shift":   press("list.mark_all", "entity.move"),
		"tags":    press("entity.tags"),
		"measure": press("view.map", "map.measure", "map.right", "map.right", "map.up", "map.trails"),
		"reset":   press("sim.reset", "dialog.down", "dialog.toggle"),
		"delete":  press("list.top", "entity.delete"),
		"goto":    press("entity.goto"),
		"move":    press("entity.move"),
		"drive":   press("entity.drive", "drive.forward"),
		"keys": func(d *uitest.Driver) {
			defer listened.Listen("burger_1")()
			d.Press("entity.keys")
			d.Send(uitest.KeyPress("up"))
			d.Send(uitest.KeyPress("shift+left"))
		},
		"filter":  func(d *uitest.Driver) { d.Press("list.filter"); d.Type("crate_[1-3]") },
		"frozen":  press("view.freeze"),
		"paused":  press("sim.toggle"),
		"refused": press("sim.step"),
	}
}

// listened is the keyboard of the simulator in these frames.
var listened sim.Keyboard

func TestFramesAreAsKept(t *testing.T) {
	for name, reach := range frames() {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s.%dx%d", name, size[0], size[1]), func(t *testing.T) {
				change := func(c *ui.Config) {
					c.Capabilities.Connection, c.Capabilities.Graph, c.Capabilities.Recorder = link, graph,
						&tape{}
					c.Capabilities.Keyboard = &listened
				}
				uitest.Open(t, uitest.Room(), size[0], size[1], shipped(t), change, func(d *uitest.Driver) {
					reach(d)
					golden(d.T, d.Text(), size[0], size[1])
				})
			})
		}
	}
}

// golden compares a frame with the kept one, and checks that it fills its
// window exactly.
func golden(t *testing.T, frame string, w, h int) {
	t.Helper()
	exact(t, frame, w, h)
	file := filepath.Join("testdata", "golden",
		strings.TrimPrefix(strings.ReplaceAll(t.Name(), "/", "_"), "TestFramesAreAsKept_")+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(frame+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err, "(go test ./ui -update writes it)")
	}
	got, kept := strings.Split(frame+"\n", "\n"), strings.Split(string(want), "\n")
	differ := 0
	for y := range max(len(got), len(kept)) {
		if y >= len(got) || y >= len(kept) || got[y] != kept[y] {
			if differ++; differ > 3 {
				continue
			}
			t.Errorf("line %d differs from %s (go test ./ui -update, if it is meant so)\n got %s\nwant %s",
				y+1, file, at(got, y), at(kept, y))
		}
	}
	if differ > 3 {
		t.Errorf("and %d lines more", differ-3)
	}
}

func at(lines []string, y int) string {
	if y < len(lines) {
		return lines[y]
	}
	return "(no line)"
}
