package viewers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"simdeck/ui/viewers/stream"
)

// Bounds of a viewer.
const (
	queued      = 40               // deltas of a world that wait; more begin anew with a keyframe
	stallsAfter = 10 * time.Second // a message that takes longer to write ends the connection
	pulsePeriod = 30 * time.Second // between two questions whether the viewer is still there
	longest     = 4 << 10          // bytes of a message from a viewer
	// messages from a viewer in a minute
	talkative = 120
)

// message is a message of text from the server.
type message struct {
	Type   string        `json:"type"` // "worlds", "scene", "lamps"
	Worlds []worldName   `json:"worlds,omitempty"`
	Scene  *stream.Scene `json:"scene,omitempty"`
	Lamps  *stream.Lamps `json:"lamps,omitempty"`
}

// worldName is a world in the list of those that there are.
type worldName struct {
	ID   uint32 `json:"id"`
	Name string `json:"name"`
}

// request is a message from a viewer: the worlds that it wants to see.
type request struct {
	Watch []uint32 `json:"watch"`
}

// outgoing is a message to a viewer.
type outgoing struct {
	text bool
	data []byte
}

// cursor is the place of a viewer in the stream of a world.
type cursor struct {
	world      uint32
	begin      source
	scene, key bool       // it needs these before deltas
	deltas     []outgoing // with lamps among them
}

// source makes the messages with which a viewer begins: the scene, where it is asked for, and a keyframe. The
// queue begins anew. None: there is no scene yet.
type source func(scene bool) []outgoing

// viewer is a browser that looks on.
type viewer struct {
	conn *websocket.Conn
	wake chan struct{} // something is to be sent

	mu   sync.Mutex
	list []byte // worlds that there are; nil: the viewer knows
	seen []*cursor
}

func newViewer(conn *websocket.Conn) *viewer {
	return &viewer{conn: conn, wake: make(chan struct{}, 1)}
}

func (v *viewer) rouse() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// tell has the viewer hear which worlds there are.
func (v *viewer) tell(list []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list = list
	v.rouse()
}

// of is the cursor in a world, by its number; nil: the viewer does not watch it. The lock is held.
func (v *viewer) of(world uint32) *cursor {
	for _, c := range v.seen {
		if c.world == world {
			return c
		}
	}
	return nil
}

// push queues a delta, or what lamps show. A viewer that is too slow for it loses what waits, and gets a
// keyframe when it can take one.
func (v *viewer) push(world uint32, frame outgoing) {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := v.of(world)
	if c == nil || c.key {
		return
	}
	if len(c.deltas) >= queued {
		c.key, c.deltas = true, nil
	} else {
		c.deltas = append(c.deltas, frame)
	}
	v.rouse()
}

// restart has the viewer begin anew with a world and a scene of it.
func (v *viewer) restart(world uint32, begin source) {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := v.of(world)
	if c == nil {
		c = &cursor{world: world}
		v.seen = append(v.seen, c)
	}
	c.begin, c.scene, c.key, c.deltas = begin, true, true, nil
	v.rouse()
}

// resume says that the viewer gets what it needs, and takes deltas from there.
func (v *viewer) resume(world uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c := v.of(world); c != nil {
		c.scene, c.key, c.deltas = false, false, nil
	}
}

// forget drops a world from the queues.
func (v *viewer) forget(world uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.seen = slices.DeleteFunc(v.seen, func(c *cursor) bool { return c.world == world })
}

// next takes the messages that are to be written now.
func (v *viewer) next() (out []outgoing) {
	v.mu.Lock()
	if v.list != nil {
		out = append(out, outgoing{true, v.list})
		v.list = nil
	}
	var begin []cursor
	for _, c := range v.seen {
		if c.key {
			begin = append(begin, *c)
			continue
		}
		out = append(out, c.deltas...)
		c.deltas = nil
	}
	v.mu.Unlock()
	for _, c := range begin {
		out = append(out, c.begin(c.scene)...)
	}
	return out
}

// write sends until ctx ends or the viewer does not take it.
func (v *viewer) write(ctx context.Context) error {
	pulse := time.NewTicker(pulsePeriod)
	defer pulse.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-pulse.C:
			if err := v.ping(ctx); err != nil {
				return err
			}
			continue
		case <-v.wake:
		}
		for _, m := range v.next() {
			kind := websocket.MessageBinary
			if m.text {
				kind = websocket.MessageText
			}
			if err := v.send(ctx, kind, m.data); err != nil {
				return err
			}
		}
	}
}

func (v *viewer) send(ctx context.Context, kind websocket.MessageType, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, stallsAfter)
	defer cancel()
	return v.conn.Write(ctx, kind, data)
}

// ping asks a viewer whether it is still there: a world that rests sends nothing.
func (v *viewer) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stallsAfter)
	defer cancel()
	if err := v.conn.Ping(ctx); err != nil {
		return fmt.Errorf("the viewer does not answer: %w", err)
	}
	return nil
}

// errTalk is the reason to end the connection of a viewer that does not keep to the protocol.
var errTalk = errors.New("viewers send {\"watch\":[…]}, at most two a second")

// read hears what the viewer wants to see, until ctx ends or it leaves.
func (v *viewer) read(ctx context.Context, watch func([]uint32)) error {
	v.conn.SetReadLimit(longest)
	began, heard := time.Now(), 0
	for {
		_, data, err := v.conn.Read(ctx)
		if err != nil {
			return err
		}
		if now := time.Now(); now.Sub(began) > time.Minute {
			began, heard = now, 0
		}
		if heard++; heard > talkative {
			return errTalk
		}
		var r request
		if err := json.Unmarshal(data, &r); err != nil {
			return fmt.Errorf("%w: %w", errTalk, err)
		}
		watch(r.Watch)
	}
}
