package pane

import (
	"fmt"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/theme"
)

// trafficOf writes the state of an actor or a traffic signal.
func trafficOf(b *lines, now *sim.Snapshot, s *sim.EntityState) {
	if a := s.Actor; a != nil {
		word := "stopped"
		if a.Moving {
			word = "going"
		}
		if a.Lane == "" {
			b.row("actor", span{word, theme.Strong},
				span{fmt.Sprintf("  %s s into its trajectory", Number(a.At, 1)), theme.Plain})
			return
		}
		b.row("actor", span{word, theme.Strong}, span{fmt.Sprintf("  at %s m/s, wants %s m/s",
			Number(a.Speed, 2), Number(a.Wanted, 2)), theme.Plain})
		b.row("lane", span{a.Lane, theme.Accent}, span{fmt.Sprintf("  %s m along", Number(a.At, 1)),
			theme.Plain})
		if a.Follows {
			b.row("", span{"keeps its distance and heeds signals", theme.Dim})
		}
	}
	if k := s.Signal; k != nil {
		shows := k.Aspect.String()
		if k.Phase != shows {
			shows += " (" + k.Phase + ")"
		}
		until := "held"
		if !k.Held {
			until = fmt.Sprintf("for %s s", Number((k.Until-now.Time).Seconds(), 1))
		}
		b.row("signal", span{shows, aspectRole(k.Aspect)}, span{"  " + until, theme.Plain})
	}
}

// aspectRole is the role of the word for an aspect.
func aspectRole(a scene.Aspect) theme.Role {
	switch {
	case a&scene.RedLamp != 0:
		return theme.Bad
	case a == scene.YellowLamp:
		return theme.Warn
	case a == scene.GreenLamp:
		return theme.Good
	}
	return theme.Dim
}
