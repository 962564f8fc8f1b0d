package cli

import (
	"context"
	"errors"
	"testing"
)

func TestOfTwoBridgesAnErrorEndsBothAndAnEndOnlyItself(t *testing.T) {
	fault := errors.New("no network")
	waits := func(ctx context.Context) error { <-ctx.Done(); return nil }
	fails := func(context.Context) error { return fault }
	for _, both := range []func(context.Context) error{Both(waits, fails), Both(fails, waits)} {
		if err := both(context.Background()); !errors.Is(err, fault) {
			t.Errorf("they ended with %v, want %v", err, fault)
		}
	}
	first := make(chan struct{})
	ends := func(context.Context) error { close(first); return nil }
	works := func(ctx context.Context) error { <-first; return ctx.Err() }
	if err := Both(ends, works)(context.Background()); err != nil {
		t.Errorf("the end of one ended the other: %v", err)
	}
}
