package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"simdeck/ros/attach"
)

// Request is a user's request to the suite.
type Request struct {
	Decisions bool   // print those of simdeck, and test nothing
	JSON      bool   // instead of a table
	JUnit     string // file for a report as CI reads it; "": none
	Gentle    bool   // see Options
	Quit      bool
	Only      string // regular expression over the IDs
	Model     string
}

// ErrRequest is wrapped by the error about what was asked wrongly.
var ErrRequest = errors.New("conform")

// Examine finds a simulator, tests it and reports on out. The error wraps
// ErrFailed when it does not conform, ErrRequest or those of attach.Work.
func Examine(ctx context.Context, c attach.Config, t attach.Target, q Request, out io.Writer) error {
	if q.Decisions {
		return WriteDecisions(out)
	}
	o := Options{Gentle: q.Gentle, Quit: q.Quit, Model: q.Model}
	if q.Only != "" {
		var err error
		if o.Only, err = regexp.Compile(q.Only); err != nil {
			return fmt.Errorf("%w: --only: %w", ErrRequest, err)
		}
	}
	return attach.Work(ctx, c, t, func(ctx context.Context, r *attach.Remote) error {
		return examine(ctx, r, o, q, out)
	})
}

func examine(ctx context.Context, r *attach.Remote, o Options, q Request, out io.Writer) error {
	people := table{w: out}
	var broken error // of writing
	if !q.JSON {
		o.Progress = func(one Result) { broken = errors.Join(broken, people.row(one)) }
	}
	report, err := Run(ctx, r, o)
	if err != nil {
		return err
	}
	if len(report.Results) == 0 {
		return fmt.Errorf("%w: --only %q: no check has such an ID; they are like step.zero", ErrRequest,
			q.Only)
	}
	if q.JSON {
		broken = report.WriteJSON(out)
	} else if broken == nil {
		broken = people.end(report)
	}
	if q.JUnit != "" && broken == nil {
		broken = report.saveJUnit(q.JUnit)
	}
	if broken != nil {
		return broken
	}
	return report.Err()
}

func (r *Report) saveJUnit(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(r.WriteJUnit(f), f.Close())
}
