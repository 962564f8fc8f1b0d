package sim

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Keyboard hands keys that operators press to controllers outside of the simulator. Keys never reach the
// engine: recordings and replays have what controllers make of them, as commands. The zero value is a
// keyboard that nobody types on. It is safe from any goroutine.
type Keyboard struct {
	mu        sync.Mutex
	typists   []*Typist      // with those that have left since they were last looked at
	listeners map[string]int // controllers that want keys, by the entities of their robots
}

// Key is a key with the modifiers that are held with it.
type Key struct {
	// a sign as it is typed, letters in upper case; or up down left right home end pgup pgdown, space enter
	// tab backspace insert delete
	Name                string
	Shift, Control, Alt bool
}

// MaxPressed bounds the keys that an operator holds at once: a terminal may tell of more than ten fingers.
const MaxPressed = 16

// Typist is an operator who types for controllers.
type Typist struct {
	mu     *sync.Mutex // the keyboard's
	robots []string    // entities; nil: all whose controllers listen

	// Guarded by the keyboard.
	pressed []press // the newest first
	left    bool
}

// press is a key that is held.
type press struct {
	key   Key
	until time.Time // zero: until it is released
}

// Type begins to type for the controllers of some robots, which are named by entity; nil: for all.
func (k *Keyboard) Type(robots []string) *Typist {
	t := &Typist{mu: &k.mu, robots: robots}
	k.mu.Lock()
	k.typists = append(slices.DeleteFunc(k.typists, func(t *Typist) bool { return t.left }), t)
	k.mu.Unlock()
	return t
}

// Press holds a key until a time, or until it is released where that is zero. A key that is held already
// keeps its place, and its time where that is later.
func (t *Typist) Press(key Key, until time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.pressed {
		if p := &t.pressed[i]; p.key == key {
			if until.IsZero() || !p.holds(until) {
				p.until = until
			}
			return
		}
	}
	t.pressed = slices.Insert(t.pressed, 0, press{key, until})
	t.pressed = t.pressed[:min(len(t.pressed), MaxPressed)]
}

// Held lists the keys that are held at a time, the newest first. It forgets keys whose time is over.
func (t *Typist) Held(now time.Time) (keys []Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pressed = slices.DeleteFunc(t.pressed, func(p press) bool { return !p.holds(now) })
	for i := range t.pressed {
		keys = append(keys, t.pressed[i].key)
	}
	return keys
}

// Release lets a key go by its name, whatever is held with it. An empty name lets all go.
func (t *Typist) Release(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pressed = slices.DeleteFunc(t.pressed, func(p press) bool { return name == "" || p.key.Name == name })
}

// Leave lets all keys go and ends the typing. It may be called more than once.
func (t *Typist) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left = true
}

func (p *press) holds(now time.Time) bool { return p.until.IsZero() || now.Before(p.until) }

// Listen says that the controller of a robot wants keys until stop is called, once. The robot is named by
// entity.
func (k *Keyboard) Listen(robot string) (stop func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.listeners == nil {
		k.listeners = map[string]int{}
	}
	k.listeners[robot]++
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.listeners[robot]--; k.listeners[robot] <= 0 {
			delete(k.listeners, robot)
		}
	}
}

// Listeners names the robots whose controllers want keys, in order.
func (k *Keyboard) Listeners() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Sorted(maps.Keys(k.listeners))
}

// Pressed lists the keys that are held for a robot at a time, the newest of each operator first.
func (k *Keyboard) Pressed(robot string, now time.Time) (keys []Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.typists = slices.DeleteFunc(k.typists, func(t *Typist) bool { return t.left })
	for _, t := range k.typists {
		if t.robots != nil && !slices.Contains(t.robots, robot) {
			continue
		}
		for i := range t.pressed {
			if p := &t.pressed[i]; p.holds(now) && !slices.Contains(keys, p.key) {
				keys = append(keys, p.key)
			}
		}
	}
	return keys
}
