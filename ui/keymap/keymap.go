// Package keymap reads which keys do what: the shipped keymap.yaml, a user's
// file over it, and the table of keys that documents are printed from. It
// knows names of actions, not what they do.
//
// A file has a section for each context and in it a list of keys for each
// action. Keys of Everywhere hold in panes too, so InList, OnMap and OnCamera may not take them; Driving,
// Controlling, InDialog and OnFleet may.
package keymap

import (
	"slices"
	"strings"
)

// Context says where a key holds.
type Context string

// Contexts, in the order of help and tables.
const (
	Everywhere  Context = "everywhere"
	InList      Context = "list"   // panes with rows
	OnMap       Context = "map"    // the map pane
	OnCamera    Context = "camera" // the camera pane
	Driving     Context = "drive"  // while a robot is driven by hand
	Controlling Context = "keys"   // while controllers of robots have the keys
	InDialog    Context = "dialog" // while a dialog is open
	OnFleet     Context = "fleet"  // the table of many simulators, see simdeck attach --all
)

// Contexts lists them in order.
func Contexts() []Context {
	return []Context{Everywhere, InList, OnMap, OnCamera, Driving, Controlling, InDialog, OnFleet}
}

// Binding is the keys of an action.
type Binding struct {
	Context Context
	Action  string
	Keys    []string
	Comment string // comment in the file
	Line    int    // in the file that named the keys last
	File    string
}

// Map is a whole table of keys. It does not change after it was read.
type Map struct {
	bindings []Binding
	byKey    map[Context]map[string]string
}

// Bindings lists all actions in the order of the shipped file.
func (m *Map) Bindings() []Binding { return m.bindings }

// Action is the action of a key in a context; empty when there is none. Keys of Everywhere hold in lists and
// on the map too.
func (m *Map) Action(c Context, key string) string {
	if a := m.byKey[c][key]; a != "" {
		return a
	}
	if c == InList || c == OnMap || c == OnCamera {
		return m.byKey[Everywhere][key]
	}
	return ""
}

// Keys of an action, the most fitting first; none when it has none.
func (m *Map) Keys(action string) []string {
	if i := m.index(action); i >= 0 {
		return m.bindings[i].Keys
	}
	return nil
}

// Key is the first key of an action as people write it; empty when it has none.
func (m *Map) Key(action string) string {
	if k := m.Keys(action); len(k) > 0 {
		return Display(k[0])
	}
	return ""
}

func (m *Map) index(action string) int {
	return slices.IndexFunc(m.bindings, func(b Binding) bool { return b.Action == action })
}

// Display is a key as footers and tables write it: short, with ^ for ctrl and S for
// shift.
func Display(key string) string {
	mod := ""
	for {
		i := strings.Index(key, "+")
		if i <= 0 || i == len(key)-1 {
			break
		}
		switch key[:i] {
		case "ctrl":
			mod += "^"
		case "shift":
			mod += "S"
		default:
			mod += key[:i] + "-"
		}
		key = key[i+1:]
	}
	if short, ok := map[string]string{
		"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn",
	}[key]; ok {
		key = short
	}
	return mod + key
}

// DisplayAll is all keys of an action as Display writes them.
func DisplayAll(keys []string) string {
	var all []string
	for _, k := range keys {
		all = append(all, Display(k))
	}
	return strings.Join(all, " ")
}
