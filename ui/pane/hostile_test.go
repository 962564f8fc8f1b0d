package pane

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

// extremes are numbers that no place of a robot is, and that a simulator elsewhere may tell.
var extremeNumbers = []float64{0, 5e-324, 1.8e16, 1e17, -1e25, 1e300, -1e300, math.Inf(1), math.Inf(-1),
	math.NaN()}

// hostileSnapshot holds such numbers wherever a snapshot has one: x and y decide which.
func hostileSnapshot(x, y float64, at time.Duration) *sim.Snapshot {
	s := two()
	v := r3.V(x, y, x)
	box := r3.Box{Min: r3.V(-math.Abs(x), -math.Abs(y), -1), Max: r3.V(math.Abs(x), math.Abs(y), 1)}
	for i := range 6 {
		m, e := block(fmt.Sprintf("z%d\x1b]0;x\x07", i), x, y, 1)
		m.FirstLink, m.Static, m.ID = len(s.Links), i == 1, uint64(i+10)
		if i%2 == 0 {
			m.Info.Category = scene.Robot
		}
		if i > 2 {
			m.Bounds = box
		}
		e.Pose = r3.Pose{Pos: r3.V([]float64{x, y, 0}[i%3], []float64{y, x, x}[i%3], y),
			Rot: r3.Quat{W: x, X: y}}
		e.Twist = r3.Twist{Linear: v, Angular: v}
		s.Model.Entities, s.Entities = append(s.Model.Entities, m), append(s.Entities, e)
		s.Links = append(s.Links, sim.LinkState{Pose: e.Pose, Twist: e.Twist})
	}
	lidar := &scene.Sensor{Name: "scan"}
	s.Model.Entities[2].Sensors = []sim.SensorModel{{Spec: lidar}}
	s.Samples = []sim.Sample{{Frame: r3.Pose{Pos: v, Rot: r3.Identity()},
		Data: &sim.LidarScan{Spec: &scene.LidarSpec{Columns: 1 << 40, Rows: 3},
			Ranges: []float32{float32(x), float32(y), 1}}}}
	for _, kind := range []scene.BoundsKind{scene.BoxBounds, scene.SphereBounds, scene.HullBounds} {
		s.Model.NamedPoses = append(s.Model.NamedPoses,
			scene.NamedPose{Name: "p", Pose: r3.Pose{Pos: v, Rot: r3.Identity()},
				Bounds: scene.Bounds{Kind: kind, Points: []r3.Vec{v, r3.V(y, x, y)}}})
	}
	for _, kind := range []sim.DrawFlags{sim.DrawContacts, sim.DrawForces, sim.DrawBounds, sim.DrawFrames} {
		s.Drawing = append(s.Drawing, sim.DebugLine{Kind: kind, A: v, B: r3.V(y, x, 0), Value: x},
			sim.DebugLine{Kind: kind, A: r3.Vec{}, B: v, Value: y})
	}
	s.Time, s.StepSize = at, -at
	s.Pacing = sim.Pacing{Asked: x, Measured: y}
	s.Stats = sim.Stats{Commands: math.MaxUint64}
	s.Model.World = sim.WorldInfo{Name: "w\x1b[2J", URI: "\u202e"}
	return s
}

// hostileMaps are maps in all that an operator can bring them into.
func hostileMaps(s *sim.Snapshot) []*Map {
	follow, chosen, measured, preview := NewMap(), NewMap(), NewMap(), NewMap()
	follow.Follow = s.Model.Entities[2].Name
	p := s.Entities[2].Pose.Pos
	chosen.Centre(p.X, p.Y)
	measured.Measure()
	measured.SetCursor(p.Y, p.X)
	measured.Measure()
	preview.Previews = []PlacementPreview{{Shapes: [][]r3.Vec{{p, {}, p.Neg()}},
		At: r3.Pose{Pos: p, Rot: r3.Identity()}}}
	preview.Look(p, p.X, 60, 20)
	all := []*Map{NewMap(), follow, chosen, measured, preview}
	for _, m := range all {
		m.Trajectories = true
		m.overlay = 1
	}
	return all
}

