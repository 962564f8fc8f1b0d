package worker

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// store serves one answer to whoever asks, after a while.
func (h *site) store(answer l2msgs.GetObject3DResponse, after time.Duration) {
	h.T.Helper()
	n := h.node("storage", "/l2")
	line := node.NewLine(l2msgs.GetObject3DService(),
		func(ctx context.Context, _ node.Caller, q *l2msgs.GetObject3DRequest) *l2msgs.GetObject3DResponse {
			select {
			case <-time.After(after):
			case <-ctx.Done():
			}
			r := answer
			if r.Object.Name == "" {
				r.Object.Name = q.Name
			}
			return &r
		}, nil)
	if _, err := n.Serve(node.ServerConfig{Name: "storage/get_object3d",
		Lines: []node.Line{line}}); err != nil {
		h.T.Fatal(err)
	}
	rostest.Run(h.T, "storage", n.Run)
}

func TestTheStorageGivesAWorldOrTheReasonWhyNot(t *testing.T) {
	object := func(kind uint8, data string) l2msgs.GetObject3DResponse {
		return l2msgs.GetObject3DResponse{Success: true,
			Object: l2msgs.Object3D{ID: 7, Type: kind, Data: data, Scale: geometrymsgs.Vector3{X: 2}}}
	}
	for _, c := range []struct {
		about  string
		answer *l2msgs.GetObject3DResponse // nil: nobody serves
		after  time.Duration
		wrong  string // in the error; empty: there is none
	}{
		{about: "a Webots world", answer: new(object(l2msgs.Object3DTypeProto, hall))},
		{about: "an SDF world", answer: new(object(l2msgs.Object3DTypeSdf, plain)), after: 4 * time.Second},
		{about: "nobody", wrong: "no node serves /l2/storage/get_object3d within 5s"},
		{about: "too late", answer: new(object(l2msgs.Object3DTypeSdf, plain)), after: 6 * time.Second,
			wrong: "has not answered within 5s"},
		{about: "refused", answer: &l2msgs.GetObject3DResponse{Message: "no such object",
			Object: l2msgs.Object3D{Type: l2msgs.Object3DTypeSdf}}, wrong: "no such object"},
		{about: "refused in silence", answer: &l2msgs.GetObject3DResponse{}, wrong: "without a reason"},
		{about: "a mesh", answer: new(object(l2msgs.Object3DTypeObj, "v 0 0 0")),
			wrong: "type 1; a world is of type 2 (SDF) or 3"},
		{about: "of a supervisor", answer: new(object(l2msgs.Object3DTypeSupervisor, "x")), wrong: "type 4"},
		{about: "of no type", answer: new(object(l2msgs.Object3DTypeUnknown, plain)), wrong: "type 0"},
		{about: "empty", answer: new(object(l2msgs.Object3DTypeSdf, "")), wrong: "without data"},
	} {
		onSite(t, func(h *site) {
			if c.answer != nil {
				h.store(*c.answer, c.after)
			}
			began := time.Now()
			got, err := Fetch(context.Background(), h.Client, "arena")
			if took := time.Since(began); took > 5*time.Second {
				h.T.Errorf("%s: took %v; 5 s is the most", c.about, took)
			}
			switch {
			case c.wrong != "" && (!errors.Is(err, ErrStorage) || !strings.Contains(err.Error(), c.wrong) ||
				!strings.Contains(err.Error(), "arena")):
				h.T.Errorf("%s: %v; want %q in it", c.about, err, c.wrong)
			case c.wrong == "" && (err != nil || got.Data != c.answer.Object.Data || got.ID != 7 ||
				got.Name != "arena"):
				h.T.Errorf("%s: %+v %v", c.about, got, err)
			}
		})
	}
}

func TestAskingTheStorageEndsWithItsContext(t *testing.T) {
	onSite(t, func(h *site) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := Fetch(ctx, h.Client, "arena"); !errors.Is(err, context.DeadlineExceeded) ||
			errors.Is(err, ErrStorage) {
			h.T.Errorf("%v: whoever starts it may end it", err)
		}
	})
}

func TestAWorldOfTheStorageIsToldAsTheStorageHasIt(t *testing.T) {
	onSite(t, func(h *site) {
		stored := l2msgs.Object3D{ID: 7, Type: l2msgs.Object3DTypeProto, Name: "arena", Data: solo,
			Scale: geometrymsgs.Vector3{X: 2}}
		r := h.start(Config{ObjectConfig: "arena", Object: &stored}, "/lab", "", sim.Paused)
		heard := rostest.Hear[l2msgs.Simulation](&h.Stage, "/lab/simulation", node.LatchedQoS())
		if m := heard.Last(); m == nil || m.Object != stored {
			h.T.Errorf("%+v", m)
		}
		r.do(h, sim.LoadWorld{Resource: sim.Resource{URI: "worlds/plain.sdf"}})
		h.Until("the world that took its place",
			func() bool { return heard.Last().Object.Data == plain && heard.Last().Object.ID == 0 })
	})
}
