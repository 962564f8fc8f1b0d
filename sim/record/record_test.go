package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/vehicle"
)

// fakeLibrary has a ball, and a yard with a ground and two of them.
type fakeLibrary struct{ raise float64 }

func (s fakeLibrary) Model(r scene.Resource) (*scene.ModelSpec, error) {
	if r.URI != "ball" {
		return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
	}
	skin := scene.Geom{Name: "skin", Kind: scene.Sphere, Radius: 0.5}
	ball := solid(1, skin)
	skin.Lamp, ball.Robot = 1, &scene.ControlledRobot{Lamps: []scene.Lamp{{Name: "glow"}}}
	ball.Links[0].Visuals = []scene.Geom{skin}
	return ball, nil
}

func solid(mass float64, g scene.Geom) *scene.ModelSpec {
	g.Surface.Default = true
	l := scene.Link{Name: "body", Pose: r3.IdentityPose(), Collisions: []scene.Geom{g}}
	l.Inertial = scene.Inertial{Mass: mass, Pose: r3.IdentityPose(),
		Inertia: r3.Diag(r3.V(0.1, 0.1, 0.1).Scale(mass))}
	return &scene.ModelSpec{Name: "solid", Frame: r3.IdentityPose(), Links: []scene.Link{l},
		Static: mass == 0}
}

func (s fakeLibrary) World(r scene.Resource) (*scene.WorldSpec, error) {
	if r.URI != "yard" {
		return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
	}
	ball, _ := s.Model(scene.Resource{URI: "ball"})
	ground := solid(0, scene.Geom{Name: "plane", Kind: scene.Plane, Normal: r3.V(0, 0, 1)})
	at := func(x, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, 0, z), Rot: r3.Identity()} }
	return &scene.WorldSpec{Name: "yard", Gravity: r3.V(0, 0, -9.81), Models: []scene.Placed{
		{Name: "ground", Model: ground, Pose: at(0, 0), Static: true},
		{Name: "low", Model: ball, Pose: at(0, 1+s.raise), Deletable: true},
		{Name: "high", Model: ball, Pose: at(0.1, 3), Deletable: true},
	}}, nil
}

func (fakeLibrary) Spawnables([]string) ([]scene.Spawnable, []string) { return nil, nil }
func (fakeLibrary) Worlds([]string) ([]scene.WorldInfo, []string)     { return nil, nil }
func (fakeLibrary) Formats() []string                                 { return nil }

