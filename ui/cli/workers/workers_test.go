//go:build linux

package workers

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Variables that make the test's process a worker, or a supervisor of some.
const asWorker, asSupervisor = "WORKERS_TEST_WORKER", "WORKERS_TEST_SUPERVISOR"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asSupervisor) != "":
		supervisor(os.Stdout).Run(context.Background(), some)
	case os.Getenv(asWorker) != "":
		os.Exit(worker())
	default:
		os.Exit(m.Run())
	}
}

// worker tells its process and arguments, and does what its world says.
func worker() int {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	fmt.Println(os.Getpid(), strings.Join(os.Args[1:], " "))
	switch {
	case slices.Contains(os.Args, "--object-config=quits"):
		return 0
	case slices.Contains(os.Args, "--object-config=fails"):
		return 1
	}
	<-stop
	return 0
}

var some = []Simulation{{Namespace: "/a", Object: "stays"},
	{Namespace: "/b", Object: "stays", ReportPath: "/status"}}

// supervisor runs this test's program as workers.
func supervisor(out io.Writer) *Supervisor {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, asSupervisor) })
	return &Supervisor{Program: os.Args[0], More: []string{"--domain", "3"}, Env: append(env, asWorker+"=1"),
		Output: out, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Least: time.Millisecond,
		Longest: 20 * time.Millisecond, Steady: time.Hour, Grace: 10 * time.Second}
}

// said gives the process and the arguments that the next worker tells.
func said(t *testing.T, lines *bufio.Scanner) (pid int, args string) {
	t.Helper()
	if !lines.Scan() {
		t.Fatal("no worker says anything more")
	}
	first, args, _ := strings.Cut(lines.Text(), " ")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatalf("a worker says %q", lines.Text())
	}
	return pid, args
}

func TestAWorkerIsKeptForEachSimulationAndAllEndWithTheSupervisor(t *testing.T) {
	in, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { supervisor(out).Run(ctx, some); close(done); _ = out.Close() }()
	lines := bufio.NewScanner(in)
	args := map[string]int{}
	for range some {
		pid, given := said(t, lines)
		args[given] = pid
	}
	a := args["run --worker --namespace=/a --object-config=stays --domain 3"]
	if a == 0 || args["run --worker --namespace=/b --object-config=stays --report-path=/status --domain 3"] == 0 {
		t.Fatalf("%v", args)
	}
	if err := syscall.Kill(a, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	again, given := said(t, lines)
	if again == a || !strings.Contains(given, "--namespace=/a ") {
		t.Errorf("after the end of %d there is %d: %s", a, again, given)
	}
	stop()
	<-done
	for _, pid := range append(pids(args), again) {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("worker %d is still there: %v", pid, err)
		}
	}
}

func TestWorkersFollowTheListThatIsAskedForNow(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	in, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	lists, done := make(chan []Simulation), make(chan struct{})
	go func() { supervisor(out).Follow(ctx, lists, 2); close(done); _ = out.Close() }()
	lines := bufio.NewScanner(in)
	next := func(what string) int {
		t.Helper()
		pid, given := said(t, lines)
		if !strings.Contains(given, what) {
			t.Fatalf("%q was started, want %q", given, what)
		}
		return pid
	}
	gone := func(pid int) {
		t.Helper()
		for range 1000 {
			if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("worker %d is still there", pid)
	}
	hall, attic := Simulation{Namespace: "/a", Object: "hall"}, Simulation{Namespace: "/a", Object: "attic"}
	yard, roof := Simulation{Namespace: "/b", Object: "yard"}, Simulation{Namespace: "/c", Object: "roof"}
	lists <- []Simulation{hall}
	a := next("--namespace=/a --object-config=hall")
	lists <- []Simulation{hall, yard, roof} // one too many
	b := next("--namespace=/b --object-config=yard")
	lists <- []Simulation{attic, yard}
	gone(a)
	again := next("--namespace=/a --object-config=attic")
	lists <- []Simulation{attic}
	gone(b)
	stop()
	<-done
	gone(again)
}

func TestWhoAsksOverTheNetworkNamesNoFile(t *testing.T) {
	for object, want := range map[string]bool{"hall": true, "lab 2.world": true, "a-b_c": true,
		"/etc/passwd": false, "../hall": false, "dir/hall": false, "file:///x": false, ".hidden": false,
		"a..b": false, "-flag": false, "": false, "a\nb": false} {
		err := (&Simulation{Namespace: "/a", Object: object}).CheckAsked()
		if (err == nil) != want {
			t.Errorf("object %q: %v", object, err)
		}
	}
	if err := (&Simulation{Namespace: "/a --x", Object: "hall"}).CheckAsked(); err == nil {
		t.Error("a namespace with a flag is taken")
	}
}

func pids(args map[string]int) (all []int) {
	for _, pid := range args {
		all = append(all, pid)
	}
	return all
}

func TestAWorkerThatQuitsStaysAwayAndOneThatFailsComesBack(t *testing.T) {
	var out bytes.Buffer
	supervisor(&out).Run(t.Context(), []Simulation{{Namespace: "/a", Object: "quits"}})
	if n := strings.Count(out.String(), "--object-config=quits"); n != 1 {
		t.Errorf("it was started %d times", n)
	}
	in, to := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		supervisor(to).Run(ctx, []Simulation{{Namespace: "/a", Object: "fails"}})
		close(done)
		_ = to.Close()
	}()
	lines := bufio.NewScanner(in)
	for range 4 {
		said(t, lines)
	}
	stop()
	go func() { _, _ = io.Copy(io.Discard, in) }()
	<-done
}

