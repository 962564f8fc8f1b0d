package pane

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// lowCharge is the state of charge below which a battery is shown as a warning.
const lowCharge = 0.2

// batteries lists the batteries of an entity.
func batteries(b *lines, s *sim.Snapshot, entity int) {
	for i, state := range s.BatteriesOf(entity) {
		spec := &s.Model.Entities[entity].Spec.Batteries[i]
		b.head("battery", span{"  " + spec.Name, theme.Dim})
		percent, role := charge(spec, state)
		b.row("charge", span{percent, role}, span{fmt.Sprintf("  %s of %s Ah, %v", Number(state.Charge, 3),
			Number(spec.Capacity, 3), state.Status(spec)), theme.Dim})
		b.row("voltage", span{Number(state.Voltage, 2) + " V", theme.Plain},
			span{fmt.Sprintf("  %s A", Number(state.Current, 2)), theme.Plain})
		if left := remaining(spec, state); left != "" {
			b.row("", span{left, theme.Plain})
		}
	}
}

// charge is the state of charge in percent, and its role.
func charge(b *scene.Battery, s sim.BatteryState) (text string, role theme.Role) {
	part := s.Charge / b.Capacity
	role = theme.Strong
	text = Number(100*part, 0) + " %"
	if part < lowCharge {
		role, text = theme.Warn, "! "+text
	}
	return text, role
}

// remaining is the time for which a battery lasts or charges at its present current; empty: nothing flows, or
// what flows changes nothing more.
func remaining(b *scene.Battery, s sim.BatteryState) string {
	t := s.Remaining(b)
	if math.IsInf(t, 1) || t <= 0 {
		return ""
	}
	what := "left"
	if s.Current < 0 {
		what = "to full"
	}
	switch {
	case t >= 100*3600:
		return "over 100 h " + what
	case t >= 3600:
		return fmt.Sprintf("%d h %02d min %s", int(t)/3600, int(t)/60%60, what)
	case t >= 60:
		return fmt.Sprintf("%d min %02d s %s", int(t)/60, int(t)%60, what)
	}
	return fmt.Sprintf("%d s %s", int(t), what)
}

// drawBattery draws a battery in two lines of the instruments.
func drawBattery(a canvas.Area, y int, b *scene.Battery, s sim.BatteryState) int {
	percent, role := charge(b, s)
	a.Text(1, y, "battery", theme.Label)
	a.Right(a.W()-1, y, percent, role)
	left := remaining(b, s)
	if left == "" {
		left = s.Status(b).String()
	}
	a.Text(1, y+1, left, theme.Dim)
	a.Right(a.W()-1, y+1, fmt.Sprintf("%s V  %s A", Number(s.Voltage, 1), Number(s.Current, 2)), theme.Plain)
	return y + 2
}
