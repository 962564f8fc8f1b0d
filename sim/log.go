package sim

import (
	"fmt"
	"strings"
	"time"

	"simdeck/sim/vehicle"
)

// LogEntry is a command as it took effect, for records: the same commands at the same steps with the same
// seed give the same hashes.
type LogEntry struct {
	Step    uint64 // steps since the engine started; no reset takes it back
	Seq     uint64 // 1, 2, … over all commands
	Time    time.Duration
	Sender  string
	Command Command // nil: the step after Step failed and paused the world
	Err     error   // why it was refused or failed; nil when it took effect
	Hash    uint64  // of the world after it; 0 where Recorder.Begin says so
}

// Describe is a command in a line for people.
func Describe(c Command) string {
	switch c := c.(type) {
	case SetState:
		return "set state " + c.State.String()
	case StepWorld:
		return fmt.Sprintf("step %d", c.N)
	case Reset:
		return describeReset(c)
	case Spawn:
		return describeSpawn(c)
	case SpawnBatch:
		return fmt.Sprintf("spawn %d models", len(c.Spawns))
	case Delete:
		return "delete " + strings.Join(c.Names, ", ")
	case Rewind:
		if c.Back < 0 {
			return fmt.Sprintf("forward %v", -c.Back)
		}
		return fmt.Sprintf("rewind %v", c.Back)
	case SetPacing:
		return fmt.Sprintf("real-time factor %g", c.RealTime)
	case SetFaultPolicy:
		return "on_fault " + c.Policy.String()
	case Measure:
		return "measure " + DescribeResource(c.Resource)
	case LoadWorld:
		return "load " + DescribeResource(c.Resource)
	case Restore:
		return fmt.Sprintf("take up %s at %v", DescribeResource(c.World.Resource), c.Time)
	case BeginLoad:
		return "read " + DescribeResource(c.Resource)
	}
	return describeEntityCommand(c)
}

