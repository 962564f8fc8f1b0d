package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/netsim"
)

// shop is a node with parameters, and a node that asks for them.
type shop struct {
	*bench
	node, client *Node
	speed        float64 // in force
	live         float64 // changed by others
}

func inTheShop(t *testing.T, f func(s *shop)) {
	t.Helper()
	onBench(t, func(b *bench) {
		s := &shop{bench: b, node: b.node("n", "-p", "name:=given", "-p", "other:name:=wrong"),
			client: b.node("client"), speed: 1, live: 3}
		for _, d := range []Declaration{
			{Name: "speed", Default: DoubleValue(1), Range: &[2]float64{0, 10}, Description: "how fast",
				Set: func(_ context.Context, v Value) error {
					if v.DoubleValue == 7 {
						return errors.New("seven is unlucky")
					}
					s.speed = v.DoubleValue
					return nil
				}},
			{Name: "size", Default: IntegerValue(4), ReadOnly: true, Range: &[2]float64{1, 9}},
			{Name: "name", Default: StringValue("default")},
			{Name: "live", Default: DoubleValue(0), Get: func() Value { return DoubleValue(s.live) }},
			{Name: "a.b.c", Default: BoolValue(true)},
			{Name: "a.d", Default: BoolValue(true)},
		} {
			if err := s.node.Parameters().Declare(context.Background(), d); err != nil {
				t.Fatal(err)
			}
		}
		b.start(s.node)
		b.start(s.client)
		f(s)
	})
}

func asks[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](s *shop, name string, svc msgs.Service[Q, S], q Q) *S {
	s.t.Helper()
	c, err := NewClient[Q, S, PQ, PS](s.client, "/n/"+name, svc)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := c.Call(s.soon(), &q)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func TestParametersAreSetAsTheirDeclarationAllows(t *testing.T) {
	inTheShop(t, func(s *shop) {
		p := func(name string, v Value) rclinterfaces.Parameter {
			return rclinterfaces.Parameter{Name: name, Value: v}
		}
		for _, c := range []struct {
			name  string
			p     rclinterfaces.Parameter
			taken bool
		}{
			{"a double", p("speed", DoubleValue(2.5)), true},
			{"a whole number for a double", p("speed", IntegerValue(3)), true},
			{"a string for a double", p("speed", StringValue("fast")), false},
			{"beyond its range", p("speed", DoubleValue(11)), false},
			{"no number", p("speed", DoubleValue(math.NaN())), false},
			{"refused by its owner", p("speed", DoubleValue(7)), false},
			{"read-only", p("size", IntegerValue(5)), false},
			{"unknown", p("colour", IntegerValue(5)), false},
			{"a string", p("name", StringValue("new")), true},
		} {
			r := asks(s, "set_parameters", rclinterfaces.SetParametersService(),
				rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{c.p}})
			if len(r.Results) != 1 || r.Results[0].Successful != c.taken ||
				(r.Results[0].Reason == "") != c.taken {
				t.Errorf("%s: %+v, want taken %v, with a reason if not", c.name, r.Results, c.taken)
			}
		}
		if s.speed != 3 {
			t.Errorf("in force is %g, want the 3 that was taken last", s.speed)
		}
		all := asks(s, "set_parameters_atomically", rclinterfaces.SetParametersAtomicallyService(),
			rclinterfaces.SetParametersAtomicallyRequest{Parameters: []rclinterfaces.Parameter{
				p("name", StringValue("half")), p("speed", DoubleValue(5)), p("speed", DoubleValue(7))}})
		name, _ := s.node.Parameters().Get("name")
		if all.Result.Successful || s.speed != 3 || name.StringValue != "new" {
			t.Errorf("half of an atomic change stayed: %+v, speed %g, name %q", all.Result, s.speed,
				name.StringValue)
		}
	})
}

