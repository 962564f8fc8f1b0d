package attach

import (
	"cmp"
	"slices"
	"strings"

	"simdeck/ros/node"
)

// Simulator is a simulator somewhere on the graph: what a node serves of
// simulation_interfaces under one prefix.
type Simulator struct {
	Node     string // full name, "/gz_server"; "" when its participant does not say
	Prefix   string // of its services, "/gz_server"; "/" at the root
	Services []Served
	Steps    *Served // the action simulate_steps; nil when it is not served
}

// Served is a service of a simulator, or its action.
type Served struct {
	Name string // full, "/gz_server/spawn_entity"
	Kind string // "SpawnEntity"
	Node string // that serves it
	Line Line   // in which it announces itself
	Hash string // RIHS01 of the request's definition, or of the whole service's; "" when it announces none

	id      node.ServerID
	dialect *dialect // in which it is spoken to; nil for LineUnknown
}

// ID tells the server from others of the same name. Of an action it is that
// of its service send_goal.
func (v Served) ID() node.ServerID { return v.id }

// Title is the name of the simulator: its node's, or else its prefix.
func (s Simulator) Title() string { return cmp.Or(s.Node, s.Prefix) }

// Serves finds a service by its kind.
func (s Simulator) Serves(kind string) (Served, bool) {
	i := slices.IndexFunc(s.Services, func(v Served) bool { return v.Kind == kind })
	if i < 0 {
		return Served{}, false
	}
	return s.Services[i], true
}

// Lines are the lines that its services announce, those apart that are the
// same in all.
func (s Simulator) Lines() []Line {
	var lines []Line
	for _, v := range s.Services {
		if v.Line != LineAny && !slices.Contains(lines, v.Line) {
			lines = append(lines, v.Line)
		}
	}
	slices.Sort(lines)
	return lines
}

// Called reports whether a user means this simulator by a name: its node,
// with or without its namespace and leading slash, or its prefix.
func (s Simulator) Called(name string) bool {
	bare := strings.Trim(name, "/")
	for _, own := range []string{s.Node, s.Prefix} {
		own = strings.Trim(own, "/")
		if own == bare || own != "" && !strings.HasPrefix(name, "/") &&
			own[strings.LastIndexByte(own, '/')+1:] == bare {
			return true
		}
	}
	return false
}

// Simulators groups servers into simulators. One prefix is one simulator,
// whose services several nodes may share; where some service is there twice,
// there are several, and each node is one.
func Simulators(servers []node.RemoteServer) []Simulator {
	byPrefix, rows := map[string][]Served{}, map[string]*service{}
	for _, row := range services() {
		rows[row.kind] = &row
	}
	for _, r := range servers {
		if v, ok := recognise(r, rows); ok {
			prefix := v.Name[:max(1, strings.LastIndexByte(v.Name, '/'))]
			byPrefix[prefix] = append(byPrefix[prefix], v)
		}
	}
	var all []Simulator
	for prefix, list := range byPrefix {
		if !repeats(list) {
			all = append(all, newSimulator(prefix, list))
			continue
		}
		byNode := map[string][]Served{}
		for _, v := range list {
			byNode[v.Node] = append(byNode[v.Node], v)
		}
		for _, of := range byNode {
			all = append(all, split(prefix, of)...)
		}
	}
	slices.SortStableFunc(all, func(a, b Simulator) int {
		return cmp.Or(cmp.Compare(a.Title(), b.Title()), cmp.Compare(a.Prefix, b.Prefix))
	})
	return all
}

// split makes simulators of servers whose nodes share a name: one per participant, and a further one per
// repeated service.
func split(prefix string, list []Served) []Simulator {
	var parts [][]Served
	for _, v := range list {
		i := slices.IndexFunc(parts, func(p []Served) bool {
			return p[0].id.Participant() == v.id.Participant() &&
				!slices.ContainsFunc(p, func(o Served) bool { return o.Kind == v.Kind })
		})
		if i < 0 {
			parts, i = append(parts, nil), len(parts)
		}
		parts[i] = append(parts[i], v)
	}
	var all []Simulator
	for _, p := range parts {
		all = append(all, newSimulator(prefix, p))
	}
	return all
}

func newSimulator(prefix string, list []Served) Simulator {
	s := Simulator{Prefix: prefix}
	for _, v := range list {
		if v.Kind == stepsKind {
			s.Steps = &v
		} else {
			s.Services = append(s.Services, v)
		}
	}
	slices.SortFunc(s.Services, func(a, b Served) int { return cmp.Compare(a.Name, b.Name) })
	if f, ok := s.Serves("GetSimulatorFeatures"); ok {
		s.Node = f.Node
	}
	for _, v := range list {
		s.Node = cmp.Or(s.Node, v.Node)
	}
	return s
}

// stepsKind is the action that is recognised.
const stepsKind = "SimulateSteps"

// recognise tells what a server is of a simulator, if anything. The action is
// recognised by the service that takes its goals; it is the same in all lines.
func recognise(r node.RemoteServer, rows map[string]*service) (Served, bool) {
	if name, ok := strings.CutSuffix(r.Name, "/_action/send_goal"); ok &&
		r.Type == pkg+"/action/"+stepsKind+"_SendGoal" {
		return Served{Name: name, Kind: stepsKind, Node: r.Node, Line: LineAny, Hash: r.RequestHash,
			id: r.ID}, true
	}
	kind, ok := strings.CutPrefix(r.Type, pkg+"/srv/")
	row, known := rows[kind]
	if !ok || !known {
		return Served{}, false
	}
	return served(r, row), true
}

// repeats reports whether some service is there twice.
func repeats(list []Served) bool {
	seen := map[string]bool{}
	for _, v := range list {
		if seen[v.Kind] {
			return true
		}
		seen[v.Kind] = true
	}
	return false
}

// served looks up in which line a server speaks, the newest of several. Hashes decide.
func served(r node.RemoteServer, row *service) Served {
	v := Served{Name: r.Name, Kind: row.kind, Node: r.Node, Hash: r.RequestHash, id: r.ID}
	if len(r.Services) > 0 {
		v.Hash = r.Services[0]
	}
	for i := range row.dialects {
		if d := &row.dialects[i]; d.fits(&r) {
			v.Line, v.dialect = d.line, d
			break
		}
	}
	return v
}
