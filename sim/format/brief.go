package format

import "simdeck/sim/scene"

// briefError is an error whose message is cut.
type briefError struct {
	error
	text string
}

// Error is the message.
func (e briefError) Error() string { return e.text }

// Unwrap gives errors.Is the error.
func (e briefError) Unwrap() error { return e.error }

// brief cuts what an error says of endless numbers, whatever reader it comes from.
func brief(err error) error {
	if err == nil {
		return nil
	}
	if text, cut := err.Error(), scene.Brief(err.Error()); cut != text {
		return briefError{err, cut}
	}
	return err
}

// briefly cuts notes likewise.
func briefly(notes scene.Notes) scene.Notes {
	for i := range notes {
		notes[i].Text = scene.Brief(notes[i].Text)
	}
	return notes
}
