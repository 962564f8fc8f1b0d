package viewers

import (
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/viewers/stream"
)

// Rates of what is sent.
const (
	period     = 50 * time.Millisecond  // of motion
	idlePeriod = time.Second            // of frames in which nothing moves, for their time
	scenePause = 250 * time.Millisecond // between two scenes, while models come and go
	lampPause  = 100 * time.Millisecond // between two changes of lamps
	// bytes of a delta, so that a viewer takes 60 kB/s at most of a world in steady motion
	frameBudget = 2850
)

// World is a simulation that is shown. Its methods are safe from any goroutine.
type World struct {
	id   uint32
	name string
	log  *slog.Logger

	mu       sync.Mutex
	model    *sim.Model   // of the scene
	scene    []byte       // the message; nil: none yet
	lamps    []scene.Glow // as viewers were told
	lights   []byte       // the message
	lit      time.Time    // when
	made     time.Time    // when
	revision uint32
	links    []int // in Snapshot.Links, of the poses
	files    *assets
	encoder  stream.Encoder
	poses    []r3.Pose
	header   stream.Header // of the frame sent last
	sent     time.Time     // when
	key      []byte        // keyframe of that state; nil: not made yet
	viewers  map[*viewer]bool
}

func newWorld(id uint32, name string, log *slog.Logger) *World {
	return &World{id: id, name: name, log: log, files: newAssets(), viewers: map[*viewer]bool{},
		encoder: stream.Encoder{Budget: frameBudget}}
}

// Show sends what is new in a snapshot to all who watch. It waits for none of them.
func (w *World) Show(s *sim.Snapshot, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.model != s.Model || w.scene == nil {
		if w.scene == nil || now.Sub(w.made) >= scenePause {
			w.describe(s, now)
		}
		return
	}
	if !slices.Equal(w.lamps, s.Lamps) && now.Sub(w.lit) >= lampPause {
		w.light(s.Lamps, now)
		for v := range w.viewers {
			v.push(w.id, outgoing{text: true, data: w.lights})
		}
	}
	if len(w.viewers) == 0 {
		// The next viewer begins with a keyframe of the newest poses.
		w.header.Seq++
		w.encoder.Reset(w.at(s))
		w.stamp(s, now)
		return
	}
	h := w.header
	h.Seq++
	h.Time, h.State = s.Time, uint8(s.State)
	frame, moved := w.encoder.Delta(nil, h, w.at(s))
	if !moved && h.State == w.header.State && now.Sub(w.sent) < idlePeriod {
		return
	}
	w.header.Seq++
	w.stamp(s, now)
	for v := range w.viewers {
		v.push(w.id, outgoing{data: frame})
	}
}

// stamp says what the frame sent last was of.
func (w *World) stamp(s *sim.Snapshot, now time.Time) {
	w.header.Time, w.header.State, w.sent, w.key = s.Time, uint8(s.State), now, nil
}

// describe makes a new scene, which all viewers get before any motion in it.
func (w *World) describe(s *sim.Snapshot, now time.Time) {
	sc, links, files := sceneOf(s.Model, w.files)
	w.model, w.links, w.files, w.made = s.Model, links, files, now
	w.revision++
	sc.World, sc.Revision = w.id, w.revision
	if sc.Name == "" {
		sc.Name = w.name
	}
	text, err := json.Marshal(message{Type: "scene", Scene: sc})
	if err != nil { // its numbers are finite
		w.log.Error("the scene cannot be told to viewers", "world", w.name, "error", err)
		return
	}
	w.scene = text
	w.light(s.Lamps, now)
	w.header = stream.Header{World: w.id, Scene: w.revision, Seq: w.header.Seq + 1}
	w.encoder.Reset(w.at(s))
	w.stamp(s, now)
	for v := range w.viewers {
		v.restart(w.id, w.sourceOf(v))
	}
}

// light says what the lamps show.
func (w *World) light(lamps []scene.Glow, now time.Time) {
	of := stream.Lamps{World: w.id, Revision: w.revision, Glow: make([]stream.Vector, len(lamps))}
	for i, g := range lamps {
		of.Glow[i] = stream.Vector(g)
	}
	text, err := json.Marshal(message{Type: "lamps", Lamps: &of})
	if err != nil { // its numbers are finite
		w.log.Error("lamps cannot be told to viewers", "world", w.name, "error", err)
		return
	}
	w.lamps, w.lights, w.lit = lamps, text, now
}

// at are the poses of a snapshot that viewers see.
func (w *World) at(s *sim.Snapshot) []r3.Pose {
	w.poses = w.poses[:0]
	for _, link := range w.links {
		p := r3.IdentityPose()
		if link < len(s.Links) {
			p = s.Links[link].Pose
		}
		w.poses = append(w.poses, p)
	}
	return w.poses
}

// file is a mesh or a texture of the scene by its hash; nil: it has none such.
func (w *World) file(hash string) *asset {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files.files[hash]
}

// watch has a viewer see the world from now on, or not.
func (w *World) watch(v *viewer, on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !on {
		delete(w.viewers, v)
		return
	}
	if !w.viewers[v] {
		w.viewers[v] = true
		v.restart(w.id, w.sourceOf(v))
	}
}

// sourceOf makes the beginnings of a viewer.
func (w *World) sourceOf(v *viewer) source {
	return func(scene bool) []outgoing { return w.beginning(v, scene) }
}

func (w *World) beginning(v *viewer, scene bool) (messages []outgoing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.scene == nil || !w.viewers[v] {
		return nil
	}
	v.resume(w.id)
	if scene {
		messages = append(messages, outgoing{text: true, data: w.scene})
	}
	if len(w.lamps) > 0 {
		messages = append(messages, outgoing{text: true, data: w.lights})
	}
	if w.key == nil {
		w.key = w.encoder.Keyframe(nil, w.header)
	}
	return append(messages, outgoing{data: w.key})
}
