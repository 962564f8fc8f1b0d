package escape

import (
	"fmt"
	"io"
	"reflect"
)

// Fprintf is fmt.Fprintf with every text among its arguments kept to its line: a line feed in it begins no
// line. The format is the program's own and stays as it is.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return fmt.Fprintf(w, format, lines(args)...)
}

// Fprintln is fmt.Fprintln for Fprintf.
func Fprintln(w io.Writer, args ...any) (int, error) { return fmt.Fprintln(w, lines(args)...) }

// lines are arguments with those that are texts, or say themselves in one, in a line each. Others are
// numbers.
func lines(args []any) []any {
	all := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			all[i] = Line(a)
		case error:
			all[i] = Line(a.Error())
		case fmt.Stringer:
			all[i] = Line(a.String())
		default:
			if v := reflect.ValueOf(a); v.IsValid() &&
				(v.Kind() < reflect.Bool || v.Kind() > reflect.Complex128) {
				a = Line(fmt.Sprint(a))
			}
			all[i] = a
		}
	}
	return all
}
