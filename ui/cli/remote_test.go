package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/r3"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// simulator notes what it is asked and answers what its tests need.
type simulator struct {
	asked  []string
	paused bool
}

func (s *simulator) Title() string { return "/gz_server" }

func (s *simulator) Do(_ context.Context, c sim.Command) (sim.Reply, error) {
	s.asked = append(s.asked, fmt.Sprintf("%T%+v", c, c))
	switch c := c.(type) {
	case sim.SetState:
		if s.paused && c.State == sim.Paused {
			return nil, fmt.Errorf("paused: %w", sim.ErrAlreadyInState)
		}
		s.paused = c.State == sim.Paused
	case sim.StepWorld:
		return sim.Stepped{Completed: c.N, Time: time.Duration(c.N) * 4 * time.Millisecond}, nil
	case sim.Spawn:
		switch c.Resource.URI {
		case "model://taken":
			return nil, fmt.Errorf("/gz_server refuses spawn_entity: %w", sim.ErrNameTaken)
		case "model://missing", "model://bxo":
			return nil, fmt.Errorf("/gz_server refuses spawn_entity: %w", sim.ErrNotFound)
		}
		if c.Resource.URI == "model://nameless" {
			return sim.Spawned{}, nil
		}
		if c.Name == "" {
			c.Name = "box_1"
		}
		return sim.Spawned{Name: c.Name}, nil
	case sim.ListSpawnables:
		return sim.Spawnables{List: []sim.Spawnable{{URI: "model://box"}}}, nil
	case sim.Delete:
		if c.Names[0] == "nobody" {
			return nil, fmt.Errorf("/gz_server refuses delete_entity: %w", sim.ErrNotFound)
		}
	}
	return sim.Done{}, nil
}

func (s *simulator) Entities(_ context.Context, filter string) (time.Duration, []Entity, error) {
	s.asked = append(s.asked, fmt.Sprintf("entities %q", filter))
	if filter == "[" {
		return 0, nil, errors.New("/gz_server refuses get_entities_states: missing ]")
	}
	at := sim.EntityState{Pose: r3.PoseRPY(-1, 2.0004, -0.00001, 0, 0, 1.5707963),
		Twist: r3.Twist{Linear: r3.V(3, 4, 0)}}
	return 1500 * time.Millisecond, []Entity{{"box", &at}, {"a_longer_name", nil}}, nil
}

func (s *simulator) Call(_ context.Context, service string, fields []string) (Answer, error) {
	s.asked = append(s.asked, fmt.Sprintf("call %s %q", service, fields))
	switch service {
	case "set_simulation_state":
		return Answer{Code: 1, Name: "OK", JSON: []byte(`{"result":{}}`)}, nil
	case "refuses":
		return Answer{Simulator: "/gz_server", Service: "/gz_server/refuses", Code: 4,
			Name: "OPERATION_FAILED", JSON: []byte(`{"result":{"result":4}}`), Text: "x: 1\n"}, nil
	}
	return Answer{Code: 1, Name: "OK", JSON: []byte(`{"entities":["a"]}`), Text: "entities: [a]\n"}, nil
}

