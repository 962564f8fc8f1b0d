package cli

import (
	"fmt"
	"io"
	"strings"

	"simdeck/sim/scene"
	"simdeck/ui/escape"
)

// print writes a report for people.
func (r *checked) print(out io.Writer) {
	if r.Kind == "world" {
		escape.Fprintf(out, "%s: world %q, %d models, %d named poses\n", r.File, r.Name, r.Models, r.Poses)
	} else {
		escape.Fprintf(out, "%s: model %q (%s), %d links, %d joints, %d drives, %d sensors\n", r.File, r.Name,
			r.Format, r.Links, r.Joints, r.Drives, r.Sensors)
	}
	for _, m := range r.Engine {
		if m.Error != "" {
			escape.Fprintf(out, "  cannot be simulated: %s\n", m.Error)
		}
		if len(m.Reduced) > 0 {
			escape.Fprintf(out, "  %s: joints in reduced coordinates: %s\n", m.Model,
				strings.Join(m.Reduced, ", "))
		}
		if len(m.Maximal) > 0 {
			escape.Fprintf(out, "  %s: joints between bodies: %s\n", m.Model, strings.Join(m.Maximal, ", "))
		}
	}
	for _, n := range r.Notes {
		escape.Fprintf(out, "  %s%s: %s\n", scene.Place(n.File, n.Line, n.Column), n.Kind, n.Text)
	}
	if len(r.Notes) == 0 {
		escape.Fprintln(out, "  taken as it is written")
	} else {
		text := " "
		for _, k := range []scene.NoteKind{scene.Missing, scene.Unreadable, scene.Unsupported,
			scene.Suspicious, scene.Inferred} {
			if n := r.Counts[k.String()]; n > 0 {
				text += fmt.Sprintf(" %d %s", n, k)
			}
		}
		escape.Fprintln(out, text)
	}
	if r.Info != "" {
		escape.Fprintf(out, "  wrote %s\n", r.Info)
	}
}
