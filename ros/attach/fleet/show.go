package fleet

import (
	"context"
	"fmt"
	"sync"

	"simdeck/ros/attach"
	"simdeck/ros/attach/mirror"
)

// Show is on the network while work looks at all simulators there. Errors are
// those of attach.Open and of work.
func Show(ctx context.Context, c attach.Config, work func(context.Context, *Fleet) error) error {
	g, err := attach.Open(c)
	if err != nil {
		return err
	}
	return g.Run(ctx, func(ctx context.Context) error {
		f := New(g)
		ctx, leave := context.WithCancel(ctx)
		var watch sync.WaitGroup
		watch.Go(func() { _ = f.Run(ctx) }) // it gives no error
		err := work(ctx, f)
		leave()
		watch.Wait()
		return err
	})
}

// Look shows one of them whole while work looks at it through a mirror. An
// error wraps attach.ErrGone when it is lost.
func (f *Fleet) Look(ctx context.Context, id string, o attach.Options,
	work func(context.Context, *mirror.Mirror) error) error {
	s, there := f.Simulator(id)
	if !there {
		return fmt.Errorf("%s: %w", id, attach.ErrGone)
	}
	return mirror.Watch(ctx, f.graph.Attach(s, o), work)
}

// Peers is the number of participants on the graph beside this one.
func (f *Fleet) Peers() int {
	n, _ := f.graph.Node().Peers()
	return n
}
