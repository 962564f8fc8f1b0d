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
			"another ROS_DOMAIN_ID, --namespace, or --ros-args -r __node:=NAME",
			func(g node.Graph) bool {
				i := slices.Index(g.Nodes, b.node.FullName())
				return i >= 0 && i+1 < len(g.Nodes) && g.Nodes[i+1] == b.node.FullName()
			}},
		{"another node publishes /clock as well: nodes on simulated time jump between the two",
			"another ROS_DOMAIN_ID, --ros-args -r /clock:=/NAME/clock, or -p publish_clock:=false",
			func(g node.Graph) bool {
				on, _ := b.node.Parameters().Get("publish_clock")
				i := slices.IndexFunc(g.Topics, func(t node.Named) bool { return t.Name == clock })
				return on.BoolValue && i >= 0 && g.Topics[i].Publishers > 1
			}},
	}
}

// note says why the node has another name than it was given; empty: it has that.
func (b *Bridge) note() string {
	if b.node.FullName() == b.node.GivenName() {
		return ""
	}
	if b.clock != "/clock" { // all of it is in the namespace
		return b.node.GivenName() + " is another node: ROS_DOMAIN_ID or --namespace separates them"
	}
	return b.node.GivenName() + " is another node, with the same /clock and /tf: ROS_DOMAIN_ID separates them, " +
		"--namespace only their services"
}

// watchNameConflicts warns of each once, and again when it comes back.
func (b *Bridge) watchNameConflicts(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-b.node.Named():
	}
	if note := b.note(); note != "" {
		b.node.Log().Warn("the name of the node is taken: it has the next one that is free", "node",
			b.node.FullName(), "note", note)
	}
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
