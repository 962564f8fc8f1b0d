package ros

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/gazebo"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

// marker stands in files that no client may be told of.
const marker = "Xyzzy7Marker"

// hostileURIs name files that lie outside the folder that clients may search, or in it and are no models.
func hostileURIs(inside, outside string) []string {
	file := filepath.Join(outside, "shadow")
	return []string{
		file, "file://" + file, "file://localhost" + file, "file://host" + file, "file:///" + file,
		"file:" + file, "/" + file,
		file + ".sdf", file + ".urdf", file + ".yaml", "file://" + strings.ReplaceAll(file, "/", "%2f"),
		inside + "/../private/shadow.sdf", "../private/shadow.sdf", `..\private\shadow.sdf`,
		"..%2fprivate%2fshadow.sdf", inside + "/%2e%2e/private/shadow.sdf",
		"package://../private/shadow.sdf", "model://../private/shadow.sdf",
		"package://robots/../private/shadow.urdf", "spawnable://path1/../private/shadow",
		"world://path1/../private/shadow.sdf", "product_asset:///../private/shadow.spawnable",
		"product_asset://" + file + ".spawnable", "spawnable://@cache@/../private/shadow.spawnable",
		"../private/shadow.spawnable",
		"spawnable://source2" + file, "/proc/self/root" + file + ".sdf", "/proc/self/environ",
		"file:///proc/self/environ", file + ".sdf\x00", file + ".sdf.", file + "%00.sdf",
		inside + "/link.sdf", inside + "/folder/shadow.sdf", "folder/shadow.urdf", inside + "/notes",
		inside + "/notes.yaml", inside + "/notes.sdf", inside + "/notes.proto",
		inside + "/bot.xacro?file=" + inside + "/notes.yaml",
	}
}

// vault is a folder that clients may search, and one beside it.
func vault(t *testing.T) (inside, outside string) {
	base := t.TempDir()
	inside, outside = filepath.Join(base, "robots"), filepath.Join(base, "private")
	good := `<sdf version="1.9"><world name="` + marker + `"/><model name="` + marker +
		`"><link name="l"/></model></sdf>`
	plain := "root:" + marker + ":19000\npassword: " + marker + "\n"
	for name, text := range map[string]string{
		outside + "/shadow": plain, outside + "/shadow.sdf": good, outside + "/shadow.yaml": plain,
		outside + "/shadow.urdf": `<robot name="` + marker + `"><link name="l"/></robot>`,
		inside + "/notes":        plain, inside + "/notes.yaml": plain, inside + "/notes.sdf": plain,
		inside + "/notes.proto": plain,
		inside + "/bot.xacro":   `<robot name="b" xmlns:xacro="x"><xacro:arg name="file" default=""/><xacro:property name="v" value="${xacro.load_yaml('$(arg file)')}"/><link name="${v['link']}"/></robot>`,
		inside + "/box.sdf":     `<sdf version="1.9"><model name="box"><link name="l"/></model></sdf>`,
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700),
			os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink(outside+"/shadow.sdf", inside+"/link.sdf"),
		os.Symlink("../private", inside+"/folder")); err != nil {
		t.Fatal(err)
	}
	return inside, outside
}

