package cdr

import (
	"errors"
	"testing"
)

func TestCheckBoundNamesTheField(t *testing.T) {
	if err := CheckBound("a/msg/B.c", 2, 2); err != nil {
		t.Errorf("length at its bound: %v", err)
	}
	err := CheckBound("a/msg/B.c", 3, 2)
	if !errors.Is(err, ErrBound) ||
		err.Error() != "a/msg/B.c: length 3, at most 2 allowed: longer than the bound of the type" {
		t.Errorf("error %v", err)
	}
}

func TestAnErrorReadsLikeASentence(t *testing.T) {
	r := NewReader([]byte{0, 1, 0, 0, 9, 0, 0, 0, 'a'})
	r.String("", 0)
	if got, want := r.Err().Error(),
		"cdr: byte 0: string: length 9, 1 bytes left: payload ends too early"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}
