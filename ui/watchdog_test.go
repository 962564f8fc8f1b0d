package ui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// slow is a model that a message of type chan struct{} holds up until the channel is closed.
type slow struct{ took []tea.Msg }

func (s *slow) Init() tea.Cmd { return nil }

func (s *slow) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if wait, ok := msg.(chan struct{}); ok {
		<-wait
	}
	if msg == "panic" {
		panic("on purpose")
	}
	s.took = append(s.took, msg)
	return s, func() tea.Msg { return msg }
}

func (s *slow) View() tea.View { return tea.NewView("first line\nlast line") }

func watchSlow(t *testing.T, test func(ctx context.Context, end func(), m *slow, w *watchdog)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		m := &slow{}
		w, err := watch(ctx, m, func(k tea.KeyPressMsg) bool { return k.String() == "x" })
		if err != nil {
			t.Fatal(err)
		}
		w.Init()
		w.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
		test(ctx, end, m, w)
	})
}

func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	_, ok := cmd().(tea.QuitMsg)
	return ok
}

func TestAModelThatIsBusyTooLongIsGivenUpUntilItAnswers(t *testing.T) {
	watchSlow(t, func(_ context.Context, _ func(), m *slow, w *watchdog) {
		began, wait := time.Now(), make(chan struct{})
		_, await := w.Update(wait)
		if d := time.Since(began); d != frameMayTake {
			t.Errorf("it was given up after %v, want %v", d, frameMayTake)
		}
		lines := strings.Split(w.View().Content, "\n")
		if len(lines) != 2 || lines[0] != "first line" || !strings.Contains(lines[1], "was stopped") ||
			!strings.Contains(lines[1], "q: quit") {
			t.Errorf("the frame is %q", lines)
		}
		if !w.View().AltScreen {
			t.Error("the screen is given back while the console is there")
		}
		w.Update("meanwhile")
		w.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
		w.Update(tea.PasteMsg{Content: "rm"})
		if time.Since(began) != frameMayTake {
			t.Error("messages for a model that is busy are waited for")
		}
		close(wait)
		w.Update(await())
		if got := w.View().Content; got != "first line\nlast line" {
			t.Errorf("the frame is %q when the model answers again", got)
		}
		if rests, err := w.leave(); !rests || err != nil {
			t.Errorf("leave: %v, %v", rests, err)
		}
		if n := len(m.took); n != 3 || m.took[2] != "meanwhile" {
			t.Errorf("the model took %v, want the size, the wait and what came meanwhile, and no key", m.took)
		}
	})
}

func TestKeysAndSignalsEndAModelThatIsBusyForEver(t *testing.T) {
	for name, end := range map[string]func(w *watchdog, end func()) tea.Cmd{
		"ctrl+c": func(w *watchdog, _ func()) tea.Cmd {
			_, cmd := w.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
			return cmd
		},
		"the key of the keymap": func(w *watchdog, _ func()) tea.Cmd {
			_, cmd := w.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
			return cmd
		},
		"a signal": func(w *watchdog, end func()) tea.Cmd {
			end()
			return w.await
		},
	} {
		t.Run(name, func(t *testing.T) {
			watchSlow(t, func(_ context.Context, cancel func(), _ *slow, w *watchdog) {
				wait := make(chan struct{})
				w.Update(wait)
				began := time.Now()
				if !quits(end(w, cancel)) {
					t.Error("it does not quit")
				}
				rests, err := w.leave()
				if crash, ok := err.(*Crash); rests || !ok || len(crash.Stack) == 0 {
					t.Errorf("leave: %v, %v, want a crash with what runs", rests, err)
				}
				if d := time.Since(began); d > settleMayTake {
					t.Errorf("it took %v to leave", d)
				}
				if n := abandoned.Load(); n != 1 {
					t.Errorf("%d models are left behind, want one", n)
				}
				close(wait)
				cancel()
				synctest.Wait()
				if n := abandoned.Load(); n != 0 {
					t.Errorf("%d models are left behind when that has ended, want none", n)
				}
			})
		})
	}
}

func TestASignalWaitsForNoFrame(t *testing.T) {
	watchSlow(t, func(_ context.Context, end func(), _ *slow, w *watchdog) {
		began, wait := time.Now(), make(chan struct{})
		time.AfterFunc(time.Second, end)
		_, cmd := w.Update(wait)
		if d := time.Since(began); d != time.Second || !quits(cmd) {
			t.Errorf("a signal after 1 s ends the frame after %v", d)
		}
		close(wait)
		if rests, err := w.leave(); !rests || err != nil {
			t.Errorf("leave: %v, %v: a frame that ends soon is no crash", rests, err)
		}
	})
}

func TestNoMoreThanAFewModelsAreLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		wait := make(chan struct{})
		for range mostAbandoned {
			w, err := watch(ctx, &slow{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			w.Update(wait)
			w.leave()
		}
		if _, err := watch(ctx, &slow{}, nil); err != errAbandoned {
			t.Errorf("another console: %v, want %v", err, errAbandoned)
		}
		close(wait)
		end()
		synctest.Wait()
		w, err := watch(ctx, &slow{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.leave()
	})
}

func TestAModelsPanicEndsTheProgramWithItsStack(t *testing.T) {
	watchSlow(t, func(_ context.Context, _ func(), _ *slow, w *watchdog) {
		if _, cmd := w.Update("panic"); !quits(cmd) {
			t.Error("the program goes on")
		}
		if _, err := w.leave(); err == nil || !strings.Contains(err.Error(), "on purpose") {
			t.Errorf("leave: %v", err)
		}
	})
}

func TestAnEndWhileAFrameIsDrawnIsNoComplaint(t *testing.T) {
	watchSlow(t, func(_ context.Context, end func(), _ *slow, w *watchdog) {
		wait := make(chan struct{})
		go func() { time.Sleep(time.Millisecond); end() }()
		if _, cmd := w.Update(wait); !quits(cmd) {
			t.Error("it does not quit")
		}
		if got := w.View().Content; got != "first line\nlast line" {
			t.Errorf("the last frame is %q", got)
		}
		close(wait)
		synctest.Wait()
		w.leave()
	})
}
