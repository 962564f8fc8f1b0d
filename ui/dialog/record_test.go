package dialog

import (
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

// demo has the sensors of the demo world, whose recordings were measured.
func demo() *sim.Snapshot {
	sensors := func(list ...scene.Sensor) (all []sim.SensorModel) {
		for i := range list {
			all = append(all, sim.SensorModel{Spec: &list[i]})
		}
		return all
	}
	scan := scene.Sensor{Kind: scene.Lidar, Rate: 10, Lidar: scene.LidarSpec{Columns: 360, Rows: 1}}
	imu := scene.Sensor{Kind: scene.IMU, Rate: 100}
	s := &sim.Snapshot{StepSize: 4 * time.Millisecond,
		Model: &sim.Model{Entities: make([]sim.EntityModel, 13)}}
	rover, scout := &s.Model.Entities[9], &s.Model.Entities[10]
	rover.Info.Category, scout.Info.Category = scene.Robot, scene.Robot
	rover.Sensors = sensors(scan, imu, scene.Sensor{Kind: scene.Camera, Rate: 12,
		Camera: scene.CameraSpec{Width: 640, Height: 480}})
	scout.Sensors = sensors(scan, imu, scene.Sensor{Kind: scene.RGBDCamera, Rate: 10,
		Camera: scene.CameraSpec{Width: 320, Height: 240}},
		scene.Sensor{Kind: scene.Lidar, Rate: 5, Lidar: scene.LidarSpec{Columns: 1024, Rows: 64}})
	return s
}

func TestTheForecastOfARecordingIsWithinAFactorOfTwo(t *testing.T) {
	for kind, measured := range map[sim.RecordingKind]float64{ // bytes in a minute
		sim.RecordCommands: 0.24e6, sim.RecordState: 1.3e6, sim.RecordSensors: 296e6,
	} {
		if f := Forecast(demo(), kind); f < measured/2 || f > 2*measured {
			t.Errorf("kind %d: %.2g bytes in a minute, measured %.2g", kind, f, measured)
		}
	}
}

func TestWithoutTopicsOnlyCommandsAreRecorded(t *testing.T) {
	r := NewRecord(demo(), nil, "not recorded with --no-ros")
	g := canvas.NewCellBuffer(66, 8)
	if r.Draw(g.All()); !strings.Contains(g.Plain(), "Topics: not recorded with --no-ros") {
		t.Errorf("it does not say so:\n%s", g.Plain())
	}
	for _, c := range []struct {
		key  string
		want *sim.RecordingScope
	}{{"", &sim.RecordingScope{}}, {Down, nil}, {Down, nil}, {Down, nil}} {
		r.Key(Key{Action: c.key})
		if o := r.Key(Key{Action: Accept}); (o.Record == nil) != (c.want == nil) ||
			o.Record != nil && o.Record.Kind != c.want.Kind {
			t.Errorf("row %d records %+v", r.cursor, o.Record)
		}
	}
}

func TestTheTopicsOfTheCommandLineAreOffered(t *testing.T) {
	r := NewRecord(demo(), []string{"/tf", "!*image*"}, "")
	if o := r.Key(Key{Action: Accept}); o.Record == nil || o.Record.Kind != sim.RecordTopics ||
		strings.Join(o.Record.Topics, " ") != "/tf !*image*" {
		t.Errorf("records %+v", o.Record)
	}
	r.line.Set("")
	if o := r.Key(Key{Action: Accept}); o.Record != nil {
		t.Errorf("no topic is recorded as %+v", o.Record)
	}
}
