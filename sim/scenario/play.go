package scenario

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/format/traffic"
	"simdeck/sim/r3"
	"simdeck/sim/trajectory"
	"simdeck/sim/vehicle"
)

// Why a scenario ended before its end.
var (
	ErrTimeout = errors.New("time-out")
	ErrAction  = errors.New("an action failed")
)

// Look is the interval at which conditions are evaluated, in simulated time.
const Look = 20 * time.Millisecond

// Of the simulated time, how often a car is told its speed.
const (
	repay = 100 * time.Millisecond
	queue = 256
)

// Player plays a scenario once.
type Player struct {
	Backend sim.Backend
	Timeout time.Duration                        // simulated; 0: none
	Told    func(progress float64, phase string) // when something changed; nil: nobody
	Publish func(topic, text string) error       // nil: publishing fails

	pictures *sim.Subscription // of Follow; nil: Play makes it
	speeds   []speed
	begun    time.Duration
	now      time.Duration
	paid     time.Duration // when the speeds were told last
	phase    int
	doing    int           // the next action of the phase; -1: its condition is waited for
	until    time.Duration // that a wait lasts
	await    *Condition    // that a wait lasts, too; nil: there is none
	seen     *sim.Snapshot // the newest look
	peopled  bool          // the scenario's traffic is in the world
}

// speed is the speed command of an entity, which holds until the next.
type speed struct {
	entity  string
	control vehicle.Control
	turn    float64 // rad/s, of a drive without steering, as the next
	across  r3.Vec  // m/s: to the left, and up
}

// Follow has Play see the simulation from now on, which does no step before Play has done what was due.
func (p *Player) Follow() {
	hold := &sim.Hold{Exact: true}
	hold.Set(true)
	p.pictures = p.Backend.Subscribe(sim.Lossless(queue, Look).Holding(hold))
}

// Play plays a scenario to its end; it returns the simulated time that it took. An error wraps ErrTimeout,
// ErrAction or that of the context, and names the phase.
func (p *Player) Play(ctx context.Context, s *Scenario) (time.Duration, error) {
	pictures := p.pictures
	if pictures == nil {
		pictures = p.Backend.Subscribe(sim.Lossless(queue, Look))
	}
	defer pictures.Close()
	pictures.WantSensors(false)
	first := p.Backend.Snapshot()
	p.Begin(first)
	for picture, more := first, false; ; {
		ended, err := p.At(ctx, s, picture)
		if ended || err != nil {
			return p.now - p.begun, err
		}
		if more {
			pictures.Done()
		}
		select {
		case <-ctx.Done():
			return p.now - p.begun, fmt.Errorf("in phase %q: %w", s.phase(p.phase), context.Cause(ctx))
		case picture, more = <-pictures.C():
			if !more {
				return p.now - p.begun, sim.ErrClosed
			}
		}
	}
}

// phase is the name of a phase; the last one's when all are done.
func (s *Scenario) phase(i int) string { return s.Phases[min(i, len(s.Phases)-1)].Name }

// Begin makes ready for At: the scenario begins at a moment.
func (p *Player) Begin(first *sim.Snapshot) { p.begun, p.now, p.doing = first.Time, first.Time, -1 }

// At does what is due at a moment, and reports whether the scenario has ended. A caller that steps the world
// itself calls it every Look, and has the same states each time. Play calls it as snapshots come.
func (p *Player) At(ctx context.Context, s *Scenario, picture *sim.Snapshot) (bool, error) {
	if p.now = picture.Time; p.now < p.begun {
		return false, fmt.Errorf("%w: in phase %q: the time was reset", ErrAction, s.phase(p.phase))
	}
	p.seen = picture
	if !p.peopled {
		if err := p.people(ctx, s); err != nil {
			return false, fmt.Errorf("%w: before the first phase: %w", ErrAction, err)
		}
		p.peopled = true
	}
	for p.phase < len(s.Phases) {
		before := p.phase
		if err := p.advance(ctx, &s.Phases[p.phase], picture); err != nil {
			return false, fmt.Errorf("in phase %q: %w", s.phase(before), err)
		}
		if p.phase == before {
			break
		}
	}
	if s.End == nil && p.phase == len(s.Phases) || s.End != nil && s.End.Holds(picture, p.now-p.begun) {
		p.tell(1, s.phase(p.phase))
		return true, nil
	}
	p.tell(float64(p.phase)/float64(len(s.Phases)), s.phase(p.phase))
	if p.Timeout > 0 && p.now-p.begun >= p.Timeout {
		return false, fmt.Errorf("%w after %v in phase %q", ErrTimeout, p.Timeout, s.phase(p.phase))
	}
	return false, p.pay(ctx)
}

