package dialog

import (
	"fmt"
	"strings"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// Record asks what a recording holds, with the size that it is expected to have.
type Record struct {
	buttons
	snap   *sim.Snapshot
	cursor int
	line   Line   // of the chosen topics
	reason string // why topics cannot be recorded; empty: they can
}

var _ Dialog = (*Record)(nil)

// NewRecord offers the kinds of recordings. patterns are the topics that the program was told to record.
// reason says why it can record none.
func NewRecord(s *sim.Snapshot, patterns []string, reason string) *Record {
	r := &Record{buttons: buttons{accept: "Record"}, snap: s, reason: reason}
	r.line.Hint = "/tf /*/odom !*image*"
	switch {
	case reason != "":
		r.cursor = int(sim.RecordCommands)
	case len(patterns) > 0:
		r.cursor = int(sim.RecordTopics)
		r.line.Set(strings.Join(patterns, " "))
	default:
		r.cursor = int(sim.RecordState)
	}
	return r
}

// kinds are the rows, by sim.RecordingKind.
func (r *Record) kinds() [4]struct{ name, what string } {
	rate := func(k sim.RecordingKind) string {
		return "about " + pane.Size(int64(Forecast(r.snap, k))) + "/min"
	}
	return [4]struct{ name, what string }{
		{"commands", "for simdeck replay, " + rate(sim.RecordCommands)},
		{"and state", "clock, tf, odometry, joints, " + rate(sim.RecordState)},
		{"and sensors", "all topics, " + rate(sim.RecordSensors)},
		{"choose topics", ""},
	}
}

// Title names the dialog.
func (r *Record) Title() string { return "Record" }

// Size is the size that it wants, in cells.
func (r *Record) Size() (w, h int) { return 66, 8 }

// chosen is the scope of the row; false where it cannot be recorded.
func (r *Record) chosen() (sim.RecordingScope, bool) {
	s := sim.RecordingScope{Kind: sim.RecordingKind(r.cursor)}
	if s.Kind == sim.RecordTopics {
		s.Topics = strings.FieldsFunc(r.line.Text(), func(c rune) bool { return c == ' ' || c == ',' })
	}
	some := s.Kind != sim.RecordTopics || len(s.Topics) > 0
	return s, s.Kind == sim.RecordCommands || r.reason == "" && some
}

// Draw fills the area.
func (r *Record) Draw(a canvas.Area) {
	for i, k := range r.kinds() {
		role := theme.Strong
		if i > 0 && r.reason != "" {
			role = theme.Dim
		}
		x := a.Text(3, 1+i, fmt.Sprintf("%-14s", k.name), role)
		if sim.RecordingKind(i) == sim.RecordTopics {
			r.line.Draw(a, x, 1+i, a.W()-x-2, i == r.cursor)
		} else {
			a.Clip(x, 1+i, a.W()-x-1, k.what, theme.Dim)
		}
		if i == r.cursor {
			a.Put(1, 1+i, '>', theme.Strong)
			a.Sub(1, 1+i, 16, 1).Role(0, theme.Chosen)
		}
	}
	y := a.H() - 2
	switch {
	case r.reason != "":
		a.Clip(1, y, a.W()-2, "Topics: "+r.reason, theme.Warn)
	default:
		a.Clip(1, y, a.W()-2, "Samples that come too late are left out: no step waits.", theme.Dim)
	}
	_, ok := r.chosen()
	r.buttons.draw(a, ok)
}

// Key moves, edits the topics, accepts or closes.
func (r *Record) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		scope, ok := r.chosen()
		if !ok {
			return Outcome{}
		}
		return Outcome{Close: true, Record: &scope}
	case Next, Down:
		r.cursor = (r.cursor + 1) % len(r.kinds())
		return Outcome{}
	case Prev, Up:
		r.cursor = (r.cursor + len(r.kinds()) - 1) % len(r.kinds())
		return Outcome{}
	}
	if sim.RecordingKind(r.cursor) == sim.RecordTopics {
		r.line.Key(k)
	}
	return Outcome{}
}

// Click chooses a row or presses a button.
func (r *Record) Click(x, y int) Outcome {
	if y >= 1 && y <= len(r.kinds()) {
		r.cursor = y - 1
		return Outcome{}
	}
	return r.Key(Key{Action: r.press(x, y)})
}

// Wheel moves the cursor.
func (r *Record) Wheel(rows int) { r.cursor = max(0, min(len(r.kinds())-1, r.cursor+rows)) }

// Hints are the actions that mean something to it.
func (r *Record) Hints() []string { return []string{Up, Down} }

// Figures of recordings of the demo worlds. A recording is compressed: of sensors, these parts of their
// messages' bytes are left.
const (
	hashBytes    = 8    // a step
	stateBytes   = 1500 // of an entity, every sim.StatePeriod
	robotBytes   = 4000 // of a robot's odometry, joints and transforms, a second
	clockBytes   = 6000 // a second
	imageLeaves  = 0.05
	pointsLeaves = 0.25
	scanLeaves   = 0.5
	pointBytes   = 20
	scanBytes    = 8
	imuBytes     = 400
)

// Forecast is the bytes of a recording in a minute of simulated time, within a factor of two or so.
func Forecast(s *sim.Snapshot, k sim.RecordingKind) float64 {
	second := stateBytes * float64(len(s.Model.Entities)) / sim.StatePeriod.Seconds()
	if s.StepSize > 0 {
		second += hashBytes / s.StepSize.Seconds()
	}
	if k >= sim.RecordState {
		second += clockBytes
	}
	for i := range s.Model.Entities {
		e := &s.Model.Entities[i]
		if k >= sim.RecordState && e.Info.Category == scene.Robot {
			second += robotBytes
		}
		for _, sensor := range e.Sensors {
			if k >= sim.RecordSensors {
				second += sensorBytes(sensor.Spec)
			}
		}
	}
	return 60 * second
}

// sensorBytes are the bytes that are recorded of a sensor in a second.
func sensorBytes(s *scene.Sensor) float64 {
	if !(s.Rate > 0) {
		return 0
	}
	switch s.Kind {
	case scene.Lidar:
		if s.Lidar.Rows == 1 {
			return s.Rate * scanBytes * scanLeaves * float64(s.Lidar.Columns)
		}
		return s.Rate * pointBytes * pointsLeaves * float64(s.Lidar.Columns) * float64(s.Lidar.Rows)
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		pixels := s.Rate * float64(s.Camera.Width) * float64(s.Camera.Height)
		bytes := 0.0
		if s.Kind != scene.DepthCamera {
			bytes += 3 * imageLeaves * pixels
		}
		if s.Kind != scene.Camera {
			bytes += (4*imageLeaves + pointBytes*pointsLeaves) * pixels
		}
		return bytes
	}
	return s.Rate * imuBytes * scanLeaves
}
