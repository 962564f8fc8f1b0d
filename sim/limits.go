package sim

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrLimit is wrapped when a command asks for more than Limits allow; the message says what, how much, and
// the limit.
var ErrLimit = errors.New("limit exceeded")

// Limits bound what commands may put into a world, so that a step stays short enough for everybody. 0 is no
// limit. They hold when a world is loaded, a model spawned or an entity moved; what a reset or Rewind brings
// back was within them.
type Limits struct {
	Entities int `json:"entities,omitempty"` // in the world
	Bodies   int `json:"bodies,omitempty"`   // in the world
	Links    int `json:"links,omitempty"`    // of a model
	Joints   int `json:"joints,omitempty"`   // of a model
	// joints of the longest ring of a model: a step costs the cube of them
	Loop int `json:"loop,omitempty"`
	// dynamic bodies in the same place as another: contacts are the square of them
	Overlaps int `json:"overlaps,omitempty"`
}

// DefaultLimits are those of the command line.
func DefaultLimits() Limits {
	return Limits{Entities: 20000, Bodies: 50000, Links: 20000, Joints: 20000, Loop: 100, Overlaps: 64}
}

// limit is one of Limits by its name.
type limit struct {
	name  string
	value *int
}

func (l *Limits) all() []limit {
	return []limit{{"entities", &l.Entities}, {"bodies", &l.Bodies}, {"links", &l.Links},
		{"joints", &l.Joints}, {"loop", &l.Loop}, {"overlaps", &l.Overlaps}}
}

// String is the limits as ParseLimits reads them.
func (l Limits) String() string {
	var words []string
	for _, one := range l.all() {
		words = append(words, fmt.Sprintf("%s=%d", one.name, *one.value))
	}
	return strings.Join(words, ",")
}

// ParseLimits changes limits by words like overlaps=100; 0 is no limit.
func ParseLimits(l Limits, words []string) (Limits, error) {
	for _, word := range words {
		name, text, _ := strings.Cut(word, "=")
		all := l.all()
		i := slices.IndexFunc(all, func(one limit) bool { return one.name == strings.TrimSpace(name) })
		n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
		if i < 0 || err != nil {
			return l, fmt.Errorf("%w: limit %q; want %s, with other numbers or 0 for none",
				ErrUnsupported, word, DefaultLimits())
		}
		*all[i].value = int(n)
	}
	return l, nil
}