// advance goes on with a phase as far as it comes at this moment.
func (p *Player) advance(ctx context.Context, phase *Phase, picture *sim.Snapshot) error {
	if p.doing < 0 {
		if phase.When != nil && !phase.When.Holds(picture, p.now-p.begun) {
			return nil
		}
		p.doing = 0
	}
	for ; p.doing < len(phase.Do); p.doing++ {
		if p.waits() {
			return nil
		}
		a := &phase.Do[p.doing]
		if err := p.do(ctx, a); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrAction, a.Kind, err)
		}
	}
	if !p.waits() {
		p.phase, p.doing = p.phase+1, -1
	}
	return nil
}

// waits reports whether a wait still lasts.
func (p *Player) waits() bool {
	if p.await != nil && p.await.Holds(p.seen, p.now-p.begun) {
		p.await = nil
	}
	return p.await != nil || p.now < p.until
}

// people brings the scenario's own traffic into the world.
func (p *Player) people(ctx context.Context, s *Scenario) error {
	if s.Traffic == nil {
		return nil
	}
	spawn := func(name string, pose r3.Pose) error {
		one, _ := s.Traffic.Alone(name)
		_, err := p.Backend.Do(ctx, sim.Spawn{Name: name, Pose: sim.FramedPose{Pose: pose},
			Resource: sim.Resource{Document: string(traffic.Append(nil, one))}})
		return err
	}
	for i := range s.Traffic.Actors {
		if err := spawn(s.Traffic.Actors[i].Name, s.Traffic.Actors[i].Begins()); err != nil {
			return err
		}
	}
	for i := range s.Traffic.Signals {
		if err := spawn(s.Traffic.Signals[i].Name, s.Traffic.Signals[i].Pose()); err != nil {
			return err
		}
	}
	return nil
}

func (p *Player) do(ctx context.Context, a *Action) error {
	pose := r3.PoseRPY(a.Position.X, a.Position.Y, a.Position.Z, 0, 0, a.Yaw)
	switch a.Kind {
	case "wait":
		p.until, p.await = p.now+time.Duration(a.Time*float64(time.Second)), a.Until
	case "set_speed":
		return p.setSpeed(ctx, speed{a.Entity, vehicle.Driving(a.Speed, a.Steer), a.Turn,
			r3.V(0, a.Aside, a.Climb)})
	case "set_joints":
		return p.setJoints(ctx, a)
	case "set_actor":
		_, err := p.Backend.Do(ctx, a.Actor)
		return err
	case "set_signal":
		_, err := p.Backend.Do(ctx, a.Signal)
		return err
	case "spawn":
		_, err := p.Backend.Do(ctx, sim.Spawn{Name: a.Entity, Resource: sim.Resource{URI: a.URI},
			Pose: sim.FramedPose{Pose: pose}})
		return err
	case "set_pose":
		_, err := p.Backend.Do(ctx, sim.SetEntityState{Name: a.Entity, Pose: &pose})
		return err
	case "publish":
		if p.Publish == nil {
			return errors.New("no ROS 2 publishes topics here")
		}
		return p.Publish(a.Topic, a.Text)
	}
	return nil
}