func TestEveryPaneDrawsWhateverASimulatorSaysInABoundedNumberOfCells(t *testing.T) {
	times := []time.Duration{0, time.Second, math.MinInt64, math.MaxInt64, time.Second}
	for _, x := range extremeNumbers {
		for _, y := range extremeNumbers {
			first := hostileSnapshot(x, y, 0)
			maps := hostileMaps(first)
			panes := []Pane{NewEntities(), &Detail{}, &Poses{}, &State{}, &Log{}, &Notes{}, &Camera{},
				&Charts{Entity: first.Model.Entities[2].Name}, &Graph{}}
			for _, m := range maps {
				panes = append(panes, m)
			}
			for i, size := range [][2]int{{1, 1}, {12, 3}, {80, 24}, {120, 40}, {237, 60}} {
				s := hostileSnapshot(x, y, times[i])
				s.Model = first.Model
				for k, p := range panes {
					p.Feed(s)
					g := canvas.NewCellBuffer(size[0], size[1])
					p.Draw(g.All(), &View{Snap: s, Entity: 2, Focused: true, Viewers: []string{"x"}})
					if most := 8*size[0]*size[1] + 4000; g.Written() > most {
						t.Fatalf("%T %d at %v, %v draws %d characters into %v, want at most %d", p, k, x, y,
							g.Written(), size, most)
					}
				}
			}
			for _, m := range maps { // and goes about there
				m.Step(3, -2)
				m.Zoom(1.5)
				m.Pan(-1, 1)
				m.Click(2, 3, first)
				m.Zoom(1e-9)
				drawMap(m, first, 80, 24)
				m.Zoom(1e9)
				drawMap(m, first, 80, 24)
			}
		}
	}
}

func TestALineIsDrawnInNoMoreDotsThanThePictureIsLong(t *testing.T) {
	var d canvas.Dots
	d.Reset(canvas.Braille, 100, 40)
	w, h := d.Size()
	random := rand.New(rand.NewPCG(1, 2))
	number := func() float64 {
		if random.IntN(8) == 0 {
			return extremeNumbers[random.IntN(len(extremeNumbers))]
		}
		return (random.Float64() - 0.5) * math.Pow(10, 40*random.Float64())
	}
	for range 200_000 {
		a, b, c, e := number(), number(), number(), number()
		if n := d.Line(a, b, c, e, 1); n > w+h {
			t.Fatalf("from %v, %v to %v, %v: %d dots in a picture of %d by %d", a, b, c, e, n, w, h)
		}
	}
}

// FuzzPanes: whatever places, times and names a world has, every pane draws it in a bounded number of cells.
func FuzzPanes(f *testing.F) {
	for i, x := range extremeNumbers {
		f.Add(x, extremeNumbers[(i*7+3)%len(extremeNumbers)], int64(i)*math.MaxInt64/5, "rover\x1b]0;x\x07",
			uint8(20*i), uint8(7*i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, x, y float64, at int64, name string, w, h, symbols uint8) {
		s := hostileSnapshot(x, y, 0)
		s.Model.Entities[7].Name = "z9" + name
		s.Model.World.Name, s.Model.NamedPoses[0].Name = name, name
		s.Events = []sim.Event{{Seq: 1, Time: time.Duration(at), Who: name, Text: name,
			Level: sim.Level(symbols)}}
		s.State = sim.State(w)
		later := *s
		later.Time = time.Duration(at)
		g := canvas.NewCellBuffer(int(w), int(h))
		panes := []Pane{NewEntities(), &Detail{}, &Poses{}, &State{}, &Log{}, &Notes{},
			&Charts{Entity: s.Model.Entities[2].Name}, &Graph{}}
		for _, m := range hostileMaps(s) {
			panes = append(panes, m)
		}
		for _, now := range []*sim.Snapshot{s, &later} {
			for _, p := range panes {
				g.Clear()
				p.Feed(now)
				p.Draw(g.All(), &View{Snap: now, Entity: int(h) % len(now.Entities), Focused: true,
					Symbols: canvas.Symbols(symbols % 3)})
				if most := 8*int(w)*int(h) + 64*len(name) + 4000; g.Written() > most {
					t.Fatalf("%T draws %d characters into %d by %d, want at most %d", p, g.Written(), w, h,
						most)
				}
			}
		}
	})
}
