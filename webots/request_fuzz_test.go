package webots

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/webots/wire"
)

// still is an engine that refuses every command.
type still struct{ *engine.Engine }

func (still) Do(context.Context, sim.Command) (sim.Reply, error) { return nil, sim.ErrUnsupported }

// FuzzRequestOfAController holds that no request of a controller, or of a supervisor, breaks its session.
func FuzzRequestOfAController(f *testing.F) {
	text, err := os.ReadFile("testdata/worlds/lab.wbt")
	if err != nil {
		f.Fatal(err)
	}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "test", FS: os.DirFS("testdata")}}})
	e, err := engine.New(engine.Config{Library: lib, World: sim.Resource{Document: string(text)},
		Start: sim.Playing})
	if err != nil {
		f.Fatal(err)
	}
	step := wire.Request{Duration: 16, Messages: []wire.Message{
		{Tag: 1, Data: []byte{wire.MotorForce, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f}},
		{Tag: 16, Data: []byte{wire.SetSamplingPeriod, 16, 0}},
		{Tag: 20, Data: []byte{wire.EmitterSend, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 1, 0, 0, 0, 'x'}}}}
	f.Add("my_cart", step.Append(nil))
	look := wire.Request{Messages: []wire.Message{{Data: append([]byte{wire.NodeFromDef}, "BOX\x00\xff\xff\xff\xff"...)}}}
	f.Add("post", look.Append(nil))
	for _, command := range []string{"\x55CART\x00", "W\x01\x00\x00\x00\xff\xff\xff\xffchildren\x00\x00",
		"X\x00\x00\x00\x00\xff\xff\xff\xff\x00\x00\x00\x00\x00\x05\x00\x00\x00", "N\x01\x00\x00\x00\xff\xff\xff\xff",
		"J\x01\x00\x00\x00a\x00K\x01\x00\x00\x00a\x00", "L\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x3f\x01\x00\x00\x00"} {
		q := wire.Request{Messages: []wire.Message{{Data: append(slices.Clone(look.Messages[0].Data), command...)}}}
		f.Add("post", q.Append(nil))
	}
	f.Fuzz(func(t *testing.T, entity string, b []byte) {
		q, err := wire.ParseRequest(b)
		snapshot := e.Snapshot()
		i, ok := snapshot.Find(entity)
		if err != nil || !ok || snapshot.Model.Entities[i].Spec.Robot == nil {
			return
		}
		s := &Server{c: Config{Backend: still{e}}, nodes: wire.NodesOf(DefaultRelease)}
		r := newRobot(s, &snapshot.Model.Entities[i], nil, slog.New(slog.DiscardHandler))
		s.air.add(r)
		r.find(snapshot)
		var a wire.Answer
		r.configure(&a, snapshot)
		if r.take(context.Background(), &q, &a) == nil {
			r.tell(&a, snapshot)
		}
		for _, target := range r.targets {
			if target.Effort < 0 || target.Speed < 0 {
				t.Errorf("a bound below zero: %+v", target)
			}
		}
	})
}
