package ui

import (
	"os"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui/keymap"
)

// resting is a backend on which nothing happens.
type resting struct{ sim.Backend }

func (resting) Snapshot() *sim.Snapshot { return &sim.Snapshot{Model: &sim.Model{}, State: sim.Paused} }

func newModel(t *testing.T, c Config) *Model {
	t.Helper()
	text, err := os.ReadFile("../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if c.Keymap, err = keymap.Parse("keymap.yaml", text); err != nil {
		t.Fatal(err)
	}
	c.Backend = resting{}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheSizeThatATerminalElsewhereToldWinsWhateverComesLater(t *testing.T) {
	m := newModel(t, Config{Far: Far{Sizes: make(chan Size)}})
	nothing, right := tea.WindowSizeMsg{}, tea.WindowSizeMsg{Width: 100, Height: 30}
	m.take(nothing)
	if m.take(sizeMsg{Columns: 100, Rows: 30}) == nil {
		t.Fatal("the renderer is not told of the size")
	}
	m.take(right)
	again := m.take(nothing) // as Bubble Tea may have it
	if m.window.w != 100 || m.window.h != 30 {
		t.Errorf("the window is %d by %d", m.window.w, m.window.h)
	}
	if again == nil || again() != tea.Msg(right) {
		t.Error("the renderer is left with nothing to draw on")
	}
	if m.take(right) != nil {
		t.Error("a size that is right is told again, without end")
	}
}

func TestWhatAPictureMayCostFollowsTheLine(t *testing.T) {
	const ms = time.Millisecond
	var l line
	l.took(200*ms, 0)
	if l.took(200*ms, 40); l.rows != 10 {
		t.Errorf("a picture begins with %d rows of 40, want a quarter", l.rows)
	}
	for range 4 {
		l.took(700*ms, 40)
	}
	if l.rows != leastRows {
		t.Errorf("%d rows on a line that takes half a second more for them", l.rows)
	}
	frames := 0
	for ; l.rows > 0 && frames < 100; frames++ {
		l.took(210*ms, 40)
	}
	if frames < 5 || frames > 40 {
		t.Errorf("all rows after %d quick frames", frames)
	}
	if slow := l.took(210*ms, 40); slow || !l.took(900*ms, 40) {
		t.Error("what is slow is not told from what is not")
	}
	if l.took(900*ms, 0); l.rows != 0 {
		t.Errorf("%d rows of no picture", l.rows)
	}
}

func TestEveryQuestionHasItsAnswer(t *testing.T) {
	var l line
	now := time.Now()
	if l.ask("a", now); l.ask("b", now) == nil {
		t.Fatal("no command")
	}
	all := l.all
	l.answer()
	select {
	case <-all:
		t.Fatal("one answer is taken for two")
	default:
	}
	l.answer()
	<-all
	l.answer() // that nobody asked for
	l.ask("c", now)
	if l.all == nil {
		t.Fatal("what comes unasked counts as an answer")
	}
	if l.silent(); l.all != nil || l.far {
		t.Error("a silent terminal is waited for")
	}
}
