package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/ui/escape"
)

func (s *session) deleteCommand() *cobra.Command {
	c := &cobra.Command{Use: "delete NAME …", Short: "Delete entities", Args: cobra.MinimumNArgs(1)}
	c.ValidArgsFunction = s.completing("get_entities", func(ctx context.Context, r Remote) (names []string) {
		_, list, _ := r.Entities(ctx, "") // no answer, no completions
		for _, e := range list {
			names = append(names, e.Name)
		}
		return names
	})
	return s.onRemote(c, "delete_entity", func(t *task) error {
		if _, err := t.Do(t.ctx, sim.Delete{Names: t.args}); err != nil {
			return errors.New(err.Error()) // that an entity is not there is not that a file is missing
		}
		return t.say(done{Simulator: t.Title(), Did: "delete", Names: t.args},
			fmt.Sprintf("%s no longer has %s", t.Title(), strings.Join(t.args, ", ")))
	})
}

func (s *session) listCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "list [FILTER]", Short: "List the entities with their states", Args: cobra.MaximumNArgs(1),
		Long: "list shows what is in the world and where. FILTER is an expression for names as the simulator reads it;\nthe standard has POSIX extended ones.",
	}
	return s.onRemote(c, "get_entities", func(t *task) error {
		at, list, err := t.Entities(t.ctx, first(t.args))
		if err != nil {
			return errors.New(err.Error())
		}
		if t.json {
			return printEntitiesJSON(t.out, t.Title(), at, list)
		}
		return printEntities(t.out, t.Title(), at, list)
	})
}

// printEntities writes a table of what a simulator or world has.
func printEntities(out io.Writer, of string, at time.Duration, list []Entity) error {
	width := len("NAME")
	for _, e := range list {
		width = max(width, utf8.RuneCountInString(escape.Line(e.Name)))
	}
	var b strings.Builder
	line := func(name string, cells ...string) {
		escape.Fprintf(&b, "%-*s", width, name)
		for _, c := range cells {
			escape.Fprintf(&b, " %9s", c)
		}
		b.WriteByte('\n')
	}
	line("NAME", "X", "Y", "Z", "YAW", "SPEED")
	for _, e := range list {
		if e.State == nil {
			line(e.Name, "-", "-", "-", "-", "-")
			continue
		}
		p := e.State.Pose.Pos
		line(e.Name, fixed(p.X, 3), fixed(p.Y, 3), fixed(p.Z, 3), fixed(e.State.Pose.Rot.Yaw(), 3),
			fixed(e.State.Twist.Linear.Len(), 3))
	}
	escape.Fprintf(&b, "%d entities of %s at %.3f s, in m, rad and m/s\n", len(list), of, at.Seconds())
	_, err := io.WriteString(out, b.String())
	return err
}

// fixed is a number with some places and no minus before nothing. From a million on it has six digits: a
// simulator elsewhere may send numbers of 300.
func fixed(f float64, places int) string {
	if math.Abs(f) >= 1e6 && !math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	s := fmt.Sprintf("%.*f", places, f)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// printEntitiesJSON writes an object with the time and a list.
func printEntitiesJSON(out io.Writer, of string, at time.Duration, list []Entity) error {
	type entity struct {
		Name        string     `json:"name"`
		Position    *[3]number `json:"position,omitempty"`    // m
		Orientation *[4]number `json:"orientation,omitempty"` // x y z w
		Linear      *[3]number `json:"linear,omitempty"`      // m/s
		Angular     *[3]number `json:"angular,omitempty"`     // rad/s
	}
	all := struct {
		Simulator string   `json:"simulator"`
		Time      float64  `json:"time"` // s
		Entities  []entity `json:"entities"`
	}{of, at.Seconds(), []entity{}}
	for _, e := range list {
		one := entity{Name: e.Name}
		if s := e.State; s != nil {
			p, q, v, w := s.Pose.Pos, s.Pose.Rot, s.Twist.Linear, s.Twist.Angular
			one.Position, one.Orientation = &[3]number{number(p.X), number(p.Y), number(p.Z)},
				&[4]number{number(q.X), number(q.Y), number(q.Z), number(q.W)}
			one.Linear, one.Angular = &[3]number{number(v.X), number(v.Y), number(v.Z)},
				&[3]number{number(w.X), number(w.Y), number(w.Z)}
		}
		all.Entities = append(all.Entities, one)
	}
	return json.NewEncoder(out).Encode(all)
}

// number is a number from a simulator elsewhere. JSON has none for what is not finite: that is "NaN",
// "Infinity" or "-Infinity", as call --json has it.
type number float64

// MarshalJSON writes it.
func (n number) MarshalJSON() ([]byte, error) {
	switch f := float64(n); {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	}
	return json.Marshal(float64(n))
}
