package viewers

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/uitest/pipetest"
	"simdeck/ui/viewers/stream"
)

// piped is a server in memory, for tests in virtual time.
func piped(t *testing.T, c Config) *Server {
	t.Helper()
	c.Listen = pipetest.Listen
	return served(t, c)
}

// client connects to a server, through memory where that is piped.
func client(s *Server) *http.Client {
	t := &http.Transport{DisableKeepAlives: true}
	if l, ok := s.listens.(*pipetest.Listener); ok {
		t.DialContext = func(context.Context, string, string) (net.Conn, error) { return l.Dial() }
	}
	return &http.Client{Transport: t}
}

// served is a server that runs until the test ends.
func served(t *testing.T, c Config) *Server {
	t.Helper()
	c.Address = "0"
	s, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { stop(); running.Wait() })
	return s
}

// begun is a world that is shown.
func (s *Server) begun(t *testing.T, name string) *World {
	t.Helper()
	w, err := s.Begin(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// boxes is a world of boxes, entity by entity.
func boxes(revision uint64, names ...string) *sim.Model {
	m := &sim.Model{Revision: revision, World: sim.WorldInfo{Name: "boxes"}}
	spec := &scene.ModelSpec{Links: []scene.Link{{Name: "l", Visuals: []scene.Geom{{Kind: scene.Box,
		Size: r3.V(1, 2, 3), Pose: r3.PoseRPY(0, 0, 0.5, 0, 0, 0),
		Material: scene.Material{Colour: [4]float32{1, 0, 0, 1}}}}}}}
	for i, n := range names {
		m.Entities = append(m.Entities, sim.EntityModel{Name: n, ID: uint64(i + 1), Spec: spec, FirstLink: i})
	}
	return m
}

// snapshot shows every entity at x = its number + at.
func snapshot(m *sim.Model, at float64) *sim.Snapshot {
	s := &sim.Snapshot{Model: m, Time: time.Duration(at * float64(time.Second)), State: sim.Playing}
	for i := range m.Entities {
		p := r3.Pose{Pos: r3.V(float64(i)+at, 0, 1), Rot: r3.Identity().Turn(r3.V(0, 0, at))}
		s.Links = append(s.Links, sim.LinkState{Pose: p})
		s.Entities = append(s.Entities, sim.EntityState{Pose: p})
	}
	return s
}

// looker is a viewer written in Go.
type looker struct {
	t      *testing.T
	conn   *websocket.Conn
	worlds []worldName
	scene  *stream.Scene
	lamps  *stream.Lamps
	motion stream.Decoder
	header stream.Header
	frames int
	bytes  int
}

// look connects a viewer that watches all worlds.
func look(t *testing.T, s *Server) *looker {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+s.Addr()+"/stream", &websocket.DialOptions{HTTPClient: client(s)})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 26)
	t.Cleanup(func() { conn.CloseNow() })
	l := &looker{t: t, conn: conn}
	l.until("the list of worlds", func() bool { return l.worlds != nil })
	l.watch()
	return l
}

// watch asks for all worlds that it knows.
func (l *looker) watch() {
	l.t.Helper()
	r := request{Watch: []uint32{}}
	for _, w := range l.worlds {
		r.Watch = append(r.Watch, w.ID)
	}
	text, _ := json.Marshal(r)
	if err := l.conn.Write(context.Background(), websocket.MessageText, text); err != nil {
		l.t.Fatal(err)
	}
}

// take reads a message.
func (l *looker) take() {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	kind, data, err := l.conn.Read(ctx)
	if err != nil {
		l.t.Fatal(err)
	}
	if l.bytes += len(data); kind == websocket.MessageText {
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			l.t.Fatal(err)
		}
		switch m.Type {
		case "worlds":
			l.worlds = append([]worldName{}, m.Worlds...)
		case "scene":
			l.scene, l.lamps = m.Scene, nil
		case "lamps":
			l.lamps = m.Lamps
		}
		return
	}
	if l.header, err = l.motion.Decode(data); err != nil {
		l.t.Fatal(err)
	}
	l.frames++
}

// until reads messages until something is so.
func (l *looker) until(what string, ok func() bool) {
	l.t.Helper()
	for began := time.Now(); !ok(); l.take() {
		if time.Since(began) > time.Minute {
			l.t.Fatalf("no %s within a minute", what)
		}
	}
}

// at reports that a pose stands at x.
func (l *looker) at(pose int, x float64) func() bool {
	return func() bool {
		all := l.motion.Poses(nil)
		return pose < len(all) && math.Abs(all[pose].Pos.X-x) < 0.002
	}
}

// get asks over HTTP.
func get(t *testing.T, s *Server, path string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest("GET", "http://"+s.Addr()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	a, err := client(s).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var text strings.Builder
	if _, err := io.Copy(&text, a.Body); err != nil {
		t.Fatal(err)
	}
	return a, text.String()
}
