package pane

import (
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// courier is a robot with a battery of 2 Ah in a state.
func courier(state sim.BatteryState) *sim.Snapshot {
	spec := &scene.ModelSpec{Name: "m"}
	spec.Batteries = []scene.Battery{{Name: "pack", Capacity: 2, Full: 12.6, ChargeTime: 1}}
	return &sim.Snapshot{Model: &sim.Model{Entities: []sim.EntityModel{{Name: "a", Spec: spec}}},
		Entities: []sim.EntityState{{Pose: r3.IdentityPose()}}, Batteries: []sim.BatteryState{state}}
}

// The detail and the instruments show the charge of a battery, its voltage, its current and how long it
// lasts. Below 20 % it is a warning.
func TestABatteryIsShownWithHowLongItLasts(t *testing.T) {
	for _, c := range []struct {
		state  sim.BatteryState
		detail []string
		driver [2]string
		role   theme.Role
	}{
		{sim.BatteryState{Voltage: 12.34, Current: 1.5, Charge: 1.25, Draining: true},
			[]string{"battery  pack", "62 %  1.250 of 2.000 Ah, draining", "12.34 V  1.50 A", "50 min 00 s left"},
			[2]string{"62 %", "12.3 V  1.50 A"}, theme.Strong},
		{sim.BatteryState{Voltage: 11.2, Current: 0.1, Charge: 0.38, Draining: true},
			[]string{"! 19 %  0.380 of 2.000 Ah, draining", "3 h 48 min left"},
			[2]string{"! 19 %", "11.2 V  0.10 A"}, theme.Warn},
		{sim.BatteryState{Voltage: 12.6, Current: -2, Charge: 1.7, Charging: true},
			[]string{"85 %  1.700 of 2.000 Ah, charging", "3 min 00 s to full"},
			[2]string{"85 %", "12.6 V  -2.00 A"}, theme.Strong},
		{sim.BatteryState{Draining: true}, []string{"! 0 %  0.000 of 2.000 Ah, empty", "0.00 V  0.00 A"},
			[2]string{"! 0 %", "0.0 V  0.00 A"}, theme.Warn},
		{sim.BatteryState{Voltage: 12.6, Charge: 2}, []string{"100 %  2.000 of 2.000 Ah, full"},
			[2]string{"100 %", "12.6 V  0.00 A"}, theme.Strong},
		{sim.BatteryState{Voltage: 12.6, Current: 1e-6, Charge: 2}, []string{"over 100 h left"},
			[2]string{"100 %", "12.6 V  0.00 A"}, theme.Strong},
	} {
		s := courier(c.state)
		cells := canvas.NewCellBuffer(100, 20)
		new(Detail).Draw(cells.All(), &View{Snap: s, Entity: 0})
		for _, want := range c.detail {
			if !strings.Contains(cells.Plain(), want) {
				t.Errorf("the detail of %+v does not say %q:\n%s", c.state, want, cells.Plain())
			}
		}
		n := &Instruments{}
		n.Drive("a")
		cells = canvas.NewCellBuffer(40, 20)
		n.Draw(cells.All(), &View{Snap: s, Entity: 0})
		lines := strings.Split(cells.Plain(), "\n")
		y := 0
		for y < len(lines) && !strings.Contains(lines[y], "battery") {
			y++
		}
		for k, want := range c.driver {
			if y+k >= len(lines) || !strings.HasSuffix(strings.TrimRight(lines[y+k], " "), want) {
				t.Fatalf("the instruments of %+v do not end line %d with %q:\n%s", c.state, y+k, want, cells.Plain())
			}
		}
		if _, role := charge(&s.Model.Entities[0].Spec.Batteries[0], c.state); role != c.role {
			t.Errorf("%+v has the role %v, want %v", c.state, role, c.role)
		}
		if got := n.Rows(s); got != 12 {
			t.Errorf("the instruments take %d rows, want 12", got)
		}
	}
}
