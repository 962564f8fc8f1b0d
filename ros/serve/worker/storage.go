package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
)

// ErrStorage is wrapped by every reason why the storage gives no world.
var ErrStorage = errors.New("no world from the storage")

// The storage node's service, and how long it may take to be found and to answer.
const (
	storageService = "/l2/storage/get_object3d"
	storageMayTake = 5 * time.Second
)

// Fetch asks the storage node for the world of a name. Errors wrap ErrStorage, or are the cause of ctx's end.
func Fetch(ctx context.Context, n *node.Node, name string) (*l2msgs.Object3D, error) {
	wrong := func(why string, args ...any) error {
		return fmt.Errorf("%w for object_config %q: %w", ErrStorage, name, fmt.Errorf(why, args...))
	}
	c, err := node.NewClient(n, storageService, l2msgs.GetObject3DService())
	if err != nil {
		return nil, wrong("%w", err)
	}
	waiting, cancel := context.WithTimeout(ctx, storageMayTake)
	defer cancel()
	if err := c.WaitReady(waiting); err != nil && ctx.Err() == nil {
		return nil, wrong("not a file, and no node serves %s within %v; name a file or a shipped world, or start the storage node in this domain",
			storageService, storageMayTake)
	}
	r, err := c.Call(waiting, &l2msgs.GetObject3DRequest{Name: name})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, wrong("%s has not answered within %v", storageService, storageMayTake)
	case err != nil:
		return nil, wrong("%s: %w", storageService, err)
	case !r.Success:
		return nil, wrong("%s: %s", storageService, orNothing(r.Message))
	case r.Object.Type != l2msgs.Object3DTypeSdf && r.Object.Type != l2msgs.Object3DTypeProto:
		return nil, wrong("%s gave an object of type %d; a world is of type %d (SDF) or %d (PROTO, Webots)",
			storageService, r.Object.Type, l2msgs.Object3DTypeSdf, l2msgs.Object3DTypeProto)
	case r.Object.Data == "":
		return nil, wrong("%s gave an object without data; a world's text is needed", storageService)
	}
	return &r.Object, nil
}

// orNothing is the text of a refusal, or a sentence for an empty one.
func orNothing(said string) string {
	if said == "" {
		return "refused without a reason"
	}
	return said
}
