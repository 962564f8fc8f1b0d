package store

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrFull is wrapped by errors of a disk, or of a user's share of it, that has no room left.
var ErrFull = errors.New("disk full")

// full is the error of a file for which there was no room.
type full struct {
	file   string
	reason error // the system's
	cause  error // all of it
}

// Error says it in the order in which a reader needs it: what, where, and the system's own words.
func (f *full) Error() string {
	if f.file == "" {
		return fmt.Sprintf("%v (%v)", ErrFull, f.reason)
	}
	return fmt.Sprintf("%v: %s (%v)", ErrFull, f.file, f.reason)
}

// Unwrap makes it both an ErrFull and what it came from.
func (f *full) Unwrap() []error { return []error{ErrFull, f.cause} }

// Explain names a full disk and the file for which there was no room. It omits the rest of such an error, as
// other places where it showed. Other errors, and none, stay as they are.
func Explain(err error) error {
	if errors.Is(err, ErrFull) {
		return err
	}
	for _, reason := range noRoom {
		if !errors.Is(err, reason) {
			continue
		}
		f := &full{reason: reason, cause: err}
		var at *fs.PathError
		if errors.As(err, &at) {
			f.file = at.Path
		}
		return f
	}
	return err
}
