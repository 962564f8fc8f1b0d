package node

import (
	"context"
	"slices"
	"strings"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/rclinterfaces"
)

// openParameters makes the parameter event publisher and use_sim_time.
func (n *Node) openParameters() error {
	events, err := NewPublisher[rclinterfaces.ParameterEvent](n, "/parameter_events", ParameterEventsQoS())
	if err != nil {
		return err
	}
	n.params = &Parameters{node: n, events: events, all: map[string]*parameter{}}
	return n.declareSimTime()
}

// serve makes the six services that ros2 param waits for.
func (p *Parameters) serve() error {
	n := p.node
	for _, err := range []error{
		serveParameters(n, "describe_parameters", rclinterfaces.DescribeParametersService(), p.describe),
		serveParameters(n, "get_parameter_types", rclinterfaces.GetParameterTypesService(), p.types),
		serveParameters(n, "get_parameters", rclinterfaces.GetParametersService(), p.get),
		serveParameters(n, "list_parameters", rclinterfaces.ListParametersService(), p.list),
		serveParameters(n, "set_parameters", rclinterfaces.SetParametersService(), p.set),
		serveParameters(n, "set_parameters_atomically", rclinterfaces.SetParametersAtomicallyService(),
			p.setAll),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func serveParameters[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](n *Node, name string, svc msgs.Service[Q, S],
	answer func(context.Context, *Q) *S) error {
	line := NewLine[Q, S, PQ, PS](svc, func(ctx context.Context, _ Caller, q *Q) *S { return answer(ctx, q) },
		nil)
	_, err := n.Serve(ServerConfig{Name: "~/" + name, Lines: []Line{line}, QoS: ParameterQoS()})
	return err
}

func (p *Parameters) describe(_ context.Context,
	q *rclinterfaces.DescribeParametersRequest) *rclinterfaces.DescribeParametersResponse {
	s := &rclinterfaces.DescribeParametersResponse{}
	for _, name := range q.Names {
		d := rclinterfaces.ParameterDescriptor{Name: name}
		if q := p.find(name); q != nil {
			d = q.descriptor()
		}
		s.Descriptors = append(s.Descriptors, d)
	}
	return s
}

func (p *Parameters) types(_ context.Context,
	q *rclinterfaces.GetParameterTypesRequest) *rclinterfaces.GetParameterTypesResponse {
	s := &rclinterfaces.GetParameterTypesResponse{}
	for _, name := range q.Names {
		v, _ := p.Get(name)
		s.Types = append(s.Types, v.Type)
	}
	return s
}

func (p *Parameters) get(_ context.Context,
	q *rclinterfaces.GetParametersRequest) *rclinterfaces.GetParametersResponse {
	s := &rclinterfaces.GetParametersResponse{}
	for _, name := range q.Names {
		v, _ := p.Get(name)
		s.Values = append(s.Values, v)
	}
	return s
}

// list follows rclcpp: a prefix is a name, or what stands before a dot; depth
// counts the parts below it, 0 all of them.
func (p *Parameters) list(_ context.Context,
	q *rclinterfaces.ListParametersRequest) *rclinterfaces.ListParametersResponse {
	s := &rclinterfaces.ListParametersResponse{}
	within := func(rest string) bool { return q.Depth == 0 || uint64(strings.Count(rest, ".")) < q.Depth }
	for _, name := range p.Names() {
		take := len(q.Prefixes) == 0 && within(name)
		for _, prefix := range q.Prefixes {
			rest, below := strings.CutPrefix(name, prefix+".")
			take = take || name == prefix || below && within(rest)
		}
		if !take {
			continue
		}
		s.Result.Names = append(s.Result.Names, name)
		if i := strings.LastIndexByte(name, '.'); i >= 0 && !slices.Contains(s.Result.Prefixes, name[:i]) {
			s.Result.Prefixes = append(s.Result.Prefixes, name[:i])
		}
	}
	return s
}

func (p *Parameters) set(ctx context.Context,
	q *rclinterfaces.SetParametersRequest) *rclinterfaces.SetParametersResponse {
	s := &rclinterfaces.SetParametersResponse{}
	for _, change := range q.Parameters {
		s.Results = append(s.Results, outcome(p.Set(ctx, change)))
	}
	return s
}

func (p *Parameters) setAll(ctx context.Context,
	q *rclinterfaces.SetParametersAtomicallyRequest) *rclinterfaces.SetParametersAtomicallyResponse {
	return &rclinterfaces.SetParametersAtomicallyResponse{Result: outcome(p.Set(ctx, q.Parameters...))}
}

func outcome(err error) rclinterfaces.SetParametersResult {
	if err != nil {
		return rclinterfaces.SetParametersResult{Reason: err.Error()}
	}
	return rclinterfaces.SetParametersResult{Successful: true}
}