// inVault runs a test with every profile of a bridge, on an engine that may search one folder.
func inVault(t *testing.T, inside string, test func(s *rostest.Stage, heard func() string)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		root, err := os.OpenRoot(inside)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: worlds.FS()},
			{Name: "path1", FS: root.FS(), Base: inside}}})
		e, err := engine.New(engine.Config{Library: lib, Clients: lib.ForClients(), Start: sim.Paused,
			World: scene.Resource{URI: "world://@cache@/track"}})
		if err != nil {
			t.Fatal(err)
		}
		net := netsim.New(1)
		b, err := New(Config{Transport: net.Host("sim"), Legacy: gazebo.Classic}, e)
		if err != nil {
			t.Fatal(err)
		}
		client, err := node.New(node.Config{Name: "client", Transport: net.Host("client")})
		if err != nil {
			t.Fatal(err)
		}
		engineEnds, bridgeEnds, clientEnds := run(ctx, e.Run), run(ctx, b.Run), run(ctx, client.Run)
		s := &rostest.Stage{T: t, Net: net, Engine: e, Client: client}
		log := rostest.Hear[rclinterfaces.Log](s, "/rosout", node.DefaultQoS())
		seen := sync.OnceValue(func() *sim.Subscription { return e.Subscribe(sim.Lossless(1<<16, 0)) })()
		test(s, func() string {
			time.Sleep(time.Second)
			var all strings.Builder
			for _, m := range log.All() {
				fmt.Fprintf(&all, "%s\n", m.Msg)
			}
			for len(seen.C()) > 0 {
				now := <-seen.C()
				fmt.Fprintf(&all, "%+v %+v\n", now.Events, now.Model)
			}
			return all.String()
		})
		seen.Close()
		cancel()
		if err := errors.Join(<-engineEnds, <-bridgeEnds, <-clientEnds); err != nil {
			t.Error(err)
		}
	})
}

// asks is every service and action that takes an address or a text, with what it answers and whether it took
// it.
func asks(s *rostest.Stage) map[string]func(uri, text string) (answer string, took bool) {
	result := func(r simif2.Result) (string, bool) { return r.ErrorMessage, r.Result == simif2.ResultOK }
	return map[string]func(string, string) (string, bool){
		"spawn_entity": func(uri, text string) (string, bool) {
			return result(rostest.Ask(s, "/spawn_entity", simif2.SpawnEntityService(),
				&simif2.SpawnEntityRequest{Name: "x", AllowRenaming: true,
					EntityResource: simif2.Resource{URI: uri, ResourceString: text}}).Result)
		},
		"spawn_entity of 1.x": func(uri, text string) (string, bool) {
			r := rostest.Ask(s, "/spawn_entity", simif1.SpawnEntityService(),
				&simif1.SpawnEntityRequest{Name: "x", AllowRenaming: true, URI: uri,
					ResourceString: text}).Result
			return r.ErrorMessage, r.Result == simif2.ResultOK
		},
		"spawn_entities": func(uri, text string) (string, bool) {
			r := rostest.Ask(s, "/spawn_entities", simif2.SpawnEntitiesService(),
				&simif2.SpawnEntitiesRequest{SpawnRequests: []simif2.SpawnEntity{{Name: "x",
					AllowRenaming: true, EntityResource: simif2.Resource{URI: uri, ResourceString: text}}}})
			return fmt.Sprintf("%+v", r), r.Result.Result == simif2.ResultOK
		},
		"load_world": func(uri, text string) (string, bool) {
			r := rostest.Ask(s, "/load_world", simif2.LoadWorldService(),
				&simif2.LoadWorldRequest{WorldResource: simif2.Resource{URI: uri, ResourceString: text}})
			return fmt.Sprintf("%+v", r), r.Result.Result == simif2.ResultOK
		},
		"sim/load_world": func(uri, _ string) (string, bool) {
			r := rostest.Ask(s, "/sim/load_world", gssimmsgs.LoadWorldService(),
				&gssimmsgs.LoadWorldRequest{WorldBundlePath: uri})
			return fmt.Sprintf("%+v", r), r.Success
		},
		"gazebo_msgs": func(uri, text string) (string, bool) {
			r := rostest.Ask(s, "/spawn_entity", gazebomsgs.SpawnEntityService(),
				&gazebomsgs.SpawnEntityRequest{Name: "x", Xml: text + uri})
			return r.StatusMessage, r.Success
		},
		"execute_scenario": func(uri, _ string) (string, bool) {
			c, err := node.NewActionClient(s.Client, "/sim/execute_scenario",
				gssimmsgs.ExecuteScenarioAction())
			if err != nil {
				s.T.Fatal(err)
			}
			defer c.Close()
			ctx := s.Soon()
			if err := c.WaitReady(ctx); err != nil {
				s.T.Fatal(err)
			}
			g, err := c.Send(ctx, &gssimmsgs.ExecuteScenarioGoal{ScenarioFile: uri}, nil)
			if err != nil {
				s.T.Fatal(err)
			}
			_, r, err := g.Result(ctx)
			if err != nil {
				s.T.Fatal(err)
			}
			return r.Message, r.Success
		},
	}
}