// recorded runs an engine that many things are done to, and gives its recording.
func recorded(t testing.TB, seed uint64, deeds int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, taping(seed))
	e, err := engine.New(engine.Config{Library: fakeLibrary{}, World: sim.Resource{URI: "yard"},
		Start:    sim.Playing,
		RealTime: engine.AsFastAsPossible, Seed: seed,
		Rewind: time.Minute, Recorder: w})
	if err != nil {
		t.Fatal(err)
	}
	written, ran := make(chan error, 1), make(chan error, 1)
	go func() { written <- w.Run(t.Context()) }()
	go func() { ran <- e.Run(t.Context()) }()
	r := rand.New(rand.NewPCG(seed, 1))
	for range deeds {
		_, _ = e.Do(sim.WithSender(t.Context(), "tester"), deed(r))
		if r.IntN(3) == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	if _, err := e.Do(t.Context(), sim.SetState{State: sim.Quitting}); err != nil {
		t.Fatal(err)
	}
	if err := <-ran; err != nil {
		t.Fatal(err)
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func taping(seed uint64) Header {
	return Header{Version: "9.9", World: "yard", Seed: seed, Rewind: time.Minute,
		RealTime: engine.AsFastAsPossible, OnFault: "contain"}
}

func deed(r *rand.Rand) sim.Command {
	pose := r3.Pose{Pos: r3.V(r.Float64()*6-3, r.Float64()*6-3, 1+r.Float64()*2),
		Rot: r3.FromRPY(r.Float64(), r.Float64(), r.Float64())}
	name := fmt.Sprintf("b%d", r.IntN(4))
	switch r.IntN(11) {
	case 0, 1, 2:
		return sim.Spawn{Name: name, Resource: sim.Resource{URI: []string{"ball", "ghost"}[r.IntN(5)/4]},
			Pose: sim.FramedPose{Pose: pose}}
	case 3:
		return sim.Delete{Names: []string{name}}
	case 4, 5:
		return sim.SetEntityState{Name: name, Pose: &pose, Accel: &r3.Twist{Linear: r3.V(0, 0, 20)}}
	case 6:
		return sim.Reset{Scope: []sim.ResetScope{sim.ResetTime, sim.ResetState, sim.ResetSpawned,
			sim.ResetAll}[r.IntN(4)]}
	case 7:
		return sim.SetState{State: []sim.State{sim.Playing, sim.Paused, sim.Stopped}[r.IntN(3)]}
	case 8:
		return sim.Rewind{Back: time.Duration(r.IntN(1300)-400) * time.Millisecond} // and forward again
	case 9:
		return sim.LoadWorld{Resource: sim.Resource{URI: []string{"yard", "nowhere"}[r.IntN(9)/8]}}
	}
	return sim.StepWorld{N: uint64(r.IntN(300))}
}

func replay(t testing.TB, text []byte, lib scene.Library) (Played, error) {
	t.Helper()
	from, err := NewReader(bytes.NewReader(text))
	if err != nil {
		return Played{}, err
	}
	p, err := NewPlayer(from, lib)
	if err != nil {
		return Played{}, err
	}
	return p.Run(t.Context())
}

func TestAReplayMakesEveryStepOfARecordingAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	var all Played
	for seed := range uint64(4) {
		text := recorded(t, seed, 150)
		did, err := replay(t, text, fakeLibrary{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all.Steps, all.Commands, all.Refused = all.Steps+did.Steps, all.Commands+did.Commands,
			all.Refused+did.Refused
	}
	if all.Steps < 1000 || all.Commands < 100 || all.Refused < 20 {
		t.Errorf("only %+v", all)
	}
}

func TestAReplayNamesTheFirstStepThatDiffers(t *testing.T) {
	h := Header{Format: Format, Version: "9.9", World: "yard"}
	var out bytes.Buffer
	w := NewWriter(&out, h)
	w.Begin(sim.RecordPosition{}, nil, 0)
	world, err := engine.NewWorld(h.Options())
	if err != nil {
		t.Fatal(err)
	}
	do := func(c sim.Command) {
		at := world.Total()
		if _, err := world.Apply(c, engine.Load(fakeLibrary{}, c)); err != nil {
			t.Fatal(err)
		}
		w.Command(sim.LogEntry{Step: at, Time: world.Time(), Sender: "tester", Command: c,
			Hash: world.Hash()})
	}
	do(sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	do(sim.SetState{State: sim.Playing})
	for i := range uint64(600) {
		if err := world.Step(); err != nil {
			t.Fatal(err)
		}
		hash := world.Hash()
		if i == 431 {
			hash ^= 4
		}
		w.Step(world.Total(), hash)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	did, err := replay(t, out.Bytes(), fakeLibrary{})
	if !errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), "at step 432, 1.728s, line 5: ") ||
		did.Steps != 431 {
		t.Errorf("%v after %d steps", err, did.Steps)
	}
	if _, err := replay(t, out.Bytes(), fakeLibrary{raise: 1e-9}); !errors.Is(err, ErrDiverged) ||
		!strings.Contains(err.Error(), "its files have changed, or simdeck has since 9.9") {
		t.Errorf("with other files: %v", err)
	}
}

func TestARecordingThatWasCutOffIsGoodUpToItsLastWholeLine(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	text := recorded(t, 9, 40)
	header := bytes.IndexByte(text, '\n')
	whole, err := replay(t, text, fakeLibrary{})
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(text); n += 1 + n/40 {
		did, err := replay(t, text[:n], fakeLibrary{})
		if n <= header {
			if !errors.Is(err, ErrFormat) {
				t.Errorf("%d bytes: %v", n, err)
			}
			continue
		}
		if err != nil || did.Cut != (text[n-1] != '\n') || did.Steps > whole.Steps {
			t.Fatalf("%d of %d bytes: %+v, %v", n, len(text), did, err)
		}
	}
}

func TestARecordingWithAHoleIsGoodUpToTheHole(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	text := recorded(t, 9, 40)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for n := 1; n < len(lines)-1; n++ {
		kept := bytes.Join(lines[:n], nil)
		holed := bytes.Clone(text)
		hole := len(kept) + len(lines[n])/2
		clear(holed[hole:min(hole+1+n*7%200, len(holed))])
		did, err := replay(t, holed, fakeLibrary{})
		if want, _ := replay(t, kept, fakeLibrary{}); err != nil || !did.Cut || did.Steps != want.Steps ||
			did.Commands != want.Commands {
			t.Fatalf("a hole in line %d: %+v, %v, want %+v", n+1, did, err, want)
		}
	}
}

func TestEveryCommandComesBackAsItWasWritten(t *testing.T) {
	for name, typ := range commands() {
		v := reflect.New(typ)
		fill(v.Elem(), 1)
		c := v.Elem().Interface().(sim.Command)
		text, err := AppendCommand(nil,
			&sim.LogEntry{Step: 5, Time: time.Second, Sender: "a \"b\"", Command: c, Hash: 1<<63 + 7})
		if err != nil {
			t.Fatal(err)
		}
		e, err := ParseEntry(text)
		want := Entry{At: 5, Time: time.Second, Sender: "a \"b\"", Command: c, Name: name, Hash: 1<<63 + 7}
		if err != nil || !reflect.DeepEqual(e, want) {
			t.Errorf("%s\ngot  %+v, %v\nwant %+v", text, e, err, want)
		}
	}
}

func TestRecordingsNameTheLongitudinalControlPedal(t *testing.T) {
	want := sim.DriveCar{Name: "car", Control: vehicle.Control{Gear: vehicle.Forward,
		Longitudinal: vehicle.ByAccel, Steer: 0.25, Accel: -1.5}}
	text := `{"at":5,"do":"DriveCar","with":{"Name":"car","Drive":0,"Control":{"Gear":3,"Pedal":2,"Steer":0.25,` +
		`"SteerRate":0,"Speed":0,"Accel":-1.5,"Throttle":0,"Brake":0}},"hash":"0000000000000007"}` + "\n"
	if e, err := ParseEntry([]byte(text)); err != nil || !reflect.DeepEqual(e.Command, want) {
		t.Errorf("%+v, %v, want %+v", e.Command, err, want)
	}
	got, err := AppendCommand(nil, &sim.LogEntry{Step: 5, Command: want, Hash: 7})
	if err != nil || string(got) != text {
		t.Errorf("got  %s (%v)\nwant %s", got, err, text)
	}
}

// fill puts something that is not zero into every field.
func fill(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n+i+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n+1)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n+i)
		}
	case reflect.String:
		v.SetString(fmt.Sprint("text <", n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64, reflect.Float32:
		v.SetFloat(0.1 * float64(n))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(uint64(n))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(int64(n))
	default:
		panic("fill: " + v.Type().String())
	}
}

// slow is a disk that takes nothing until it is told to.
type slow struct {
	open chan struct{}
	got  bytes.Buffer
	err  error
}

func (s *slow) Write(b []byte) (int, error) {
	<-s.open
	if s.err != nil {
		return 0, s.err
	}
	return s.got.Write(b)
}

func TestADiskThatIsSlowOrFullNeverHoldsTheEngine(t *testing.T) {
	disk := &slow{open: make(chan struct{})}
	w := NewWriter(disk, Header{})
	w.Begin(sim.RecordPosition{}, nil, 0)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	big := sim.Spawn{Resource: sim.Resource{Document: strings.Repeat("x", 1<<20)}}
	for i := range uint64(2 * mostWaiting >> 20) {
		w.Command(sim.LogEntry{Step: i, Command: big})
		w.Step(i+1, i)
	}
	if w.Err() == nil || len(w.waiting) > 0 {
		t.Errorf("%v, %d bytes wait", w.Err(), len(w.waiting))
	}
	close(disk.open)
	stop()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "too slow") {
		t.Errorf("%v", err)
	}
	full := &slow{open: disk.open, err: io.ErrShortWrite}
	w = NewWriter(full, Header{})
	w.Begin(sim.RecordPosition{}, nil, 0)
	w.Step(1, 1)
	if err := w.Run(ctx); !errors.Is(err, io.ErrShortWrite) || !errors.Is(w.Err(), io.ErrShortWrite) {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNoRecordingIsRefusedWithItsLine(t *testing.T) {
	head := `{"simlog":1,"version":"1"}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "no header"},
		{"hello\n", "line 1 is no header"},
		{"{}\n", "line 1 is no header"},
		{`{"simlog":2,"version":"8"}` + "\n", "of format 2, written by simdeck 8"},
		{head + "{\n", "line 2: "},
		{head + `{"at":0}` + "\n", "line 2: not a recording: neither a command nor the hashes"},
		{head + `{"at":0,"do":"Explode","hash":"0"}` + "\n", `"Explode" is no command`},
		{head + `{"at":0,"do":"Spawn","hash":"x"}` + "\n", "16 hexadecimal digits"},
		{head + `{"at":1,"do":"Spawn","with":{}}` + "\n", "line 2 has no hash"},
		{head + `{"at":0,"do":"Spawn","hash":"0","with":{"Name":5}}` + "\n",
			"line 2: not a recording: Spawn: "},
		{head + `{"at":7,"do":"Delete","hash":"0","with":{}}` + "\n",
			"line 2 is of step 7, and the steps before it end at 0"},
		{`{"simlog":1,"step_ns":-5}` + "\n", "header: "},
	} {
		if _, err := replay(t, []byte(c.text), fakeLibrary{}); !errors.Is(err, ErrFormat) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

func FuzzRecording(f *testing.F) {
	f.Add(recorded(f, 2, 30))
	for _, text := range []string{"", "{}\n",
		`{"simlog":1}` + "\n" + `{"at":0,"halted":true,"hash":"0"}` + "\n",
		`{"simlog":1}` + "\n" + `{"at":0,"steps":"AAAAAA"}` + "\n", `{"simlog":1,"rtf":1e9}` + "\n",
		`{"simlog":1}` + "\n" + `{"state_at":5,"time_ns":1,"step_ns":4000000,"state":{"Physics":"AAAA","Entities":[{}]}}` +
			"\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := NewReader(bytes.NewReader(text))
		for err == nil {
			var e Entry
			if e, err = r.Next(); err == nil && e.Command != nil {
				again, _ := AppendCommand(nil,
					&sim.LogEntry{Step: e.At, Time: e.Time, Sender: e.Sender, Command: e.Command,
						Hash: e.Hash})
				if back, err := ParseEntry(again); err != nil || back.Name != e.Name {
					t.Fatalf("%s, written again: %v", again, err)
				}
			}
		}
		if !errors.Is(err, ErrFormat) && !errors.Is(err, io.EOF) {
			t.Errorf("%v", err)
		}
	})
}
