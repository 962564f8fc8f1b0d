package robot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// batteryPeriod is the simulated time between two states of a battery, unless its status changes.
const batteryPeriod = time.Second

// battery is a battery on the graph.
type battery struct {
	spec   *scene.Battery
	pub    *node.Publisher[sensormsgs.BatteryState] // nil: a controller outside speaks for the model
	msg    *sensormsgs.BatteryState
	status sim.BatteryStatus
	at     time.Duration // of the newest state that was published
	told   bool          // one was published
	heard  audience      // of pub
}

// addBatteries publishes the states of batteries under the topics of Gazebo, and takes the commands that
// switch them: by topics, and charging by services too.
func (f *RobotPublisher) addBatteries(r *robot, m *sim.EntityModel) error {
	var errs []error
	for i := range m.Spec.Batteries {
		b := &m.Spec.Batteries[i]
		at := battery{spec: b, msg: newBatteryMessage(b)}
		topic := fmt.Sprintf("/model/%s/battery/%s", m.Name, b.Name)
		if !r.external {
			var err error
			at.pub, err = open[sensormsgs.BatteryState](f, r, topic+"/state", node.DefaultQoS())
			errs = append(errs, err)
		}
		r.batteries = append(r.batteries, at)
		if !r.acceptsCommands {
			continue
		}
		errs = append(errs, f.addDraining(r, b), f.addCharging(r, b, topic+"/recharge/"))
	}
	return errors.Join(errs...)
}

// addDraining takes the topics on which a message switches the load of a battery.
func (f *RobotPublisher) addDraining(r *robot, b *scene.Battery) error {
	var errs []error
	for i, topics := range [2][]string{b.Start, b.Stop} {
		drains := i == 0
		for _, topic := range topics {
			errs = append(errs, listen(f, r, f.take(r, topic), func(*stdmsgs.Empty) (sim.Command, error) {
				return sim.SetBattery{Name: r.name, Battery: b.Name, Draining: &drains}, nil
			}))
		}
	}
	return errors.Join(errs...)
}

// addCharging makes the services that switch the charger of a battery, and takes the topics where its file
// wants them. The value of a message does not count, as with Gazebo.
func (f *RobotPublisher) addCharging(r *robot, b *scene.Battery, below string) error {
	if b.ChargeCurrent() == 0 {
		return nil
	}
	var errs []error
	for _, name := range [2]string{"start", "stop"} {
		charges := name == "start"
		command := sim.SetBattery{Name: r.name, Battery: b.Name, Charging: &charges}
		topic := f.take(r, below+name)
		if b.ByTopic {
			errs = append(errs, listen(f, r, topic, func(*stdmsgs.Bool) (sim.Command, error) {
				return command, nil
			}))
		}
		line := node.NewLine(stdsrvs.TriggerService(),
			func(ctx context.Context, _ node.Caller, _ *stdsrvs.TriggerRequest) *stdsrvs.TriggerResponse {
				if _, err := f.backend.Do(sim.WithSender(ctx, "ros"), command); err != nil {
					return &stdsrvs.TriggerResponse{Message: err.Error()}
				}
				return &stdsrvs.TriggerResponse{Success: true}
			}, nil)
		s, err := f.node.Serve(node.ServerConfig{Name: topic, Lines: []node.Line{line}})
		if err == nil {
			r.ends = append(r.ends, s)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// newBatteryMessage is the part of a battery's message that stays. A quantity that is not known is NaN.
func newBatteryMessage(b *scene.Battery) *sensormsgs.BatteryState {
	nan := float32(math.NaN())
	return &sensormsgs.BatteryState{Temperature: nan, Capacity: float32(b.Capacity),
		DesignCapacity: float32(b.Capacity), Location: b.Name, Present: true,
		PowerSupplyHealth: sensormsgs.BatteryStatePowerSupplyHealthGood}
}

// fillBattery puts a state into a message. Its status is that of Gazebo: an empty battery whose load is
// switched on discharges. The percentage is from 0 to 1.
func (at *battery) fillBattery(t time.Duration, s sim.BatteryState) *sensormsgs.BatteryState {
	m := at.msg
	m.Header.Stamp = node.SimTime(t)
	m.Voltage, m.Current, m.Charge = float32(s.Voltage), float32(s.Current), float32(s.Charge)
	if at.spec.Inverted {
		m.Current = -m.Current
	}
	m.Percentage = float32(s.Charge / at.spec.Capacity)
	switch status := s.Status(at.spec); {
	case status == sim.BatteryCharging:
		m.PowerSupplyStatus = sensormsgs.BatteryStatePowerSupplyStatusCharging
	case s.Draining:
		m.PowerSupplyStatus = sensormsgs.BatteryStatePowerSupplyStatusDischarging
	case status == sim.BatteryFull:
		m.PowerSupplyStatus = sensormsgs.BatteryStatePowerSupplyStatusFull
	default:
		m.PowerSupplyStatus = sensormsgs.BatteryStatePowerSupplyStatusNotCharging
	}
	return m
}

// repeatBatteries tells those who came while time stands how batteries stand.
func (r *robot) repeatBatteries(s *sim.Snapshot, i int) (err error) {
	for k, state := range s.BatteriesOf(i) {
		if b := &r.batteries[k]; b.pub != nil && b.heard.grew(b.pub.Subscribers()) {
			err = errors.Join(err, b.pub.Publish(b.fillBattery(s.Time, state)))
		}
	}
	return err
}

// publishBatteries tells the states of batteries once in a period, when their status has changed, and to who
// comes.
func (r *robot) publishBatteries(s *sim.Snapshot, i int) (err error) {
	for k, state := range s.BatteriesOf(i) {
		b := &r.batteries[k]
		status := state.Status(b.spec)
		if b.pub == nil || !b.heard.grew(b.pub.Subscribers()) && b.told && status == b.status &&
			s.Time >= b.at && s.Time < b.at+batteryPeriod {
			continue
		}
		b.told, b.status, b.at = true, status, s.Time
		err = errors.Join(err, b.pub.Publish(b.fillBattery(s.Time, state)))
	}
	return err
}
