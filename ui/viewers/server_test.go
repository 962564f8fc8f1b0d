package viewers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/viewers/stream"
)

func TestALateViewerGetsTheWholeAndThenWhatMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := piped(t, Config{})
		w := s.begun(t, "hall")
		m, now := boxes(1, "a", "b"), time.Now()
		for i := range 10 {
			w.Show(snapshot(m, float64(i)/10), now)
		}
		l := look(t, s)
		l.until("scene and poses", func() bool { return l.scene != nil && l.at(1, 1.9)() })
		if l.worlds[0].Name != "hall" || l.scene.Name != "boxes" || len(l.scene.Entities) != 2 ||
			l.scene.Entities[1].Name != "b" || l.scene.Poses != 2 || len(l.scene.Shapes) != 1 {
			t.Errorf("%+v %+v: boxes of one size are one shape", l.worlds, l.scene)
		}
		w.Show(snapshot(m, 1), now)
		l.until("motion", l.at(0, 1))
		if l.header.Keyframe || l.header.Time != time.Second || l.header.State != uint8(sim.Playing) {
			t.Errorf("%+v", l.header)
		}
	})
}

func TestEntitiesThatComeAndGoArriveAndTheEndIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := piped(t, Config{})
		w := s.begun(t, "hall")
		now := time.Now()
		w.Show(snapshot(boxes(1, "a"), 0), now)
		l := look(t, s)
		l.until("the first scene", func() bool { return l.frames > 0 })
		w.Show(snapshot(boxes(2, "a", "b", "c"), 0), now.Add(time.Second))
		l.until("the others", func() bool { return len(l.scene.Entities) == 3 && l.at(2, 2)() })
		w.Show(snapshot(boxes(3, "c"), 0), now.Add(2*time.Second))
		l.until("one alone", func() bool { return len(l.scene.Entities) == 1 && l.at(0, 0)() })
		other := s.begun(t, "attic")
		other.Show(snapshot(boxes(1, "x"), 0), now)
		l.until("another world", func() bool { return len(l.worlds) == 2 })
		s.End(w)
		l.until("the end of the first", func() bool { return len(l.worlds) == 1 && l.worlds[0].Name == "attic" })
		l.watch()
		l.until("the world that is left", func() bool { return l.scene.World == other.id })
	})
}

func TestViewersSeeTheLightOfLamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := piped(t, Config{})
		w := s.begun(t, "crossing")
		m := boxes(1, "signal")
		spec := m.Entities[0].Spec
		spec.Robot = &scene.ControlledRobot{Lamps: []scene.Lamp{{Name: "red"}}}
		spec.Links[0].Visuals = append(spec.Links[0].Visuals,
			scene.Geom{Kind: scene.Sphere, Radius: 0.1, Lamp: 1})
		showing := func(g scene.Glow) *sim.Snapshot {
			sn := snapshot(m, 0)
			sn.Lamps = []scene.Glow{g}
			return sn
		}
		l := look(t, s)
		glow := func(want float32) func() bool {
			return func() bool {
				if l.scene == nil || l.lamps == nil || l.lamps.Revision != l.scene.Revision {
					return false
				}
				shape := l.scene.Shapes[l.scene.Items[1].Shape]
				lamp := l.scene.Materials[shape.Runs[0].Material].Lamp
				return lamp == 1 && l.lamps.Glow[lamp-1][0] == want
			}
		}
		now := time.Now()
		w.Show(showing(scene.Glow{1, 0, 0}), now)
		l.until("the red lamp", glow(1))
		first := l.scene.Revision
		w.Show(showing(scene.Glow{0.5, 0, 0}), now.Add(lampPause/2)) // too early: it is left out
		w.Show(showing(scene.Glow{}), now.Add(lampPause))
		l.until("no red lamp", glow(0))
		late := look(t, s)
		late.until("the scene and its lamps for one who comes late", func() bool {
			return late.scene != nil && late.lamps != nil && late.lamps.Glow[0] == stream.Vector{}
		})
		other := l.scene.Shapes[l.scene.Items[0].Shape]
		if l.scene.Revision != first || l.scene.Materials[other.Runs[0].Material].Lamp != 0 {
			t.Error("a lamp that is switched makes no new scene, and other shapes show none")
		}
	})
}

