//go:build unix

package webots_test

import (
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/webots"
	"simdeck/webots/wire"
)

// asController tells this program, started as a controller, what to do.
const asController = "SIMDECK_TEST_CONTROLLER"

func TestMain(m *testing.M) {
	if os.Getenv(asController) != "" {
		control(os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

// control is a controller in a process of its own, which does what its arguments say.
func control(args []string) {
	switch args[0] {
	case "drive":
		drive(args[1])
	case "fail":
		fmt.Fprintln(os.Stderr, "no module\nnamed controller")
		os.Exit(3)
	case "stubborn": // with a process of its own, and deaf
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command("sleep", "1000")
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Println("sleeping as", child.Process.Pid)
		time.Sleep(time.Hour)
	}
}

// drive turns the wheels and tells where that leads, step by step, until it is told to quit.
func drive(speed string) {
	c := dial(os.Getenv("WEBOTS_CONTROLLER_URL"))
	c.configure()
	v, err := strconv.ParseFloat(speed, 64)
	if err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // as one that loads its libraries
	first := [][]byte{c.enable("gps")}
	for _, name := range []string{"left motor", "right motor"} {
		first = append(first,
			c.to(name, uint16(wire.MotorPosition), math.Inf(1), uint16(wire.MotorVelocity), v))
	}
	for n := 0; ; n++ {
		var all []byte
		for r := c.step(16, first...); r.More(); {
			all = append(all, r.Uint8())
		}
		if len(all) > 2 && all[2] == wire.RobotQuit {
			fmt.Println("told to quit")
			return
		} else if n < 10 {
			fmt.Printf("step %d: %x\n", n, all)
		}
		first = nil
	}
}

// dial connects as Webots' library does.
func dial(url string) *controller {
	c := &controller{t: loud{}}
	scheme, rest, _ := strings.Cut(url, "://")
	at, robot, _ := strings.Cut(rest, "/")
	var err error
	if c.local = scheme == "ipc"; c.local {
		c.conn, err = net.Dial("unix", filepath.Join(os.Getenv("WEBOTS_TMPDIR"), "webots", "judge", at, "ipc",
			wire.EncodeName(robot), "extern"))
	} else if c.conn, err = net.Dial("tcp", at); err == nil {
		answer := make([]byte, 9)
		_, _ = c.conn.Write([]byte("CTR\nRobot-Name: " + wire.EncodeName(robot)))
		if n, _ := c.conn.Read(answer); string(answer[:n]) != "CONNECTED" {
			err = fmt.Errorf("the simulator says %q", answer[:n])
		}
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return c
}

// loud ends a process that is no test with what is wrong.
type loud struct{}

func (loud) Helper()                          {}
func (l loud) Errorf(format string, a ...any) { l.Fatal(fmt.Sprintf(format, a...)) }
func (l loud) Fatalf(format string, a ...any) { l.Fatal(fmt.Sprintf(format, a...)) }
func (loud) Fatal(a ...any)                   { fmt.Fprintln(os.Stderr, a...); os.Exit(1) }

// project makes a folder with our world as worlds/lab.wbt, whose cart has the controller "cart" with
// arguments, and this program as that controller.
func project(t *testing.T, args ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	text, err := os.ReadFile("testdata/worlds/lab.wbt")
	if err != nil {
		t.Fatal(err)
	}
	named := fmt.Sprintf("controller \"cart\" controllerArgs [ %q ]", args)
	named = strings.NewReplacer(`[ [`, `[ `, `] ]`, ` ]`).Replace(named)
	world := strings.Replace(string(text), `controller "<extern>"`, named, 1)
	write(t, filepath.Join(dir, "worlds", "lab.wbt"), world)
	write(t, filepath.Join(dir, "controllers", "cart", "cart"), "#!/bin/sh\nexec '"+os.Args[0]+"' \"$@\"\n")
	write(t, filepath.Join(dir, "controllers", "cart", "runtime.ini"),
		"[environment variables]\n"+asController+" = 1\n")
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// starting runs a world of a project as fast as its controllers let it. They come by TCP, unless there is a
// folder for sockets.
func starting(t *testing.T, dir string, world sim.Resource, c webots.Config) *stand {
	t.Helper()
	s := &stand{t: t, real: true}
	root := asset.Root{Name: "project", FS: os.DirFS(dir), Base: dir}
	elsewhere := asset.Root{Name: "test", FS: os.DirFS("testdata")}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{root, elsewhere}})
	c.Programs = webots.Programs{Project: dir, Open: os.Open, Environ: append(os.Environ(), "WEBOTS_HOME=",
		"WEBOTS_TMPDIR="+c.TempFolder), Patience: time.Minute}
	s.begin(lib, world, c)
	return s
}

func fileOf(dir string) sim.Resource {
	return sim.Resource{URI: filepath.ToSlash(filepath.Join(dir, "worlds", "lab.wbt"))}
}

func (s *stand) says(text string) {
	s.t.Helper()
	s.until("the log says "+text, func() bool { return strings.Contains(s.log.String(), text) })
}

// steps are the first answers to the cart's controller.
func (s *stand) steps() []string {
	s.t.Helper()
	s.says("step 9: ")
	return regexp.MustCompile(`step \d: [0-9a-f]+`).FindAllString(s.log.String(), 10)
}

// TestAControllerOfTheProjectIsStartedAndItsRunsFromTheStartAreTheSame: over a local socket and over TCP, and
// each first step is the world's.
func TestAControllerOfTheProjectIsStartedAndItsRunsFromTheStartAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	var runs [3]string
	for i := range runs {
		dir, c := project(t, "drive", "2"), webots.Config{Patience: time.Minute}
		if i > 0 {
			c.TempFolder, c.User = t.TempDir(), "judge"
		}
		s := starting(t, dir, fileOf(dir), c)
		told := s.steps()
		runs[i] = strings.Join(told, "\n")
		now := wire.NewReader(unhex(t, strings.Fields(told[0])[2]))
		tag, command, at := now.Uint16(), now.Uint8(), now.Float64()
		if tag != 0 || command != wire.RobotTime || at != 0.016 {
			t.Errorf("run %d: after its first step it is told %d, %d and the time %v, want 0.016 s", i, tag,
				command, at)
		}
		s.until("the cart drives", func() bool {
			n := s.engine.Snapshot()
			k, _ := n.Find("my_cart")
			return n.Entities[k].Pose.Pos.X > 0.02
		})
	}
	if runs[0] != runs[1] || runs[1] != runs[2] {
		t.Errorf("three runs differ:\n%s", strings.Join(runs[:], "\n\n"))
	}
}

func unhex(t *testing.T, text string) (b []byte) {
	t.Helper()
	if _, err := fmt.Sscanf(text, "%x", &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNothingIsStartedForWhatAClientBrings: a robot that is spawned, a world as text, a world from elsewhere.
func TestNothingIsStartedForWhatAClientBrings(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	dir, other := project(t, "drive", "2"), project(t, "drive", "2")
	text, err := os.ReadFile(filepath.Join(dir, "worlds", "lab.wbt"))
	if err != nil {
		t.Fatal(err)
	}
	s := starting(t, dir, sim.Resource{Document: string(text)}, webots.Config{})
	refused := func(n int, why string) {
		t.Helper()
		s.until("it is said why nothing is started",
			func() bool { return strings.Count(s.log.String(), why) >= n })
		if strings.Contains(s.log.String(), "a controller was started") {
			t.Fatalf("a controller was started:\n%s", s.log.String())
		}
	}
	refused(1, "the world is no file of "+filepath.Join(dir, "worlds"))
	robot := `PROTO Rogue [ ] { Robot { name "rogue" controller "cart" controllerArgs [ "drive" "1" ] } }`
	s.do(sim.Spawn{Name: "rogue", Resource: sim.Resource{Document: "#VRML_SIM R2023b utf8\n" + robot}})
	refused(1, "a client has spawned the robot")
	roots := []asset.Root{{Name: "x", FS: os.DirFS(other), Base: other}}
	lib := format.NewLibrary(format.Config{Roots: roots})
	if spec, err := lib.World(fileOf(other)); err != nil || spec.File.Path != fileOf(other).URI {
		t.Fatalf("%v: %+v", err, spec)
	}
	write(t, filepath.Join(dir, "elsewhere", "worlds", "lab.wbt"), string(text))
	write(t, filepath.Join(dir, "elsewhere", "controllers", "cart", "cart"), "#!/bin/sh\nexit 1\n")
	s.do(sim.LoadWorld{Resource: fileOf(filepath.Join(dir, "elsewhere"))})
	refused(2, "the world is no file of "+filepath.Join(dir, "worlds"))
	s.do(sim.LoadWorld{Resource: fileOf(dir)}) // the file of the project has one
	s.says("a controller was started")
	s.do(sim.SetState{State: sim.Playing})
	s.steps()
}

func TestAControllerThatFailsIsToldWithItsLastErrorsAndTheWorldGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	dir := project(t, "fail")
	s := starting(t, dir, fileOf(dir), webots.Config{})
	s.until("the world goes on", func() bool { return s.engine.Snapshot().Step > 10 })
	for _, want := range []string{"exit status 3", `errors="no module\nnamed controller"`,
		"WEBOTS_HOME is not set", "webots: controller: no module"} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("the log has no %q", want)
		}
	}
}

// TestControllersEndWithTheirWorldAndAreStartedWithTheNext: a reset leaves them; one that is deaf is killed
// with what it has started.
func TestControllersEndWithTheirWorldAndAreStartedWithTheNext(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	dir := project(t, "drive", "2")
	s := starting(t, dir, fileOf(dir), webots.Config{})
	s.steps()
	s.do(sim.Reset{Scope: sim.ResetAll})
	s.do(sim.LoadWorld{Resource: fileOf(dir)})
	s.do(sim.SetState{State: sim.Playing}) // at once: the new world waits for its controller
	s.says("told to quit")
	s.until("it is started again", func() bool { return strings.Count(s.log.String(), "step 9: ") == 2 })
	first := regexp.MustCompile(`step 0: [0-9a-f]+`).FindAllString(s.log.String(), -1)
	if len(first) != 2 || first[0] != first[1] || s.started() != 2 {
		t.Errorf("started %d times; the first answers are %q: want two alike", s.started(), first)
	}
	s.do(sim.UnloadWorld{})
	deaf := project(t, "stubborn")
	text, err := os.ReadFile(filepath.Join(deaf, "worlds", "lab.wbt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "worlds", "lab.wbt"), string(text))
	s.do(sim.LoadWorld{Resource: fileOf(dir)})
	s.says("sleeping as ")
	pid, err := strconv.Atoi(regexp.MustCompile(`sleeping as (\d+)`).FindStringSubmatch(s.log.String())[1])
	if err != nil {
		t.Fatal(err)
	}
	if syscall.Kill(pid, 0) != nil {
		t.Fatalf("there is no process %d", pid)
	}
	s.do(sim.UnloadWorld{})
	s.says("does not end, and is killed")
	s.until("what it has started is gone", func() bool { return gone(pid) })
}

// gone reports that a process has ended, also where nobody has asked for its exit code yet.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) != nil
	}
	return strings.Contains(string(stat), ") Z ")
}

func (s *stand) started() int { return strings.Count(s.log.String(), "a controller was started") }

func TestASupervisorRestartsAController(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	dir := project(t, "drive", "2")
	s := starting(t, dir, fileOf(dir), webots.Config{Patience: time.Minute})
	s.steps()
	c := s.connect("post")
	c.tell(wire.NodeRestart, c.node("CART"))
	for s.started() < 2 { // the world waits for both
		c.step(16)
	}
	c.tell(wire.NodeRestart, c.node("POST"))
	s.says("the controller of post was not started from here")
}

// TestTheOthersAreStartedWhereSomeCannotBe: a name that leads out of the project, two robots of a name, more
// than there may be. An asynchronous robot's controller holds nobody up.
func TestTheOthersAreStartedWhereSomeCannotBe(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "controllers", "idle", "idle"), "#!/bin/sh\nexec sleep 1000\n")
	write(t, filepath.Join(dir, "evil", "evil"), "#!/bin/sh\nexec sleep 1000\n")
	world := "#VRML_SIM R2023b utf8\nWorldInfo { basicTimeStep 16 }\n"
	robot := func(name, controller string) {
		world += fmt.Sprintf("Robot { name %q controller %q synchronization FALSE }\n", name, controller)
	}
	for _, refused := range []string{"../evil", "/bin/sh", "..", "idle/idle", "missing"} {
		robot("refused by "+strconv.Itoa(len(world)), refused)
	}
	for _, none := range []string{"<extern>", "<none>", "void", "", "<generic>"} {
		robot("none by "+strconv.Itoa(len(world)), none)
	}
	robot("twin", "idle")
	robot("twin", "idle")
	for i := range 66 {
		robot(fmt.Sprintf("robot %d", i), "idle")
	}
	write(t, filepath.Join(dir, "worlds", "lab.wbt"), world)
	s := starting(t, dir, fileOf(dir), webots.Config{})
	s.until("the world goes on", func() bool { return s.engine.Snapshot().Step > 10 })
	s.until("as many as may be are started", func() bool { return s.started() >= 64 })
	said := s.log.String()
	for text, want := range map[string]int{"reads like a path": 4, "there is none of missing, build/release/missing": 1,
		`2 robots are called \"twin\"`: 2, "64 controllers run, which is the most": 2,
		"a controller was started": 64} {
		if got := strings.Count(said, text); got != want {
			t.Errorf("%d lines with %q, want %d", got, text, want)
		}
	}
}
