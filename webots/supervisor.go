package webots

import (
	"context"

	"simdeck/webots/wire"
)

// takeSupervisor carries out a command of a supervisor; false: the rest of the message cannot be read.
func (r *robot) takeSupervisor(_ context.Context, command uint8, in *wire.Reader, _ *wire.Answer) bool {
	r.skip("the supervisor", command, in)
	return false
}