// TestWorkersEndWithASupervisorThatIsKilled needs a kernel that ends processes with their parent.
func TestWorkersEndWithASupervisorThatIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asSupervisor+"=1")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	said(t, lines)
	said(t, lines)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The workers hold its output: it ends when they have.
	for lines.Scan() {
		t.Errorf("a worker says %q", lines.Text())
	}
	_ = cmd.Wait()
}

const sample = `simulations:
  - {ns: /lab_1, object: worlds/lab.wbt}
  - ns: /lab_2/arm
    object: arm $(HOME) cell
    report_path: /status
`

func TestTheManifestsHaveAWorkerForEachSimulation(t *testing.T) {
	all, err := Parse("s.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer, []Simulation, string, []string) error{
		"kubernetes.yaml": Kubernetes, "swarm.yaml": Swarm} {
		var out bytes.Buffer
		if err := write(&out, all, "registry.example/simdeck:1", []string{"--domain", "3"}); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || !bytes.Equal(want, out.Bytes()) {
			t.Errorf("%s: %v, got\n%s", golden, err, &out)
		}
	}
}

func TestAFileOfSimulationsSaysWhereItIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                "0 simulations; want 1 to 1000",
		"simulations: []": "0 simulations",
		"simulations: 5":  "s.yaml: yaml",
		"simulation: []":  "field simulation not found",
		"simulations:\n- {ns: /a, object: x}\n- {ns: /a, object: y}":       `s.yaml:3: ns "/a" is that of line 2, too`,
		"simulations:\n- {ns: '/a b', object: x}":                          `s.yaml:2: ns "/a b": want a namespace of ROS`,
		"simulations:\n- {ns: '--shell', object: x}":                       `ns "--shell"`,
		"simulations:\n- {ns: /a}":                                         `object "": want the file of a world`,
		"simulations:\n- {ns: /a, object: \"x\\ny\"}":                      "object",
		"simulations:\n- {ns: /a, object: x, report_path: '../status'}":    `report_path "../status"`,
		"simulations:\n- {ns: /a, object: x, world: y}":                    "s.yaml:2: yaml",
		"simulations:\n" + strings.Repeat("- {ns: /a, object: x}\n", 1001): "1001 simulations",
	} {
		_, err := Parse("s.yaml", []byte(text))
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse reads any text as a file of simulations: what comes out is whole, and no argument is a flag.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("simulations: [{ns: a, object: --x}]")
	f.Add("simulations:\n- &a {ns: /a, object: x}\n- *a")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse("s.yaml", []byte(text))
		if err != nil {
			if !errors.Is(err, ErrFile) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		taken := map[string]bool{}
		for i, s := range all {
			if taken[s.Namespace] || s.Object == "" || !names.MatchString(s.Namespace) {
				t.Fatalf("%+v", s)
			}
			taken[s.Namespace] = true
			for _, a := range s.Args(nil)[2:] {
				if !strings.Contains(a, "=") || strings.ContainsAny(a, "\n\x00") {
					t.Fatalf("argument %q of %s", a, s.label(i))
				}
			}
		}
	})
}