func TestParametersAreListedDescribedAndRead(t *testing.T) {
	inTheShop(t, func(s *shop) {
		for _, c := range []struct {
			q        rclinterfaces.ListParametersRequest
			names    []string
			prefixes []string
		}{
			{rclinterfaces.ListParametersRequest{},
				[]string{"a.b.c", "a.d", "live", "name", "size", "speed", "start_type_description_service",
					"use_sim_time"}, []string{"a.b", "a"}},
			{rclinterfaces.ListParametersRequest{Depth: 1},
				[]string{"live", "name", "size", "speed", "start_type_description_service", "use_sim_time"},
				nil},
			{rclinterfaces.ListParametersRequest{Prefixes: []string{"a"}, Depth: 1}, []string{"a.d"},
				[]string{"a"}},
			{rclinterfaces.ListParametersRequest{Prefixes: []string{"a", "size"}},
				[]string{"a.b.c", "a.d", "size"}, []string{"a.b", "a"}},
			{rclinterfaces.ListParametersRequest{Prefixes: []string{"spee"}}, nil, nil},
		} {
			r := asks(s, "list_parameters", rclinterfaces.ListParametersService(), c.q).Result
			if !slices.Equal(r.Names, c.names) || !slices.Equal(r.Prefixes, c.prefixes) {
				t.Errorf("%+v lists %q below %q, want %q below %q", c.q, r.Names, r.Prefixes, c.names,
					c.prefixes)
			}
		}
		d := asks(s, "describe_parameters", rclinterfaces.DescribeParametersService(),
			rclinterfaces.DescribeParametersRequest{Names: []string{"speed", "size", "colour"}}).Descriptors
		if len(d) != 3 || d[0].Type != Double || d[0].FloatingPointRange[0].ToValue != 10 ||
			d[0].Description != "how fast" ||
			!d[1].ReadOnly || d[1].IntegerRange[0].FromValue != 1 || d[2].Type != NotSet {
			t.Errorf("described as %+v", d)
		}
		types := asks(s, "get_parameter_types", rclinterfaces.GetParameterTypesService(),
			rclinterfaces.GetParameterTypesRequest{Names: []string{"speed", "name", "colour"}}).Types
		if !slices.Equal(types, []uint8{Double, String, NotSet}) {
			t.Errorf("the types are %v", types)
		}
		s.live = 8
		v := asks(s, "get_parameters", rclinterfaces.GetParametersService(),
			rclinterfaces.GetParametersRequest{Names: []string{"name", "live", "colour"}}).Values
		if len(v) != 3 || v[0].StringValue != "given" || v[1].DoubleValue != 8 || v[2].Type != NotSet {
			t.Errorf("the values are %+v: want the command line's name and the live 8", v)
		}
	})
}

func TestWhatIsSetIsAnnouncedEvenWhenItWasSo(t *testing.T) {
	inTheShop(t, func(s *shop) {
		var mu sync.Mutex
		var got []rclinterfaces.ParameterEvent
		sub, err := NewSubscription(s.client, "/parameter_events", ParameterEventsQoS(),
			func(_ context.Context, e *rclinterfaces.ParameterEvent, _ Origin) {
				mu.Lock()
				defer mu.Unlock()
				if e.Node == "/n" {
					got = append(got, *e)
				}
			})
		if err != nil {
			t.Fatal(err)
		}
		s.until("both publishers", func() bool {
			return sub.Publishers() == 2 &&
				s.node.params.events.Subscribers() == 1
		})
		set := func(v float64) {
			if err := s.node.Parameters().Set(context.Background(),
				rclinterfaces.Parameter{Name: "speed", Value: DoubleValue(v)}); err != nil {
				t.Fatal(err)
			}
		}
		want := []float64{1, 2} // it was 1
		for _, v := range want {
			set(v)
		}
		s.until("the events", func() bool { mu.Lock(); defer mu.Unlock(); return len(got) >= len(want) })
		for i, e := range got {
			if len(got) != len(want) || len(e.ChangedParameters) != 1 ||
				e.ChangedParameters[0].Value.DoubleValue != want[i] {
				t.Errorf("announced: %+v, want %v, one by one", got, want)
			}
		}
	})
}

