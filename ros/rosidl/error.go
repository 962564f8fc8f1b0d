package rosidl

import (
	"errors"
	"fmt"
)

// Errors of a definition. Test with errors.Is.
var (
	ErrSyntax    = errors.New("not a field, constant or separator")
	ErrName      = errors.New("name not allowed")
	ErrType      = errors.New("type not allowed")
	ErrValue     = errors.New("value does not fit the type")
	ErrDuplicate = errors.New("name used twice")
	ErrSections  = errors.New("wrong number of sections")
	ErrUnknown   = errors.New("type not known")
	ErrCycle     = errors.New("type contains itself")
)

// Position is a place in a definition; lines and columns count from 1, columns in bytes.
type Position struct {
	File         string
	Line, Column int
}

// String is file:line:column.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Error tells what is wrong with a definition and where.
type Error struct {
	Position Position
	Problem  string // the finding, and the right form
	Err      error  // one of the Err values of this package
}

// Error is one line: the place, the kind of error, the problem.
func (e *Error) Error() string { return fmt.Sprintf("%s: %v: %s", e.Position, e.Err, e.Problem) }

// Unwrap gives the sentinel error.
func (e *Error) Unwrap() error { return e.Err }
