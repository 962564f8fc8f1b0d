package simtest

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/gazebo"
	"simdeck/ros/serve/worker"
	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

var update = flag.Bool("update", false, "write the tables of the manual that a run gives")

// interfacesPage is the page with the table of announced interfaces.
const interfacesPage = "../../docs/reference/ros-interfaces.md"

// announced is an interface as a client heard of it.
type announced struct {
	name, kind, types, qos string
}

// serving is a way of serving a world.
type serving struct {
	profile, world string
	config         ros.Config
}

// files are the demo worlds, or those of the tests.
func (s *serving) files() fs.FS {
	if strings.HasSuffix(s.world, ".sdf") {
		return os.DirFS("testdata")
	}
	return worlds.FS()
}

// servings are the demo worlds and one with rare sensors, with the profiles that a bridge can have. They have
// a sensor of every kind.
var servings = []serving{
	{"every world", "empty", ros.Config{}}, {"robots", "bench", ros.Config{}},
	{"robots", "playground", ros.Config{}}, {"robots", "armcell", ros.Config{}},
	{"robots", "hills", ros.Config{}}, {"robots", "maze", ros.Config{}},
	{"robots", "instruments.sdf", ros.Config{}},
	{"`--legacy gazebo`", "bench", ros.Config{Legacy: gazebo.Classic}},
	{"`--legacy o3de`", "bench", ros.Config{Legacy: gazebo.O3DE}},
	{"ego vehicle", "track", ros.Config{}},
	{"`--worker`", "bench", ros.Config{Node: "worker", Namespace: "/NS", Worker: &worker.Config{}}},
}

// heardOf returns the topics, services and actions that a client sees of a bridge, by name. It adds the kinds
// of the world's sensors.
func heardOf(t *testing.T, s serving, kinds map[scene.SensorKind]bool) (all []announced, robots []string) {
	synctest.Test(t, func(t *testing.T) {
		net := netsim.New(1)
		e := rostest.Engine(t, s.files(), scene.Resource{URI: s.world}, sim.Playing)
		c := s.config
		c.Transport = net.Host("sim")
		b, err := ros.New(c, e)
		if err != nil {
			t.Fatal(err)
		}
		client, err := node.New(node.Config{Name: "client", Transport: net.Host("client")})
		if err != nil {
			t.Fatal(err)
		}
		defer rostest.Run(t, "engine", e.Run)()
		defer rostest.Run(t, "bridge", func(ctx context.Context) error { return b.Run(ctx) })()
		defer rostest.Run(t, "client", client.Run)()
		time.Sleep(3 * time.Second)
		if !client.Complete() {
			t.Error("the graph is not known after 3 s")
		}
		for _, m := range e.Snapshot().Model.Entities {
			robots = append(robots, m.Name)
			for _, sensor := range m.Sensors {
				kinds[sensor.Spec.Kind] = true
			}
		}
		g := client.Graph()
		for _, topic := range g.Topics {
			kind := "published"
			if topic.Publishers == 0 {
				kind = "taken"
			}
			if !topic.Own && !strings.Contains(topic.Name, "/_action/") {
				all = append(all, announced{topic.Name, kind, strings.Join(topic.Types, ", "),
					strings.Join(topic.QoS, " or ")})
			}
		}
		for _, service := range g.Services {
			if !service.Own {
				all = append(all, announced{service.Name, "service", strings.Join(service.Types, ", "), ""})
			}
		}
	})
	return all, robots
}

// general is the interface under the name that stands for those of all robots; actions are their goals.
func (a announced) general(robots []string) announced {
	for _, name := range robots {
		if rest, ok := strings.CutPrefix(a.name, "/"+name+"/"); ok {
			a.name = "NAME/" + rest
		}
		if rest, ok := strings.CutPrefix(a.name, "/NS/"+name+"/"); ok {
			a.name = "/NS/NAME/" + rest
		}
	}
	if goal, ok := strings.CutSuffix(a.name, "/_action/send_goal"); ok {
		a.name, a.kind = goal, "action"
	}
	a.types = strings.NewReplacer("/msg/", "/", "/srv/", "/", "/action/", "/",
		"_SendGoal", "").Replace(a.types)
	return a
}