// on runs a command line on a simulator; the text is the output, after the calls that the simulator got.
func on(t *testing.T, r *simulator, args []string) string {
	t.Helper()
	r.asked = nil
	var out bytes.Buffer
	p := Program{Version: "test", Services: func() []string {
		return []string{"spawn_entity",
			"delete_entity"}
	},
		Fields: func(string) []string { return []string{"name", "entity_resource.uri"} },
		Attach: func(ctx context.Context, o ROS, target Target,
			work func(context.Context, Remote) error) error {
			if target.Node == "nobody" {
				return fmt.Errorf("no simulator: %q on domain %d", target.Node, o.Domain)
			}
			r.asked = append(r.asked, strings.TrimSpace(fmt.Sprintf("serves %s %s %s", target.Service,
				target.Node, target.Line)))
			return work(ctx, r)
		},
		Conform: func(_ context.Context, _ ROS, target Target, c Conform, out io.Writer) error {
			fmt.Fprintf(out, "conform %+v %+v\n", target, c)
			if c.Quit {
				return errors.New("/gz_server does not conform: 1 of 3 checks failed")
			}
			return nil
		}}
	root := newRoot(&session{Program: p,
		environ: []string{"XDG_CONFIG_HOME=" + t.TempDir(), "ROS_DOMAIN_ID=7"}})
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.ExecuteContext(t.Context())
	text := ""
	for _, a := range r.asked {
		text += "  > " + a + "\n"
	}
	text += out.String()
	if err != nil {
		text += fmt.Sprintf("simdeck: %s\n(exit code %d)\n", oneLine(err), ExitCode(err))
	}
	return text
}

func TestTheRemoteCommandsSayWhatTheScriptSays(t *testing.T) {
	file := filepath.Join("testdata", "remote.txt")
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	r := &simulator{}
	for line := range strings.Lines(string(want)) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		if !ok {
			continue
		}
		fmt.Fprintf(&got, "$ %s\n%s\n", command, on(t, r, strings.Fields(command)))
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != string(want) && !*update {
		t.Errorf("the commands print\n%s\nwant what is in %s (-update rewrites it)", got.String(), file)
	}
}

func TestAFileHereIsSpawnedByItsFullPath(t *testing.T) {
	full, err := filepath.Abs("testdata/robot.urdf")
	if err != nil {
		t.Fatal(err)
	}
	r := &simulator{}
	on(t, r, []string{"spawn", "testdata/robot.urdf", "--node", "a b"})
	if len(r.asked) != 2 || !strings.Contains(r.asked[1], "URI:"+full) {
		t.Errorf("asked was %q", r.asked)
	}
}

func TestEveryRemoteCommandHasHelpAndItsFlags(t *testing.T) {
	for _, c := range []string{"call", "play", "pause", "stop", "step", "reset", "spawn", "delete", "list",
		"conform"} {
		text := on(t, &simulator{}, []string{c, "--help"})
		for _, want := range []string{"Usage:\n  simdeck " + c, "--node", "--timeout", "--json", "--domain",
			"--peers", "--interface"} {
			if !strings.Contains(text, want) {
				t.Errorf("the help of %s does not say %q:\n%s", c, want, text)
			}
		}
	}
	if text := on(t, &simulator{}, []string{"--help"}); strings.Index(text,
		"\nCommands:") > strings.Index(text, "\nCommands for any simulator") {
		t.Errorf("the help does not begin with the commands that need no simulator:\n%s", text)
	}
}

func TestServicesAndFieldsAreCompleted(t *testing.T) {
	for want, args := range map[string][]string{
		"spawn_entity\ndelete_entity\n:4": {"__complete", "call", ""},
		"name=\nentity_resource.uri=\n:6": {"__complete", "call", "spawn_entity", ""},
		"\nentity_resource.uri=\n:6":      {"__complete", "call", "spawn_entity", "name=x", ""},
		"time\nstate\nspawned\nall\n:4":   {"__complete", "reset", ""},
		"\n:4":                            {"__complete", "pause", ""},
	} {
		if got := "\n" + on(t, &simulator{}, args); !strings.Contains(got, want) {
			t.Errorf("%q completes to\n%s\nwant %s", args, got, want)
		}
	}
}

func TestWhatIsInterruptedSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &session{Program: Program{Attach: func(ctx context.Context, _ ROS, _ Target,
		_ func(context.Context, Remote) error) error {
		return ctx.Err()
	}}, environ: []string{"XDG_CONFIG_HOME=" + t.TempDir()}}
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	if err := s.attach(cmd, Target{}, nil); err == nil || err.Error() != "interrupted" || ExitCode(err) != 1 {
		t.Errorf("it ends with %v", err)
	}
}
