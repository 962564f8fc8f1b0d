package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"simdeck/ros/msgs/rclinterfaces"
)

// ErrParameter is wrapped by every refusal to declare or set a parameter.
var ErrParameter = errors.New("parameter refused")

// Declaration describes a parameter. Its type is that of Default.
type Declaration struct {
	Name        string
	Default     Value
	Description string
	ReadOnly    bool        // only the command line can set it
	Range       *[2]float64 // both ends allowed, for integers and doubles; nil: any
	// Set puts a new value into force and may refuse it; also the command
	// line's, when the parameter is declared. It must not set parameters
	// itself. May be nil.
	Set func(ctx context.Context, v Value) error
	// Late leaves the command line's value until the node runs: Set needs
	// something that does not run before.
	Late bool
	// Get is the value in force, of a parameter that others can change, too.
	// May be nil.
	Get func() Value
	// AnyType takes values of other types than that of Default.
	AnyType bool
}

// maxUndeclared bounds how many parameters others may add to a node.
const maxUndeclared = 1000

// Parameters are the parameters of a node: over ROS by the six parameter
// services and /parameter_events, and here.
type Parameters struct {
	node   *Node
	events *Publisher[rclinterfaces.ParameterEvent]

	setting sync.Mutex // held over Set functions: one change at a time
	mu      sync.Mutex
	all     map[string]*parameter
	open    bool // others may set undeclared parameters, too
}

type parameter struct {
	Declaration
	stored Value
}

func (q *parameter) value() Value {
	if q.Get != nil {
		return q.Get()
	}
	return q.stored
}

// Declare adds a parameter with its default, or with what the command line
// says. Errors wrap ErrParameter.
func (p *Parameters) Declare(ctx context.Context, d Declaration) error {
	p.setting.Lock()
	defer p.setting.Unlock()
	if p.find(d.Name) != nil {
		return fmt.Errorf("%w: %s is declared already", ErrParameter, d.Name)
	}
	q := &parameter{Declaration: d, stored: d.Default}
	for _, a := range p.node.args.Parameters {
		if a.Name != d.Name || !a.concerns(p.node.given, p.node.GivenName()) {
			continue
		}
		v, err := q.fit(a.Value)
		if err != nil {
			return err
		}
		if d.Set == nil && d.Get != nil {
			return fmt.Errorf("%w: %s = %s: it only shows what is, %s", ErrParameter, d.Name, Text(v),
				Text(d.Get()))
		}
		if d.Late {
			p.node.tasks.add(func(ctx context.Context) { p.setLate(ctx, d.Name, v) })
			continue
		}
		if d.Set != nil {
			if err := d.Set(ctx, v); err != nil {
				return fmt.Errorf("%w: %s = %s: %w", ErrParameter, d.Name, Text(v), err)
			}
		}
		q.stored = v
	}
	p.mu.Lock()
	p.all[d.Name] = q
	p.mu.Unlock()
	p.tell(rclinterfaces.ParameterEvent{NewParameters: []rclinterfaces.Parameter{{Name: d.Name,
		Value: q.value()}}})
	return nil
}

// DeclareGiven declares the parameters that the arguments of the node give and nobody has declared. From then
// on others may set undeclared ones: rclcpp's allow_undeclared_parameters. Errors wrap ErrParameter.
func (p *Parameters) DeclareGiven(ctx context.Context) error {
	for _, a := range p.node.args.Parameters {
		if !a.concerns(p.node.given, p.node.GivenName()) || p.find(a.Name) != nil {
			continue
		}
		if err := p.Declare(ctx, Declaration{Name: a.Name, Default: a.Value, AnyType: true}); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
	return nil
}

// undeclared reports whether others may set one more parameter that is not declared.
func (p *Parameters) undeclared(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open && name != "" && len(p.all) < maxUndeclared
}

// setLate puts a value of the command line into force.
func (p *Parameters) setLate(ctx context.Context, name string, v Value) {
	if err := p.Set(ctx, rclinterfaces.Parameter{Name: name, Value: v}); err != nil && ctx.Err() == nil {
		p.node.log.Error("the command line's value of a parameter is not in force", "error", err)
	}
}

// tellUnknown logs what was given for this node and no parameter takes: a
// mistyped name, most of the time.
func (p *Parameters) tellUnknown() {
	for _, a := range p.node.args.Parameters {
		if a.special() && a.concerns(p.node.given, p.node.GivenName()) && p.find(a.Name) == nil {
			p.node.log.Warn("a value is given for a parameter that there is not", "parameter", a.Name,
				"value", Text(a.Value), "known", strings.Join(p.Names(), ", "))
		}
	}
}

// Get is a parameter's value; false when it is not declared.
func (p *Parameters) Get(name string) (Value, bool) {
	if q := p.find(name); q != nil {
		return q.value(), true
	}
	return Value{}, false
}

// Names are the declared parameters in order.
func (p *Parameters) Names() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.all))
}

