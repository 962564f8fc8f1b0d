package ros

import (
	"context"
	"slices"
	"time"

	"simdeck/ros/node"
)

// conflictCheckPeriod is the time in which the graph may settle before the check.
const conflictCheckPeriod = time.Second

// nameConflict is a name that two simulators in one domain cannot share.
type nameConflict struct {
	text, fix string
	found     func(g node.Graph) bool
}

// nameConflicts are the conflicts that are looked for.
func (b *Bridge) nameConflicts() []nameConflict {
	clock, err := b.node.Resolve(b.clock)
	if err != nil {
		clock = b.clock // not reached: the publisher was made under it
	}
	return []nameConflict{
		{"another node has the name of this one: each answers the callers of the other, too",
			"--namespace, or --ros-args -r __node:=NAME",
			func(g node.Graph) bool {
				i := slices.Index(g.Nodes, b.node.FullName())
				return i >= 0 && i+1 < len(g.Nodes) && g.Nodes[i+1] == b.node.FullName()
			}},
		{"another node publishes /clock as well: nodes on simulated time jump between the two",
			"--ros-args -r /clock:=/NAME/clock, or -p publish_clock:=false",
			func(g node.Graph) bool {
				on, _ := b.node.Parameters().Get("publish_clock")
				i := slices.IndexFunc(g.Topics, func(t node.Named) bool { return t.Name == clock })
				return on.BoolValue && i >= 0 && g.Topics[i].Publishers > 1
			}},
	}
}

// watchNameConflicts warns of each once, and again when it comes back.
func (b *Bridge) watchNameConflicts(ctx context.Context) {
	watch := b.node.Watch()
	defer watch.Close()
	all := b.nameConflicts()
	said := make([]bool, len(all))
	for {
		select {
		case <-ctx.Done():
			return
		case <-watch.C():
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(conflictCheckPeriod):
		}
		g := b.node.Graph()
		for i, c := range all {
			found := c.found(g)
			if found && !said[i] {
				b.node.Log().Warn(c.text, "node", b.node.FullName(), "cure", c.fix)
			}
			said[i] = found
		}
	}
}
