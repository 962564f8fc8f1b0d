package stream

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"simdeck/sim/r3"
)

// tumbling are bodies that fly, spin, bounce off a floor and now and then stand still for a while.
type tumbling struct {
	rng  *rand.Rand
	pose []r3.Pose
	vel  []r3.Vec
	spin []r3.Vec
}

func newTumbling(n int) *tumbling {
	w := &tumbling{rng: rand.New(rand.NewPCG(1, 2))}
	for range n {
		w.pose = append(w.pose, r3.Pose{Pos: w.vec(20), Rot: r3.Identity().Turn(w.vec(1))})
		w.vel, w.spin = append(w.vel, w.vec(3)), append(w.spin, w.vec(6))
	}
	return w
}

func (w *tumbling) vec(size float64) r3.Vec {
	x := func() float64 { return size * (2*w.rng.Float64() - 1) }
	return r3.V(x(), x(), x())
}

// step goes on by 50 ms.
func (w *tumbling) step() []r3.Pose {
	const dt = 0.05
	for i := range w.pose {
		p := &w.pose[i]
		w.vel[i].Z -= 9.81 * dt
		p.Pos = p.Pos.AddScaled(dt, w.vel[i])
		p.Rot = p.Rot.Turn(w.spin[i].Scale(dt))
		if p.Pos.Z < 0 {
			p.Pos.Z = 0
			w.vel[i] = w.vec(1).Add(r3.V(0, 0, 5))
			w.spin[i] = w.vec(6)
		}
	}
	return w.pose
}

// farthest is the largest distance, in m and rad, of poses from others.
func farthest(a, b []r3.Pose) (pos, turn float64) {
	for i := range a {
		pos = max(pos, a[i].Pos.Sub(b[i].Pos).MaxAbs())
		turn = max(turn, a[i].Rot.Conj().Mul(b[i].Rot).Vector().Len())
	}
	return pos, turn
}

func TestViewersHoldExactlyWhatTheEncoderHoldsAndThatIsNearTheTruth(t *testing.T) {
	w := newTumbling(200)
	e := Encoder{}
	e.Reset(w.pose)
	d := Decoder{}
	h := Header{World: 3, Scene: 9, Seq: 1, Time: time.Second, State: 1}
	if _, err := d.Decode(e.Keyframe(nil, h)); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		truth := w.step()
		h.Seq, h.Time = h.Seq+1, h.Time+50*time.Millisecond
		frame, moved := e.Delta(nil, h, truth)
		got, err := d.Decode(frame)
		if err != nil || !moved || got != h {
			t.Fatalf("frame %d: %+v %v %v", i, got, moved, err)
		}
		if !slices.Equal(d.tracks, e.tracks) {
			t.Fatalf("frame %d: the viewer holds other bits than the server", i)
		}
		if pos, turn := farthest(truth, d.Poses(nil)); pos > 0.51*posUnit || turn > 0.0008 {
			t.Fatalf("frame %d: %v m and %v rad from the truth", i, pos, turn)
		}
	}
}

func TestALateViewerBeginsWithAnyKeyframe(t *testing.T) {
	w := newTumbling(50)
	e := Encoder{Budget: 300}
	e.Reset(w.pose)
	h := Header{Seq: 1}
	for range 30 {
		h.Seq++
		e.Delta(nil, h, w.step())
	}
	late := Decoder{}
	key := e.Keyframe(nil, h)
	if _, err := late.Decode(key); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		h.Seq++
		frame, _ := e.Delta(nil, h, w.step())
		if _, err := late.Decode(frame); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(late.tracks, e.tracks) {
			t.Fatal("who came late sees something else")
		}
	}
}

func TestADeltaAfterAGapIsRefusedAndAKeyframeHelps(t *testing.T) {
	w := newTumbling(5)
	e := Encoder{}
	e.Reset(w.pose)
	d := Decoder{}
	first, _ := e.Delta(nil, Header{Seq: 1}, w.step())
	if _, err := d.Decode(first); !errors.Is(err, ErrFrame) {
		t.Errorf("a delta before any keyframe: %v", err)
	}
	if _, err := d.Decode(e.Keyframe(nil, Header{Seq: 1})); err != nil {
		t.Fatal(err)
	}
	for _, h := range []Header{{Seq: 3}, {Seq: 1}, {Seq: 2, World: 1}, {Seq: 2, Scene: 1}} {
		frame, _ := (&Encoder{}).Delta(nil, h, nil)
		if _, err := d.Decode(frame); !errors.Is(err, ErrFrame) {
			t.Errorf("%+v after number 1: %v", h, err)
		}
	}
}