// Set changes parameters, all or none, and publishes an event even for equal values: rclcpp and rclpy do so,
// and clients wait for it. Errors wrap ErrParameter.
func (p *Parameters) Set(ctx context.Context, changes ...rclinterfaces.Parameter) error {
	p.setting.Lock()
	defer p.setting.Unlock()
	for i := range changes {
		v, err := p.check(changes[i])
		if err != nil {
			return err
		}
		changes[i].Value = v
	}
	var old []rclinterfaces.Parameter
	for _, c := range changes {
		was, _ := p.Get(c.Name)
		if err := p.apply(ctx, c); err != nil {
			p.undo(ctx, old)
			return err
		}
		old = append(old, rclinterfaces.Parameter{Name: c.Name, Value: was})
	}
	p.tell(rclinterfaces.ParameterEvent{ChangedParameters: changes})
	return nil
}

// check gives the value that would be set.
func (p *Parameters) check(c rclinterfaces.Parameter) (Value, error) {
	q := p.find(c.Name)
	if q == nil && p.undeclared(c.Name) {
		return c.Value, nil
	}
	if q == nil {
		return Value{}, fmt.Errorf("%w: %q is not declared; there are %s", ErrParameter, c.Name,
			strings.Join(p.Names(), ", "))
	}
	if q.ReadOnly {
		return Value{}, fmt.Errorf("%w: %s is read-only; it is %s since the start", ErrParameter, c.Name,
			Text(q.value()))
	}
	return q.fit(c.Value)
}

// apply puts a checked value into force and keeps it.
func (p *Parameters) apply(ctx context.Context, c rclinterfaces.Parameter) error {
	q := p.find(c.Name)
	if q == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.all[c.Name] = &parameter{Declaration: Declaration{Name: c.Name, Default: c.Value, AnyType: true},
			stored: c.Value}
		return nil
	}
	if q.Declaration.Set != nil && !sameValue(q.value(), c.Value) {
		if err := q.Declaration.Set(ctx, c.Value); err != nil {
			return fmt.Errorf("%w: %s = %s: %w", ErrParameter, c.Name, Text(c.Value), err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	q.stored = c.Value
	return nil
}

// undo puts earlier values back into force, the last change first.
func (p *Parameters) undo(ctx context.Context, old []rclinterfaces.Parameter) {
	for _, c := range slices.Backward(old) {
		if c.Value.Type == NotSet { // it was not there
			p.mu.Lock()
			delete(p.all, c.Name)
			p.mu.Unlock()
			continue
		}
		if err := p.apply(ctx, c); err != nil {
			p.node.log.Error("a parameter could not be put back", "parameter", c.Name, "error", err)
		}
	}
}

func (p *Parameters) find(name string) *parameter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all[name]
}

// fit checks a value against the declaration; a whole number for a double is
// taken as one.
func (d *Declaration) fit(v Value) (Value, error) {
	if d.Default.Type == Double && v.Type == Integer {
		v = DoubleValue(float64(v.IntegerValue))
	}
	if v.Type != d.Default.Type && !d.AnyType {
		return v, fmt.Errorf("%w: %s is of type %s, the value %s is of type %s",
			ErrParameter, d.Name, TypeName(d.Default.Type), Text(v), TypeName(v.Type))
	}
	if d.Range == nil {
		return v, nil
	}
	x := v.DoubleValue
	if v.Type == Integer {
		x = float64(v.IntegerValue)
	}
	if math.IsNaN(x) || x < d.Range[0] || x > d.Range[1] {
		return v, fmt.Errorf("%w: %s = %s is outside %g…%g", ErrParameter, d.Name, Text(v), d.Range[0],
			d.Range[1])
	}
	return v, nil
}

// descriptor is the declaration as ROS shows it.
func (d *Declaration) descriptor() rclinterfaces.ParameterDescriptor {
	r := rclinterfaces.ParameterDescriptor{
		Name: d.Name, Type: d.Default.Type, Description: d.Description, ReadOnly: d.ReadOnly}
	switch {
	case d.Range == nil:
	case d.Default.Type == Integer:
		r.IntegerRange = []rclinterfaces.IntegerRange{{FromValue: int64(d.Range[0]),
			ToValue: int64(d.Range[1])}}
	default:
		r.FloatingPointRange = []rclinterfaces.FloatingPointRange{{FromValue: d.Range[0],
			ToValue: d.Range[1]}}
	}
	return r
}

// tell publishes what changed.
func (p *Parameters) tell(e rclinterfaces.ParameterEvent) {
	if len(e.NewParameters)+len(e.ChangedParameters) == 0 {
		return
	}
	e.Stamp, e.Node = p.node.Now(), p.node.FullName()
	if err := p.events.Publish(&e); err != nil {
		p.node.log.Error("a parameter event could not be published", "error", err)
	}
}
