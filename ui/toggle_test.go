package ui_test

import (
	"testing"

	"simdeck/ui/uitest"
)

func TestTogglesSayWhatIsShownNow(t *testing.T) {
	uitest.Open(t, uitest.Room(), 200, 60, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("view.map")
		d.Shows("• lidar")
		d.Press("map.lidar")
		d.Shows("Lidar returns of the selected robot: hidden")
		d.Hides("• lidar")
		d.Press("map.lidar")
		d.Shows("Lidar returns of the selected robot: shown", "• lidar")
		d.Hides("• trail")
		d.Press("map.trails")
		d.Shows("Trails of robots: shown", "• trail")
		d.Press("map.trails")
		d.Shows("Trails of robots: hidden")
		d.Press("map.physics")
		d.Shows("Physics overlay: contacts")
		d.Press("view.freeze")
		d.Shows("Display: frozen; the simulation continues")
		d.Press("view.freeze")
		d.Shows("Display: live")
	})
}

func TestTabsTellOfNotesThatAreNotShown(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		uitest.Open(t, uitest.Room(), size[0], size[1], shipped(t), nil, func(d *uitest.Driver) {
			d.Shows("!1")
		})
	}
}