// parameters are the services that every node has for its parameters.
var parameters = regexp.MustCompile(`/(simdeck|worker)/(describe_parameters|get_parameter_types|` +
	`get_parameters|get_type_description|list_parameters|set_parameters|set_parameters_atomically)$|` +
	`/rosout$|/parameter_events$`)

// TestAnnouncedInterfacesAreThoseOfTheManual serves the demo worlds and hears, from another host, what is
// announced: names, types and quality of service. -update writes the manual's table.
func TestAnnouncedInterfacesAreThoseOfTheManual(t *testing.T) {
	type key struct{ name, kind, types string }
	type row struct{ qos, when []string }
	var order []key
	rows := map[key]*row{}
	kinds := map[scene.SensorKind]bool{}
	for _, s := range servings {
		all, robots := heardOf(t, s, kinds)
		for _, a := range all {
			a = a.general(robots)
			if strings.Contains(a.name, "/_action/") || parameters.MatchString(a.name) {
				continue
			}
			outside := key{strings.TrimPrefix(strings.TrimPrefix(a.name, "/NS"), "/NAME"), a.kind, a.types}
			if strings.HasPrefix(a.name, "/NS/NAME/") {
				outside.name = strings.TrimPrefix(a.name, "/NS/")
			}
			k := key{a.name, a.kind, a.types}
			if k != outside && rows[outside] != nil {
				continue // in the namespace stands what stands there without one
			}
			if rows[k] == nil {
				rows[k] = &row{}
				order = append(order, k)
			}
			at := rows[k]
			for _, q := range strings.Split(a.qos, " or ") {
				if !slices.Contains(at.qos, q) && q != "" {
					at.qos = append(at.qos, q)
				}
			}
			if !slices.Contains(at.when, s.profile) && (len(at.when) == 0 || s.profile == "robots" ||
				at.when[0] == "`--legacy gazebo`") {
				at.when = append(at.when, s.profile)
			}
		}
	}
	slices.SortFunc(order, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.types, b.types))
	})
	var b strings.Builder
	b.WriteString("\n| name | kind | type | quality of service | when |\n")
	b.WriteString("| --- | --- | --- | --- | --- |\n")
	for _, k := range order {
		at := rows[k]
		if slices.Contains(at.when, "every world") {
			at.when = []string{"every world"}
		}
		slices.Sort(at.qos)
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s |\n", k.name, k.kind,
			strings.ReplaceAll(k.types, ", ", "`, `"),
			strings.Join(at.qos, "; "), strings.Join(at.when, ", "))
	}
	for k := scene.Lidar; k <= scene.DVL; k++ {
		if k != scene.OtherSensor && !kinds[k] {
			t.Errorf("no world has a sensor of kind %d", k)
		}
	}
	if len(order) < 60 {
		t.Errorf("%d interfaces were heard of: the worlds do not show what there is", len(order))
	}
	hold(t, interfacesPage, "announced", b.String())
}

// hold compares the marked part of a page, or writes it.
func hold(t *testing.T, page, name, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), "<!-- "+name+":begin")
	line, rest, too := strings.Cut(rest, "\n")
	old, tail, three := strings.Cut(rest, "<!-- "+name+":end -->")
	if !ok || !too || !three {
		t.Fatalf("%s has no part %q", page, name)
	}
	want += "\n"
	if old == want {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: go test ./ros/simtest -run %s -update writes it", page, t.Name())
	}
	now := head + "<!-- " + name + ":begin" + line + "\n" + want + "<!-- " + name + ":end -->" + tail
	if err := os.WriteFile(page, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
}