// texts are models that name a file.
func texts(uri string) []string {
	return []string{
		`<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><mesh><uri>` + uri +
			`</uri></mesh></geometry></visual></link></model></sdf>`,
		`<sdf version="1.9"><world name="m"><include><uri>` + uri + `</uri></include></world></sdf>`,
		`<robot name="r" xmlns:xacro="x"><xacro:include filename="` + uri + `"/><link name="l"/></robot>`,
		`<robot name="r" xmlns:xacro="x"><link name="${xacro.load_yaml('` + uri + `')}"/></robot>`,
		`<mujoco><include file="` + uri + `"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>`,
	}
}

// sources asks for what lies in folders that no client may search.
func sources(s *rostest.Stage, outside string) {
	for _, source := range []string{"/", "file:///", outside, "/proc/self/root"} {
		r := rostest.Ask(s, "/get_spawnables", simif2.GetSpawnablesService(),
			&simif2.GetSpawnablesRequest{Sources: []string{source}})
		if r.Result.Result != simif2.ResultOK ||
			!strings.Contains(r.Result.ErrorMessage, "--spawn-from anywhere") ||
			strings.Contains(fmt.Sprint(r.Spawnables), "private") {
			s.T.Errorf("source %s: %+v", source, r)
		}
		w := rostest.Ask(s, "/get_available_worlds", simif2.GetAvailableWorldsService(),
			&simif2.GetAvailableWorldsRequest{AdditionalSources: []string{source}})
		if w.Result.Result != simif2.ResultOperationFailed ||
			!strings.Contains(w.Result.ErrorMessage, "--spawn-from anywhere") {
			s.T.Errorf("source %s: %+v", source, w)
		}
		_ = rostest.Ask(s, "/get_available_worlds", simif2.GetAvailableWorldsService(),
			&simif2.GetAvailableWorldsRequest{AdditionalSources: []string{source}, ContinueOnError: true})
	}
}

func TestNoServiceTellsOrReadsAFileThatClientsMayNotHave(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 7 s")
	}
	inside, outside := vault(t)
	inVault(t, inside, func(s *rostest.Stage, heard func() string) {
		tried := 0
		for _, after := range []bool{false, true} {
			if after {
				sources(s, outside)
			}
			for what, ask := range asks(s) {
				for _, uri := range hostileURIs(inside, outside) {
					answer, took := ask(uri, "")
					if took || strings.Contains(answer, marker) {
						t.Errorf("%s of %q (after sources: %t): took it %t, %s", what, uri, after, took,
							answer)
					}
					tried++
					if strings.ContainsRune(uri, 0) || strings.HasPrefix(what, "sim/") ||
						what == "execute_scenario" {
						continue
					}
					for _, text := range texts(uri) {
						if answer, _ := ask("", text); strings.Contains(answer, marker) {
							t.Errorf("%s of %q (after sources: %t): %s", what, text, after, answer)
						}
						tried++
					}
				}
			}
		}
		if log := heard(); strings.Contains(log, marker) ||
			!strings.Contains(log, "outside the search folders") {
			at := max(0, strings.Index(log, marker))
			t.Errorf("/rosout and snapshots: …%s…", log[max(0, at-300):min(len(log), at+100)])
		}
		if answer, took := asks(s)["spawn_entity"]("file://"+inside+"/box.sdf", ""); !took {
			t.Errorf("what may be had is not: %s", answer)
		}
		if tried < 2*21*7 {
			t.Errorf("%d attempts", tried)
		}
	})
}
