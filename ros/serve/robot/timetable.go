package robot

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"simdeck/sim"
)

// Defaults of what has no rate of its own, Hz.
const (
	jointRate = float64(time.Second / jointPeriod)
	odomRate  = 30 // as scene.Odometry says
)

// Timetable says when topics of robots are published. It is never changed.
type Timetable struct {
	rates map[string]float64 // Hz, by full topic
	// by the topics of each robot's commands: topics of which each is that of one sensor, and of odometry
	// where there is none
	observations map[string][]string
}

// Rate is that of a topic, by its full name, Hz of simulated time; 0: every step. Messages come with the
// first step at or after the multiples of its period. It is false for topics that no robot has.
func (t *Timetable) Rate(topic string) (hz float64, ok bool) {
	if t == nil {
		return 0, false
	}
	hz, ok = t.rates[topic]
	return hz, ok
}

// Observation is the topic of a robot's only sensor, or of its odometry where it has none. It is the
// robot that takes commands from a topic, by its full name. The error says what to choose from.
func (t *Timetable) Observation(command string) (topic string, err error) {
	if t == nil {
		return "", fmt.Errorf("no robot takes %s", command)
	}
	switch all, ok := t.observations[command]; {
	case !ok:
		return "", fmt.Errorf("no robot takes %s", command)
	case len(all) == 0:
		return "", fmt.Errorf("its robot has no sensor; want a rate, as %s@10", command)
	case len(all) > 1:
		return "", fmt.Errorf("its robot publishes %s; want %s@ and one of them, or a rate",
			strings.Join(all, ", "), command)
	default:
		return all[0], nil
	}
}

// Timetable is that of the robots that are shown now; nil: none are yet.
func (f *RobotPublisher) Timetable() *Timetable { return f.timetable.Load() }

// ClockTopic is the full name of the topic that tells the time.
func (f *RobotPublisher) ClockTopic() string { return f.full(f.clock.topic) }

// full is the whole name of a topic that is legal.
func (f *RobotPublisher) full(topic string) string {
	name, err := f.node.Resolve(topic)
	if err != nil {
		return topic
	}
	return name
}

// tabulate makes the timetable of the robots of a model.
func (f *RobotPublisher) tabulate(m *sim.Model) {
	t := &Timetable{rates: map[string]float64{f.ClockTopic(): float64(time.Second) / float64(f.period())},
		observations: map[string][]string{}}
	for i, r := range f.robots {
		if r == nil {
			continue
		}
		own := f.tabulateRobot(t, r, &m.Entities[i])
		for _, e := range r.ends {
			if c, ok := e.(topical); ok {
				t.observations[c.Topic()] = own
			}
		}
	}
	f.timetable.Store(t)
}

// tabulateRobot enters what a robot publishes, and gives its observations.
func (f *RobotPublisher) tabulateRobot(t *Timetable, r *robot, m *sim.EntityModel) (own []string) {
	for k := range r.sensors {
		in := &r.sensors[k]
		for _, topic := range in.topics {
			t.rates[topic] = m.Sensors[in.sensor].Spec.Rate
		}
		if len(in.topics) > 0 {
			own = append(own, in.topics[0])
		}
	}
	for d := range r.drives {
		if at := &r.drives[d]; at.odom != nil {
			t.rates[at.odom.Topic()] = odomRate
			if hz := m.Spec.Drives[d].Odometry.Rate; hz > 0 {
				t.rates[at.odom.Topic()] = hz
			}
			if len(r.sensors) == 0 {
				own = append(own, at.odom.Topic())
			}
		}
	}
	if r.joints != nil {
		t.rates[r.joints.Topic()] = cmp.Or(m.Spec.ROS.States.Rate, jointRate)
	}
	return own
}

// topical is an end of a robot on a topic.
type topical interface{ Topic() string }

// Topic is the full name.
func (c *commandTopic) Topic() string { return c.name }