// setSpeed tells an entity a speed, which holds until the next.
func (p *Player) setSpeed(ctx context.Context, s speed) error {
	if k, ok := p.seen.Find(s.entity); ok && p.seen.Entities[k].Actor != nil {
		if s.turn != 0 || s.control.Steer != 0 || s.across != (r3.Vec{}) {
			return fmt.Errorf("%s is an actor: its lane turns it; want speed alone", s.entity)
		}
		ahead := s.control.Ahead()
		_, err := p.Backend.Do(ctx, sim.SetActor{Name: s.entity, Speed: &ahead})
		return err
	}
	i := slices.IndexFunc(p.speeds, func(old speed) bool { return old.entity == s.entity })
	if i < 0 {
		i, p.speeds = len(p.speeds), append(p.speeds, s)
	}
	p.speeds[i] = s
	return p.drive(ctx, &p.speeds[i])
}

// setJoints moves joints to positions along a cubic that ends at rest; without a time the positions are
// targets at once.
func (p *Player) setJoints(ctx context.Context, a *Action) error {
	if a.Time == 0 {
		c := sim.SetJoints{Name: a.Entity}
		for _, j := range a.Joints {
			c.Targets = append(c.Targets,
				sim.JointTarget{Joint: j.Name, Mode: sim.JointPosition, Target: j.Position})
		}
		_, err := p.Backend.Do(ctx, c)
		return err
	}
	c := sim.FollowTrajectory{Name: a.Entity}
	end := trajectory.Point{At: time.Duration(a.Time * float64(time.Second)),
		Velocities: make([]float64, len(a.Joints))}
	for _, j := range a.Joints {
		c.Joints, end.Positions = append(c.Joints, j.Name), append(end.Positions, j.Position)
	}
	c.Points = []trajectory.Point{end}
	_, err := p.Backend.Do(ctx, c)
	return err
}

// pay tells cars their speeds again, before they stop because nobody does.
func (p *Player) pay(ctx context.Context) error {
	if p.now-p.paid < repay {
		return nil
	}
	for i := range p.speeds {
		if err := p.drive(ctx, &p.speeds[i]); err != nil {
			return fmt.Errorf("%w: set_speed: %w", ErrAction, err)
		}
	}
	p.paid = p.now
	return nil
}

// drive tells an entity its speed: a car as a driver does, another drive by a velocity.
func (p *Player) drive(ctx context.Context, s *speed) error {
	_, err := p.Backend.Do(ctx, sim.DriveCar{Name: s.entity, Control: s.control})
	if err == nil && s.turn != 0 {
		return fmt.Errorf("turn %g rad/s: %s steers; want steer in rad", s.turn, s.entity)
	}
	if err == nil && s.across != (r3.Vec{}) {
		return fmt.Errorf("aside %g m/s, climb %g m/s: %s drives on wheels that steer", s.across.Y, s.across.Z,
			s.entity)
	}
	if !errors.Is(err, sim.ErrUnsupported) {
		return err
	}
	_, err = p.Backend.Do(ctx, sim.DriveEntity{Name: s.entity,
		Twist: r3.Twist{Linear: s.across.Add(r3.V(s.control.Ahead(), 0, 0)), Angular: r3.V(0, 0, s.turn)}})
	return err
}

func (p *Player) tell(progress float64, phase string) {
	if p.Told != nil {
		p.Told(progress, phase)
	}
}

// Holds reports whether a condition holds after so much time.
func (c *Condition) Holds(s *sim.Snapshot, after time.Duration) bool {
	if c.Kind == "time" {
		return after.Seconds() >= c.Time
	}
	i, ok := s.Find(c.Entity)
	if !ok {
		return false
	}
	if c.Kind == "signal" {
		k := s.Entities[i].Signal
		return k != nil && (k.Phase == c.Shows || k.Aspect.String() == c.Shows)
	}
	at := s.Entities[i].Pose.Pos
	if c.Kind == "region" {
		b := &c.Region
		return at.X >= b.Min.X && at.X <= b.Max.X && at.Y >= b.Min.Y && at.Y <= b.Max.Y
	}
	to := c.Place
	if c.To != "" {
		k, ok := s.Find(c.To)
		if !ok {
			return false
		}
		to = s.Entities[k].Pose.Pos
	}
	away := math.Hypot(at.X-to.X, at.Y-to.Y)
	if c.Below > 0 {
		return away < c.Below
	}
	return away > c.Above
}
