package ui_test

import (
	"context"
	"testing"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/uitest"
)

// taping is a recorder that records.
type taping struct{ folder string }

func (taping) Topics() ([]string, string)             { return nil, "" }
func (t taping) State() sim.Recording                 { return sim.Recording{Folder: t.folder} }
func (t taping) Stop(context.Context) (string, error) { return t.folder, nil }
func (t taping) Start(context.Context, sim.RecordingScope) (string, error) {
	return t.folder, nil
}

func TestWhoQuitsIsAskedWhereARecordingOrOthersLoseTheSimulator(t *testing.T) {
	peers := func(n int) func(*ui.Config) {
		return func(c *ui.Config) {
			c.EndsAll = true
			c.Capabilities.Connection = func() sim.Connection { return sim.Connection{On: true, Peers: n} }
		}
	}
	recording := func(c *ui.Config) {
		c.EndsAll, c.Capabilities.Recorder = true, taping{"/rec/monday"}
	}
	attached := func(c *ui.Config) {
		c.Capabilities.Connection = func() sim.Connection { return sim.Connection{On: true, Peers: 3} }
	}
	for _, c := range []struct {
		name   string
		change func(*ui.Config)
		asks   string
		again  string
	}{
		{"alone", peers(0), "", ""},
		{"with others", peers(2), "connected over ROS: 2 peers", "dialog.accept"},
		{"while recording", recording, "the recording to /rec/monday ends", "app.quit"},
		{"of a console that ends nothing", attached, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			uitest.Open(t, uitest.Room(), 80, 24, shipped(t), c.change, func(d *uitest.Driver) {
				d.Press("app.quit")
				if c.asks == "" {
					if !d.Quit() {
						d.T.Error("it asks")
					}
					return
				}
				d.Shows("Quit simdeck?", c.asks)
				d.Press("dialog.cancel")
				d.Hides("Quit simdeck?")
				d.Press("app.quit", c.again)
				if !d.Quit() {
					d.T.Error("it goes on")
				}
			})
		})
	}
}