func TestAMeshIsServedByTheHashOfItsContentAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := piped(t, Config{})
		w := s.begun(t, "hall")
		w.Show(snapshot(boxes(1, "a"), 0), time.Now())
		l := look(t, s)
		l.until("scene", func() bool { return l.scene != nil })
		path := "/mesh/" + l.scene.Shapes[0].Mesh
		a, body := get(t, s, path, nil)
		if a.StatusCode != http.StatusOK || len(body) != 8+24*24+4*36 ||
			binary.LittleEndian.Uint32([]byte(body)) != 24 || binary.LittleEndian.Uint32([]byte(body[4:])) != 36 {
			t.Errorf("%s: %d bytes; a box has 24 corners and 36 indices", a.Status, len(body))
		}
		a, body = get(t, s, path, func(r *http.Request) { r.Header.Set("If-None-Match", a.Header.Get("ETag")) })
		if a.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s of a mesh that the browser has", a.Status)
		}
		for _, path := range []string{"/mesh/0123", "/mesh/../http.go", "/mesh/%2e%2e%2fhttp.go", "/page/index.html",
			"/..%2f..%2fetc%2fpasswd", "/etc/passwd", "/mesh/", "/http.go"} {
			if a, _ := get(t, s, path, nil); a.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s; a request can name no file", path, a.Status)
			}
		}
		s.End(w)
		if a, _ := get(t, s, path, nil); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s of a world that has ended", a.Status)
		}
	})
}

func TestTheHostMustBeOursAndSoMustTheOrigin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := piped(t, Config{Names: []string{"robots.example.org"}})
		port := s.Addr()[strings.LastIndexByte(s.Addr(), ':'):]
		for host, want := range map[string]int{"localhost" + port: 200, "127.0.0.1": 200, "[::1]:80": 200,
			"192.168.1.4:23280": 200, "Robots.example.org": 200, "evil.example.com": 421, "": 200,
			"localhost.evil.com": 421, "robots.example.org.evil.com": 421} {
			a, _ := get(t, s, "/", func(r *http.Request) {
				if host != "" {
					r.Host = host
				}
			})
			if a.StatusCode != want {
				t.Errorf("host %q: %d, want %d", host, a.StatusCode, want)
			}
			if csp := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
				t.Errorf("host %q: policy %q", host, csp)
			}
		}
		for origin, welcome := range map[string]bool{"": true, "http://" + s.Addr(): true,
			"https://robots.example.org": true, "http://robots.example.org:8080": true, "http://evil.example.com": false,
			"null": false, "http://127.0.0.1:1": false} {
			o := &websocket.DialOptions{HTTPHeader: http.Header{}, HTTPClient: client(s)}
			if origin != "" {
				o.HTTPHeader.Set("Origin", origin)
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			conn, _, err := websocket.Dial(ctx, "ws://"+s.Addr()+"/stream", o)
			cancel()
			if (err == nil) != welcome {
				t.Errorf("origin %q: %v", origin, err)
			}
			if err == nil {
				conn.CloseNow()
			}
		}
	})
}

func TestAViewerThatTalksTooMuchOrNonsenseIsDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, talk := range map[string]func(l *looker) error{
			"long": func(l *looker) error {
				return l.conn.Write(context.Background(), websocket.MessageText, make([]byte, longest+1))
			},
			"nonsense": func(l *looker) error {
				return l.conn.Write(context.Background(), websocket.MessageText, []byte("hello"))
			},
			"often": func(l *looker) (err error) {
				for range 2 * talkative {
					err = errors.Join(err,
						l.conn.Write(context.Background(), websocket.MessageText, []byte(`{"watch":[]}`)))
				}
				return nil
			},
		} {
			s := piped(t, Config{})
			l := look(t, s)
			if err := talk(l); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			closed := l.conn.CloseRead(context.Background()) // reads on, so that the closing is answered
			for late := time.After(time.Minute); s.Viewers() > 0; time.Sleep(time.Millisecond) {
				select {
				case <-late:
					t.Fatalf("%s: a viewer is still there after a minute; its connection: %v", name, closed.Err())
				default:
				}
			}
		}
	})
}

