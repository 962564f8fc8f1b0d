package vehicle

import (
	"context"
	"encoding/binary"
	"io/fs"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// files hold a world bundle: 100 m by 100 m of flat ground, a road of 20 m width along x, a car with a camera and a
// lidar; one that is invalid, and one of which a file is missing.
func files() fs.FS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }
	var heights []byte
	for range 21 * 21 {
		heights = binary.LittleEndian.AppendUint32(heights, math.Float32bits(0))
	}
	world := `version: "1.2"
metadata: metadata.json
geometry: {heightmap_bin: h.bin, heightmap_yaml: h.yaml, drivable_geojson: road.geojson}
sensors: {calibration: cal.yaml}
sim: {timebase: time.yaml}
`
	return fstest.MapFS{
		"site/world.yaml":    file(world),
		"site/metadata.json": file(`{"scene_id": "scene-0103", "source_mcap": "drive.mcap", "spatial_extent": [100, 100, 5]}`),
		"site/h.yaml":        file("width: 21\nheight: 21\nresolution: 5\norigin: [-50, -50, 0]\n"),
		"site/h.bin":         {Data: heights, Mode: 0o644},
		"site/road.geojson":  file(`{"type": "Polygon", "coordinates": [[[-50,-10],[50,-10],[50,10],[-50,10],[-50,-10]]]}`),
		"site/cal.yaml": file(`cameras:
  front: {intrinsics: {width: 32, height: 24, fx: 20, fy: 20, cx: 16, cy: 12}, extrinsics: {translation: [1.5, 0, 1.6], rotation: [-0.5, 0.5, -0.5, 0.5]}}
lidars:
  top: {channels: 4, horizontal_resolution: 10, vertical_fov: [-20, 5], min_range: 1, max_range: 40, extrinsics: {translation: [0, 0, 2.2], rotation: [0, 0, 0, 1]}}
`),
		"site/time.yaml":    file("dt: 0.01\nstart_time: 100.0\ninitial_pose: {position: [-20, 3, 0], orientation: [0, 0, 0, 1]}\n"),
		"broken/world.yaml": file(world + "vehicle: {wheelbase: -3}\n"), "broken/metadata.json": file(`{}`), "broken/h.yaml": file("width: 2\nheight: 2\nresolution: 5\n"),
		"broken/h.bin": {Data: heights[:16], Mode: 0o644}, "broken/road.geojson": file(`{"type": "FeatureCollection", "features": []}`),
		"broken/cal.yaml": file("{}"), "broken/time.yaml": file("dt: 0.01\n"),
		"torn/world.yaml": file(world), "torn/metadata.json": file(`{}`),
		"drive.yaml": file(`phases:
  - name: go
    do:
      - set_speed: {entity: ego, speed: 3}
      - wait: {time: 2}
      - publish: {topic: /scenario/event, text: gone}
  - name: pass
    when: {distance: {entity: ego, to: [-20, 3], above: 8}}
    do:
      - set_speed: {entity: ego, speed: 0}
      - set_pose: {entity: ego, position: [0, 0, 0]}
`),
		"stuck.yaml":      file("phases:\n  - name: never\n    when: {region: {entity: ego, min: [900, 0], max: [901, 1]}}\n"),
		"wrong.yaml":      file("phases:\n  - name: a\n    do:\n      - set_speed: {entity: ego, speed: 3}\n      - jump: {entity: ego}\n"),
		"failing.yaml":    file("phases:\n  - name: a\n    do:\n      - set_pose: {entity: nobody, position: [0, 0]}\n"),
		"plain/world.sdf": file(`<sdf version="1.9"><world name="plain"/></sdf>`),
	}
}

// town is a simulator with its fleet and profile and a node that listens, on a virtual network, in the time of a bubble.
type town struct {
	t        *testing.T
	engine   *sim.Engine
	listener *node.Node
}

// inTown runs a test over a real engine with a world, in a state.
func inTown(t *testing.T, world string, start sim.State, f func(h *town)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "site", FS: files()}}})
		e, err := sim.New(sim.Config{Library: lib, World: scene.Resource{URI: world}, Start: start})
		if err != nil {
			t.Fatal(err)
		}
		net := netsim.New(1)
		server, err1 := node.New(node.Config{Name: "simdeck", Transport: net.Host("server")})
		listener, err2 := node.New(node.Config{Name: "listener", Transport: net.Host("listener")})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if _, err := robot.New(server, e); err != nil {
			t.Fatal(err)
		}
		New(server, e)
		h := &town{t, e, listener}
		h.run(e.Run)
		h.run(server.Run)
		h.run(listener.Run)
		f(h)
	})
}

func (h *town) run(f func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := f(ctx); err != nil {
			h.t.Error(err)
		}
	}()
	h.t.Cleanup(func() {
		cancel()
		<-done
	})
}

func (h *town) do(c sim.Command) {
	h.t.Helper()
	if _, err := h.engine.Do(context.Background(), c); err != nil {
		h.t.Fatal(err)
	}
}

func (h *town) until(what string, ok func() bool) {
	h.t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatalf("waited 30 s for %s", what)
		}
	}
}

// heard keeps what arrives on a topic.
type heard[T any] struct {
	mu   sync.Mutex
	list []*T
}

// hear subscribes a topic and waits for its publisher.
func hear[T any, PT msgs.Of[T]](h *town, topic string, q node.QoS) *heard[T] {
	h.t.Helper()
	l := &heard[T]{}
	if q.Depth < 5000 && q.Durability == 0 {
		q.Depth = 5000
	}
	s, err := node.NewSubscription[T, PT](h.listener, topic, q, func(_ context.Context, m *T, _ node.Origin) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.list = append(l.list, m)
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.until("a publisher of "+topic, func() bool { return s.Publishers() > 0 })
	time.Sleep(200 * time.Millisecond) // until it is seen that somebody listens
	return l
}

func (l *heard[T]) all() []*T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

func (l *heard[T]) last() *T {
	if all := l.all(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

func (l *heard[T]) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = nil
}

// call calls a service once.
func call[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](h *town, name string, svc msgs.Service[Q, S], q *Q) *S {
	h.t.Helper()
	c, err := node.NewClient[Q, S, PQ, PS](h.listener, name, svc)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := c.WaitReady(ctx); err != nil {
		h.t.Fatalf("%s: %v", name, err)
	}
	r, err := c.Call(ctx, q)
	if err != nil {
		h.t.Fatalf("%s: %v", name, err)
	}
	return r
}
