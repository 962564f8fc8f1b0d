package cli

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestACommandThatDoesNotEndIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, signal := context.WithCancel(t.Context())
		release := make(chan struct{})
		time.AfterFunc(time.Minute, signal)
		began := time.Now()
		err := within(ctx, time.Second, func() error { <-release; return nil })
		if took := time.Since(began); !errors.Is(err, errInterrupted) || took != time.Minute+time.Second {
			t.Errorf("after %v: %v; want that it is left behind a second after the signal", took, err)
		}
		close(release)
	})
}

func TestACommandThatEndsIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, signal := context.WithCancel(t.Context())
		signal()
		want := errors.New("what it came to")
		if err := within(ctx, time.Second,
			func() error { time.Sleep(999 * time.Millisecond); return want }); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		if err := within(t.Context(), time.Second,
			func() error { time.Sleep(time.Hour); return nil }); err != nil {
			t.Errorf("without a signal: %v", err)
		}
	})
}