func TestFramesKeepToABudgetAndRestIsExact(t *testing.T) {
	w := newTumbling(1000)
	const budget = 2000
	e := Encoder{Budget: budget}
	e.Reset(w.pose)
	d := Decoder{}
	h := Header{Seq: 1}
	if _, err := d.Decode(e.Keyframe(nil, h)); err != nil {
		t.Fatal(err)
	}
	total, frames := 0, 0
	for i := range 100 {
		h.Seq++
		frame, _ := e.Delta(nil, h, w.step())
		if _, err := d.Decode(frame); err != nil {
			t.Fatal(err)
		}
		if i >= 20 {
			total, frames = total+len(frame), frames+1
		}
	}
	if mean := total / frames; mean > budget*11/10 {
		t.Errorf("%d bytes a frame, want %d or little more", mean, budget)
	}
	for range 10 { // they stand still where they are
		h.Seq++
		frame, _ := e.Delta(nil, h, w.pose)
		if _, err := d.Decode(frame); err != nil {
			t.Fatal(err)
		}
	}
	if pos, turn := farthest(w.pose, d.Poses(nil)); pos > 0.51*posUnit || turn > 0.0008 {
		t.Errorf("at rest %v m and %v rad from the truth", pos, turn)
	}
	h.Seq++
	if frame, moved := e.Delta(nil, h, w.pose); moved || len(frame) > 30 {
		t.Errorf("a frame at rest: moved %v, %d bytes", moved, len(frame))
	}
}

func TestAThousandMovingBodiesTakeLessThanThreeBytesEach(t *testing.T) {
	w := newTumbling(1000)
	e := Encoder{}
	e.Reset(w.pose)
	total := 0
	for i := range 60 {
		frame, _ := e.Delta(nil, Header{Seq: uint32(i)}, w.step())
		if i >= 20 {
			total += len(frame)
		}
	}
	if mean := total / 40; mean > 3000 {
		t.Errorf("%d bytes a frame, want at most 3000 for 60 kB/s at 20 Hz", mean)
	}
}

func TestJumpsAndOddPosesArrive(t *testing.T) {
	far := r3.Pose{Pos: r3.V(4e5, -4e5, 1), Rot: r3.Identity().Turn(r3.V(3, 0, 0))}
	odd := r3.Pose{Pos: r3.V(math.NaN(), math.Inf(1), 1e300)}
	e, d := Encoder{}, Decoder{}
	e.Reset(make([]r3.Pose, 2))
	if _, err := d.Decode(e.Keyframe(nil, Header{})); err != nil {
		t.Fatal(err)
	}
	frame, _ := e.Delta(nil, Header{Seq: 1}, []r3.Pose{far, odd})
	if _, err := d.Decode(frame); err != nil {
		t.Fatal(err)
	}
	got := d.Poses(nil)
	if pos, turn := farthest([]r3.Pose{far}, got[:1]); pos > posUnit || turn > 0.0008 {
		t.Errorf("%+v, want %+v", got[0], far)
	}
	for _, x := range []float64{got[1].Pos.X, got[1].Pos.Y, got[1].Pos.Z, got[1].Rot.W} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("%+v: a viewer draws finite numbers", got[1])
		}
	}
}

func TestEveryPrefixOfAKeyframeIsRefused(t *testing.T) {
	w := newTumbling(3)
	e := Encoder{}
	e.Reset(w.pose)
	key := e.Keyframe(nil, Header{World: 300, Scene: 70000, Seq: 5, Time: time.Hour})
	for n := range key {
		if _, err := (&Decoder{}).Decode(key[:n]); !errors.Is(err, ErrFrame) {
			t.Errorf("%d of %d bytes: %v", n, len(key), err)
		}
	}
	if _, err := (&Decoder{}).Decode(append(bytes.Clone(key), 0)); !errors.Is(err, ErrFrame) {
		t.Errorf("a byte too many: %v", err)
	}
	lie := append([]byte{keyframe, 0, 0, 0, 0, 0}, 0xff, 0xff, 0x03)
	if _, err := (&Decoder{}).Decode(lie); !errors.Is(err, ErrFrame) {
		t.Errorf("65535 poses in no bytes: %v", err)
	}
}

func FuzzDecoder(f *testing.F) {
	w := newTumbling(4)
	e := Encoder{}
	e.Reset(w.pose)
	key := e.Keyframe(nil, Header{})
	next, _ := e.Delta(nil, Header{Seq: 1}, w.step())
	third, _ := e.Delta(nil, Header{Seq: 2}, []r3.Pose{{Pos: r3.V(1e4, 0, 0)}, {}, {}, {}})
	f.Add(key, next, third)
	f.Fuzz(func(t *testing.T, key, next, third []byte) {
		d := Decoder{}
		for _, frame := range [][]byte{key, next, third} {
			h, err := d.Decode(frame)
			if err != nil {
				if !errors.Is(err, ErrFrame) {
					t.Fatal(err)
				}
				continue
			}
			for _, p := range d.Poses(nil) {
				if !p.IsFinite() {
					t.Fatalf("%+v is no pose", p)
				}
			}
			again := Decoder{}
			told := (&Encoder{tracks: d.tracks}).Keyframe(nil, h)
			_, err = again.Decode(told)
			if h.Keyframe && (err != nil || !slices.Equal(again.tracks, d.tracks)) {
				t.Fatalf("the state told again: %v", err)
			}
		}
	})
}

func BenchmarkDeltaOfAThousandMovingBodies(b *testing.B) {
	w := newTumbling(1000)
	e := Encoder{}
	e.Reset(w.pose)
	var moves [][]r3.Pose
	for range 64 {
		moves = append(moves, slices.Clone(w.step()))
	}
	var out []byte
	size := 0
	for i := 0; b.Loop(); i++ {
		out, _ = e.Delta(out[:0], Header{}, moves[i%len(moves)])
		size += len(out)
	}
	b.ReportMetric(float64(size)/float64(b.N), "B/frame")
}
