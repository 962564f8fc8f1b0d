package wire

import (
	"errors"
	"testing"
)

func TestAnAnswerIsBounded(t *testing.T) {
	for name, more := range map[string]func(*Answer){
		"bytes":   func(a *Answer) { a.Uint8(1) },
		"words":   func(a *Answer) { a.To(1, 2).Int32(3) },
		"numbers": func(a *Answer) { a.Float64(make([]float64, 100)...) },
		"texts":   func(a *Answer) { a.Text("text") },
		"raw":     func(a *Answer) { a.Raw(make([]byte, 5000)) },
	} {
		var a Answer
		for range 3 * MaxAnswer {
			if more(&a); a.Err() != nil {
				break
			}
		}
		if !errors.Is(a.Err(), ErrAnswer) || len(a.data) > MaxAnswer || cap(a.data) > 2*MaxAnswer {
			t.Errorf("%s: %d bytes, %v", name, len(a.data), a.Err())
		}
		if a.Reset(); a.Err() != nil || !a.Empty() {
			t.Errorf("%s: after a reset: %v", name, a.Err())
		}
	}
}
