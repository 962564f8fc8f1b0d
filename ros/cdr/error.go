package cdr

import (
	"errors"
	"fmt"
)

// Errors of a payload, or of a value to be written. Test with errors.Is.
var (
	ErrShort         = errors.New("payload ends too early")
	ErrEncapsulation = errors.New("unknown encapsulation")
	ErrCount         = errors.New("count exceeds what the payload can hold")
	ErrBound         = errors.New("longer than the bound of the type")
	ErrString        = errors.New("string does not end in NUL")
	ErrBool          = errors.New("bool is neither 0 nor 1")
)

// Error tells where a payload stopped making sense.
type Error struct {
	Offset int    // bytes after the encapsulation header
	Want   string // expected element
	Got    string // found element
	Err    error  // one of the Err values of this package
}

// Error says what was wanted, what was found and where.
func (e *Error) Error() string {
	return fmt.Sprintf("cdr: byte %d: %s: %s: %v", e.Offset, e.Want, e.Got, e.Err)
}

// Unwrap gives the sentinel error.
func (e *Error) Unwrap() error { return e.Err }

// CheckBound says that the field of length n exceeds its bound. Generated Validate methods call it.
func CheckBound(field string, n, bound int) error {
	if n <= bound {
		return nil
	}
	return fmt.Errorf("%s: length %d, at most %d allowed: %w", field, n, bound, ErrBound)
}