func TestAViewerThatStallsSlowsNobodyAndBeginsAnewWithAKeyframe(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := served(t, Config{Listen: net.Listen})
	w := s.begun(t, "hall")
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("box%03d", i)
	}
	m, now := boxes(1, names...), time.Now()
	w.Show(snapshot(m, 0), now)
	stalled, other := look(t, s), look(t, s)
	other.until("the beginning", func() bool { return other.frames > 0 })
	stalled.until("the beginning", func() bool { return stalled.frames > 0 })
	held := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		most := 0
		for v := range s.viewers {
			v.mu.Lock()
			if c := v.of(w.id); c != nil {
				most = max(most, len(c.deltas))
			}
			v.mu.Unlock()
		}
		return most
	}
	const frames = 3000
	for i := 1; i <= frames; i++ { // the stalled viewer reads nothing meanwhile
		w.Show(snapshot(m, jump(i)), now)
		other.until("every frame", func() bool { return other.frames >= i+1 })
		if n := held(); n > queued {
			t.Fatalf("%d frames wait, at most %d may", n, queued)
		}
	}
	if other.header.Keyframe {
		t.Error("a viewer that keeps up begins anew for another's sake")
	}
	stalled.until("the newest poses", stalled.at(0, jump(frames)))
	if stalled.frames >= frames/2 {
		t.Errorf("%d frames for a viewer that stalled during %d: they should be dropped", stalled.frames, frames)
	}
}

// jump is a place that nobody predicts.
func jump(i int) float64 { return float64(i*7919%1000) / 10 }

func TestViewersAndWorldsAreLimitedAndPlacesAreFreeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := piped(t, Config{})
		var all []*looker
		for range mostViewers {
			all = append(all, look(t, s))
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if conn, r, err := websocket.Dial(ctx, "ws://"+s.Addr()+"/stream", &websocket.DialOptions{HTTPClient: client(s)}); err == nil ||
			r.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a viewer too many: %v %v", conn, err)
		}
		all[0].conn.CloseNow()
		for s.Viewers() == mostViewers {
			time.Sleep(time.Millisecond)
		}
		look(t, s)
		var last *World
		for range mostWorlds {
			last = s.begun(t, "hall")
		}
		if _, err := s.Begin("one more"); !errors.Is(err, ErrFull) {
			t.Errorf("a world too many: %v", err)
		}
		s.End(last)
		s.begun(t, "another")
	})
}

func TestAddressesAreForThisMachineUnlessTheySayMore(t *testing.T) {
	for given, want := range map[string]string{"23280": "127.0.0.1:23280", "0": "127.0.0.1:0",
		"0.0.0.0:80": "0.0.0.0:80", "[::1]:80": "[::1]:80", ":80": "", "": "", "abc": "", "1.2.3.4": "",
		"70000": "", "+80": ""} {
		got, err := addressOf(given)
		if got != want || (want == "") != errors.Is(err, ErrAddress) {
			t.Errorf("%q: %q, %v; want %q", given, got, err, want)
		}
	}
	if _, err := Open(Config{Address: "0", Names: []string{"*"}}); !errors.Is(err, ErrAddress) {
		t.Errorf("a pattern for a name: %v", err)
	}
}

// feed is a backend that shows snapshots.
type feed struct {
	sim.Backend
	sim.Feed
}

func (f *feed) Snapshot() *sim.Snapshot                    { return f.Latest() }
func (f *feed) Subscribe(d sim.Delivery) *sim.Subscription { return f.Feed.Subscribe(d) }

func TestABackendIsFollowedUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := piped(t, Config{})
		f := &feed{}
		m := boxes(1, "a")
		f.Publish(snapshot(m, 0), time.Now(), true)
		ended := make(chan error)
		go func() { ended <- s.Follow(context.Background(), "hall", f) }()
		l := look(t, s)
		for len(l.worlds) == 0 {
			l.take()
		}
		l.watch()
		l.until("the scene", func() bool { return l.frames > 0 })
		later := snapshot(m, 5)
		later.Seq = 2
		f.Publish(later, time.Now().Add(time.Second), true)
		l.until("motion", l.at(0, 5))
		f.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		l.until("the end", func() bool { return len(l.worlds) == 0 })
	})
}