func TestTimeFollowsTheClockWhenToldTo(t *testing.T) {
	inTheShop(t, func(s *shop) {
		if s.node.Now().Sec == 0 {
			t.Error("without /clock the time is that of the system")
		}
		use := func(on bool) {
			if err := s.node.Parameters().Set(context.Background(),
				rclinterfaces.Parameter{Name: "use_sim_time", Value: BoolValue(on)}); err != nil {
				t.Fatal(err)
			}
		}
		use(true)
		if now := s.node.Now(); now != (builtininterfaces.Time{}) {
			t.Errorf("before the first tick it is %+v, want zero", now)
		}
		pub, err := NewPublisher[rosgraphmsgs.Clock](s.client, "/clock", DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		s.until("the clock's reader", func() bool { return pub.Subscribers() == 1 })
		if err := pub.Publish(&rosgraphmsgs.Clock{Clock: builtininterfaces.Time{Sec: 42}}); err != nil {
			t.Fatal(err)
		}
		s.until("the tick", func() bool { return s.node.Now().Sec == 42 })
		use(false)
		s.until("the reader to go", func() bool { return pub.Subscribers() == 0 })
		if s.node.Now().Sec == 42 {
			t.Error("the time still follows /clock")
		}
	})
}

func TestTheLogGoesToRosout(t *testing.T) {
	onBench(t, func(b *bench) {
		n, listener := b.node("deck", "-r", "__ns:=/a"), b.node("listener")
		var mu sync.Mutex
		var got []rclinterfaces.Log
		if _, err := NewSubscription(listener, "/rosout", RosoutQoS(),
			func(_ context.Context, l *rclinterfaces.Log, _ Origin) {
				mu.Lock()
				defer mu.Unlock()
				if l.Name == "a.deck" {
					got = append(got, *l)
				}
			}); err != nil {
			t.Fatal(err)
		}
		b.start(n)
		b.start(listener)
		n.Log().Debug("too fine")
		n.Log().With("entity", "rover").WithGroup("x").Warn("stuck", "speed", 0.5)
		b.until("the line", func() bool { mu.Lock(); defer mu.Unlock(); return len(got) > 0 })
		if l := got[0]; len(got) != 1 || l.Level != 30 || l.Msg != "stuck entity=rover x.speed=0.5" ||
			l.Function == "" || l.Line == 0 {
			t.Errorf("the log is %+v", got)
		}
	})
}

func TestANodeThatIsOpenTakesParametersThatNobodyHasDeclared(t *testing.T) {
	n, err := New(Config{Name: "open", Transport: netsim.New(1).Host("one"), Args: Args{
		Parameters: []Assignment{{Node: "open", Name: "arm.type", Value: StringValue("a/A")},
			{Node: "other", Name: "not.mine", Value: BoolValue(true)}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.close()
	p, ctx := n.Parameters(), context.Background()
	later := rclinterfaces.Parameter{Name: "arm.params_file", Value: StringValue("x.yaml")}
	if err := p.Set(ctx, later); !errors.Is(err, ErrParameter) {
		t.Errorf("a node that declares takes an unknown parameter: %v", err)
	}
	if err := p.DeclareGiven(ctx); err != nil {
		t.Fatal(err)
	}
	if err := p.Declare(ctx,
		Declaration{Name: "kept", ReadOnly: true, Default: BoolValue(true)}); err != nil {
		t.Fatal(err)
	}
	kept := rclinterfaces.Parameter{Name: "kept", Value: BoolValue(false)}
	if err := p.Set(ctx, later, kept); !errors.Is(err, ErrParameter) {
		t.Errorf("a read-only parameter was set: %v", err)
	}
	if _, there := p.Get(later.Name); there {
		t.Error("one change was refused, and another one stays")
	}
	if err := p.Set(ctx, later); err != nil {
		t.Error(err)
	}
	list := Value{Type: StringArray, StringArrayValue: []string{"x.yaml", "y.yaml"}}
	if err := p.Set(ctx, rclinterfaces.Parameter{Name: later.Name, Value: list}); err != nil {
		t.Errorf("an undeclared parameter does not change its type: %v", err)
	}
	if v, _ := p.Get("arm.type"); v.StringValue != "a/A" {
		t.Errorf("the given parameter is %s", Text(v))
	}
	if _, there := p.Get("not.mine"); there {
		t.Error("another node's parameter was declared")
	}
	for i := range 2 * maxUndeclared {
		_ = p.Set(ctx, rclinterfaces.Parameter{Name: fmt.Sprint("more", i), Value: BoolValue(true)})
	}
	if n := len(p.Names()); n > maxUndeclared {
		t.Errorf("others have given the node %d parameters", n)
	}
}
