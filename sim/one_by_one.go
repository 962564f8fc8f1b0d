package sim

import (
	"context"
	"fmt"
)

// PartialError says how many commands of a list were done before one was refused.
type PartialError struct {
	Done, All int
	Err       error // of the command that was refused
}

// Error names the count and the reason.
func (e *PartialError) Error() string { return fmt.Sprintf("%d of %d done: %s", e.Done, e.All, e.Err) }

// Unwrap gives the reason.
func (e *PartialError) Unwrap() error { return e.Err }

type progressKey struct{}

// WithProgress has a backend that does a list of commands one by one tell how many are done.
func WithProgress(ctx context.Context, tell func(done, all int)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// Pieces are the commands for one entity each of a command for several; nil for any other command.
func Pieces(c Command) (all []Command) {
	switch c := c.(type) {
	case MoveEntities:
		for _, one := range c.Moves {
			all = append(all, one)
		}
	case SetEntityInfos:
		for _, one := range c.Infos {
			all = append(all, one)
		}
	}
	return all
}

// OneByOne does a command for several entities as one command for each, for simulators that have none for
// several. It ends at the first that is refused, with a *PartialError when there were more. Any other command
// is done as it is.
func OneByOne(ctx context.Context, c Command, do func(context.Context, Command) (Reply, error)) (r Reply,
	err error) {
	all := Pieces(c)
	if len(all) == 0 {
		return do(ctx, c)
	}
	tell, _ := ctx.Value(progressKey{}).(func(done, all int))
	for i, one := range all {
		if tell != nil && len(all) > 1 {
			tell(i, len(all))
		}
		if r, err = do(ctx, one); err != nil {
			if len(all) > 1 {
				err = &PartialError{Done: i, All: len(all), Err: err}
			}
			return r, err
		}
	}
	return r, nil
}