func describeEntityCommand(c Command) string {
	switch c := c.(type) {
	case SetEntityState:
		return describeMove(c)
	case MoveEntities:
		return fmt.Sprintf("move %d entities", len(c.Moves))
	case SetEntityInfo:
		return "set info of " + c.Name
	case SetEntityInfos:
		return fmt.Sprintf("set info of %d entities", len(c.Infos))
	case DriveEntity:
		return fmt.Sprintf("drive %s %.2f m/s %.2f rad/s", c.Name, c.Twist.Linear.X, c.Twist.Angular.Z)
	case DriveCar:
		return describeDriver(c)
	case SetActor:
		return describeActor(c)
	case SetSignal:
		return describeSignal(c)
	case Attach:
		return describePairs("attach", c.Pairs)
	case Detach:
		return describePairs("detach", c.Pairs)
	case SetBattery:
		return describeBattery(c)
	case SetLamps:
		return fmt.Sprintf("light %d lamps of %s", len(c.Lamps), c.Name)
	case SetJoint:
		return fmt.Sprintf("joint %s/%s %s %g", c.Name, c.Joint, c.Mode, c.Target)
	case SetJoints:
		return fmt.Sprintf("set %d joints of %s", len(c.Targets), c.Name)
	case SetJointPositions:
		return fmt.Sprintf("put %d joints of %s at positions", len(c.Positions), c.Name)
	case FollowTrajectory:
		return fmt.Sprintf("%s follows a trajectory of %d points for %d joints", c.Name, len(c.Points),
			len(c.Joints))
	case EndTrajectory:
		return fmt.Sprintf("end trajectory %d of %s", c.ID, c.Name)
	case CancelSteps:
		return "cancel steps"
	case UnloadWorld:
		return "unload world"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", c), "sim.")
}

func describeReset(c Reset) string {
	text := "reset " + c.Scope.String()
	if c.Move != "" {
		text += fmt.Sprintf(", %s at %.2f %.2f %.2f", c.Move, c.To.Pos.X, c.To.Pos.Y, c.To.Pos.Z)
	}
	return text
}

func describeDriver(c DriveCar) string {
	k := &c.Control
	text := fmt.Sprintf("drive %s in %s, steered %.2f rad, ", c.Name, k.Gear, k.Steer)
	switch k.Longitudinal {
	case vehicle.ToSpeed:
		return text + fmt.Sprintf("to %.2f m/s", k.Speed)
	case vehicle.ByAccel:
		return text + fmt.Sprintf("by %.2f m/s²", k.Accel)
	}
	return text + fmt.Sprintf("throttle %.2f, brake %.2f", k.Throttle, k.Brake)
}

func describeActor(c SetActor) string {
	text := "actor " + c.Name
	if c.Moving != nil {
		text += map[bool]string{true: " goes", false: " stops"}[*c.Moving]
	}
	if c.Speed != nil {
		text += fmt.Sprintf(" at %.2f m/s", *c.Speed)
	}
	return text
}

func describeBattery(c SetBattery) string {
	text := "battery " + c.Name + "/" + c.Battery
	if c.Draining != nil {
		text += map[bool]string{true: " drains", false: " drains no more"}[*c.Draining]
	}
	if c.Charging != nil {
		text += map[bool]string{true: " charges", false: " charges no more"}[*c.Charging]
	}
	return text
}

func describeSignal(c SetSignal) string {
	text := "signal " + c.Name
	if c.Phase != "" {
		text += " to " + c.Phase
	}
	if c.Hold {
		return text + ", held"
	}
	return text + ", goes on"
}

func describeSpawn(c Spawn) string {
	p := c.Pose.Pose.Pos
	text := fmt.Sprintf("spawn %s", DescribeResource(c.Resource))
	if c.Name != "" {
		text += " as " + c.Name
	}
	text += fmt.Sprintf(" at %.2f %.2f %.2f", p.X, p.Y, p.Z)
	if c.Pose.Frame != "" && c.Pose.Frame != WorldFrame {
		text += " in " + c.Pose.Frame
	}
	return text
}

func describeMove(c SetEntityState) string {
	text := "move " + c.Name
	if c.Pose != nil {
		text += fmt.Sprintf(" to %.2f %.2f %.2f", c.Pose.Pos.X, c.Pose.Pos.Y, c.Pose.Pos.Z)
	}
	if c.Twist != nil {
		text += fmt.Sprintf(" at %.2f m/s", c.Twist.Linear.Len())
	}
	if c.Accel != nil {
		text += fmt.Sprintf(" with %.2f m/s²", c.Accel.Linear.Len())
	}
	return text
}

// shipped begins the URIs of the worlds that are part of the program; users name these by the rest.
const shipped = "world://@cache@/"

// DescribeResource is a resource in words: its URI, the name of a shipped world, or how long its text is.
func DescribeResource(r Resource) string {
	if r.URI == "" {
		return fmt.Sprintf("text of %d bytes", len(r.Document))
	}
	return strings.TrimPrefix(r.URI, shipped)
}

// String is the scope in words: "all", or those of "time", "state" and
// "spawned" joined by "+".
func (s ResetScope) String() string {
	if s.All() {
		return "all"
	}
	var words []string
	for _, w := range []struct {
		bit  ResetScope
		word string
	}{{ResetTime, "time"}, {ResetState, "state"}, {ResetSpawned, "spawned"}} {
		if s&w.bit != 0 {
			words = append(words, w.word)
		}
	}
	if len(words) == 0 {
		return fmt.Sprintf("scope %d", uint8(s))
	}
	return strings.Join(words, "+")
}

// String is the mode in a word.
func (m JointMode) String() string {
	switch m {
	case JointPosition:
		return "position"
	case JointVelocity:
		return "velocity"
	case JointEffort:
		return "effort"
	}
	return fmt.Sprintf("mode %d", uint8(m))
}
