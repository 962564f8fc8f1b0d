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
	w := ui.World{Deck: c.Deck, Recorder: c.Recorder, Desk: c.Desk}
	restrictWorld(&w, c.Viewer)
	c.Deck, c.Recorder, c.Desk = w.Deck, w.Recorder, w.Desk
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
	w.Deck = looking{w.Deck, looks}
	if w.Recorder != nil {
		w.Recorder = seeing{w.Recorder, looks}
	}
	if w.Desk != nil {
		w.Desk = keeping{w.Desk, looks}
	}
}

var errViewer = fmt.Errorf("%w: viewers change nothing", sim.ErrUnsupported)

// looking is a deck that does nothing but questions while looks says so.
type looking struct {
	sim.Deck
	looks func() bool
}

// Do refuses a viewer all but questions.
func (d looking) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	if d.looks() && !sim.OnlyAsks(c) {
		return nil, errViewer
	}
	return d.Deck.Do(ctx, c)
}

// seeing is a recorder that only shows what it does while looks says so.
type seeing struct {
	ui.Recorder
	looks func() bool
}

// Start refuses a viewer.
func (r seeing) Start(ctx context.Context) (string, error) {
	if r.looks() {
		return "", errViewer
	}
	return r.Recorder.Start(ctx)
}

// Stop refuses a viewer.
func (r seeing) Stop(ctx context.Context) (string, error) {
	if r.looks() {
		return "", errViewer
	}
	return r.Recorder.Stop(ctx)
}

// keeping is a desk that keeps nothing while looks says so.
type keeping struct {
	ui.Desk
	looks func() bool
}

// Symbols are none for a viewer.
func (d keeping) Symbols(term string) string {
	if d.looks() {
		return ""
	}
	return d.Desk.Symbols(term)
}

// KeepSymbols keeps none of a viewer.
func (d keeping) KeepSymbols(term, symbols string) error {
	if d.looks() {
		return nil
	}
	return d.Desk.KeepSymbols(term, symbols)
}

// SavePicture refuses a viewer.
func (d keeping) SavePicture(png []byte, text string) (string, error) {
	if d.looks() {
		return "", errViewer
	}
	return d.Desk.SavePicture(png, text)
}
