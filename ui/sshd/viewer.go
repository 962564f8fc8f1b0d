package sshd

import (
	"context"
	"fmt"

	"simdeck/sim"
	"simdeck/ui"
)

// restrict keeps a console from changing anything while looks says so, whatever
// the console lets its owner try.
func restrict(c *ui.Config, looks func() bool) {
	always := c.ReadOnly
	c.Viewer = func() bool { return always || looks() }
	w := ui.World{Backend: c.Backend, Capabilities: c.Capabilities, Preferences: c.Preferences}
	restrictWorld(&w, c.Viewer)
	c.Backend, c.Capabilities, c.Preferences = w.Backend, w.Capabilities, w.Preferences
	worlds := make([]ui.World, len(c.Worlds)) // those of the server stay as they are
	copy(worlds, c.Worlds)
	for i := range worlds {
		restrictWorld(&worlds[i], c.Viewer)
	}
	if c.Worlds != nil {
		c.Worlds = worlds
	}
}

func restrictWorld(w *ui.World, looks func() bool) {
	w.Backend = readOnlyBackend{w.Backend, looks}
	if r := w.Capabilities.Recorder; r != nil {
		w.Capabilities.Recorder = readOnlyRecorder{r, looks}
	}
	if w.Preferences != nil {
		w.Preferences = keeping{w.Preferences, looks}
	}
}

var errViewer = fmt.Errorf("%w: read-only: your key has the viewer role", sim.ErrUnsupported)

// readOnlyBackend is a backend that does nothing but questions while looks says so.
type readOnlyBackend struct {
	sim.Backend
	looks func() bool
}

// Do refuses a viewer all but questions.
func (d readOnlyBackend) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	if d.looks() && !sim.OnlyAsks(c) {
		return nil, errViewer
	}
	return d.Backend.Do(ctx, c)
}

// readOnlyRecorder is a recorder that only shows what it does while looks says so.
type readOnlyRecorder struct {
	sim.RecordingControl
	looks func() bool
}

// Start refuses a viewer.
func (r readOnlyRecorder) Start(ctx context.Context, scope sim.RecordingScope) (string, error) {
	if r.looks() {
		return "", errViewer
	}
	return r.RecordingControl.Start(ctx, scope)
}

// Stop refuses a viewer.
func (r readOnlyRecorder) Stop(ctx context.Context) (string, error) {
	if r.looks() {
		return "", errViewer
	}
	return r.RecordingControl.Stop(ctx)
}

// keeping keeps no preferences while looks says so.
type keeping struct {
	ui.Preferences
	looks func() bool
}

// Symbols are none for a viewer.
func (d keeping) Symbols(term string) string {
	if d.looks() {
		return ""
	}
	return d.Preferences.Symbols(term)
}

// KeepSymbols keeps none of a viewer.
func (d keeping) KeepSymbols(term, symbols string) error {
	if d.looks() {
		return nil
	}
	return d.Preferences.KeepSymbols(term, symbols)
}

// Layouts are none for a viewer.
func (d keeping) Layouts() map[string]string {
	if d.looks() {
		return nil
	}
	return d.Preferences.Layouts()
}

// KeepLayout refuses a viewer.
func (d keeping) KeepLayout(name, layout string) error {
	if d.looks() {
		return errViewer
	}
	return d.Preferences.KeepLayout(name, layout)
}

// SavePicture refuses a viewer.
func (d keeping) SavePicture(png []byte, text string) (string, error) {
	if d.looks() {
		return "", errViewer
	}
	return d.Preferences.SavePicture(png, text)
}
