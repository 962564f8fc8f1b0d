package viewers

import (
	"context"
	"log/slog"
	"sync"

	"simdeck/sim"
)

// Shown is a world that browsers see.
type Shown struct {
	Backend sim.Backend
	Log     *slog.Logger
}

// Beside shows worlds to browsers while front runs, and returns its error.
func (s *Server) Beside(ctx context.Context, worlds []Shown, front func(context.Context) error) error {
	ctx, leave := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, w := range worlds {
		all.Go(func() {
			if err := s.Follow(ctx, w.Backend.Snapshot().Model.World.Name, w.Backend); err != nil {
				w.Log.Warn("browsers do not see this world", "reason", err)
			}
		})
	}
	all.Go(func() {
		if err := s.Run(ctx); err != nil {
			worlds[0].Log.Error("browsers see nothing more", "error", err)
		}
	})
	err := front(ctx)
	leave()
	all.Wait()
	return err
}
