package gazebo

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// velocityLogOf is a <sensor> around the content of a <gz:dvl>.
func velocityLogOf(content string) string {
	return `<sensor name="s" type="custom" gz:type="dvl" xmlns:gz="http://gazebosim.org/schema"><update_rate>8</update_rate>
		<topic>/dvl/velocity</topic><gz:dvl>` + content + `</gz:dvl></sensor>`
}

// janus are four beams that are tilted by 30°.
const janus = `<arrangement degrees="true">
	<beam id="1"><aperture>2</aperture><rotation>45</rotation><tilt>30</tilt></beam>
	<beam><rotation>135</rotation><tilt>30</tilt></beam><beam><rotation>-45</rotation><tilt>30</tilt></beam>
	<beam><rotation>-135</rotation><tilt>30</tilt></beam></arrangement>`

func TestADVLIsReadAsGazeboWritesIt(t *testing.T) {
	d := open(t, velocityLogOf(`<type>phased_array</type>`+janus+`<tracking>
		<bottom_mode><when>best</when><noise type="gaussian"><stddev>0.01</stddev></noise></bottom_mode>
		<water_mass_mode><when>best</when><water_velocity><x>u</x></water_velocity>
		<boundaries><near>20</near><far>60</far></boundaries><bins>10</bins></water_mass_mode></tracking>
		<maximum_range>80</maximum_range><minimum_range>0.3</minimum_range><resolution>0.1</resolution>
		<reference_frame>0 0 0 3.141592653589793 0 0</reference_frame>`))
	s := Sensor(d, d.Tree.Root, r3.IdentityPose())
	if s.Kind != scene.DVL || s.Rate != 8 || s.Topic != "/dvl/velocity" || len(*d.Notes) > 0 {
		t.Fatalf("%+v, notes %v", s, *d.Notes)
	}
	v := s.DVL
	if v.MinRange != 0.3 || v.MaxRange != 80 || !v.PhasedArray || v.Near != 20 || v.Far != 60 ||
		!v.Bottom.Best || v.Bottom.Noise.Std != 0.01 || !v.Water.On || !v.Water.Best {
		t.Errorf("%+v", v)
	}
	if got := v.Report.Rotate(r3.V(1, 2, 3)); got.Dist(r3.V(1, -2, -3)) > 1e-12 {
		t.Errorf("forward, left, up 1, 2, 3 is told as %v, want forward, right, down", got)
	}
	s30, side := math.Sin(math.Pi/6), math.Sqrt2/2
	for i, want := range []r3.Vec{{X: -s30 * side, Y: s30 * side}, {X: s30 * side, Y: s30 * side},
		{X: -s30 * side, Y: -s30 * side}, {X: s30 * side, Y: -s30 * side}} {
		want.Z = -math.Cos(math.Pi / 6)
		if v.Beams[i].Dist(want) > 1e-12 {
			t.Errorf("beam %d goes to %v, want %v", i, v.Beams[i], want)
		}
	}
}

func TestADVLOfOddNumbersIsNoted(t *testing.T) {
	track := `<tracking><bottom_mode/></tracking>`
	for _, c := range []struct {
		content string
		kind    scene.SensorKind
	}{
		{"", scene.OtherSensor}, {janus, scene.DVL},
		{`<arrangement><beam/><beam/></arrangement>` + track, scene.OtherSensor},
		{`<arrangement><beam/><beam><tilt>1.6</tilt></beam><beam><tilt>nan</tilt></beam></arrangement>` + track,
			scene.OtherSensor},
		{janus + track + `<maximum_range>-5</maximum_range>`, scene.DVL},
		{janus + track + `<minimum_range>inf</minimum_range>`, scene.DVL},
		{janus + track + `<reference_frame>1 2</reference_frame>`, scene.DVL},
		{janus + `<tracking><bottom_mode><when>sometimes</when></bottom_mode></tracking>`, scene.DVL},
		{janus + `<tracking><water_mass_mode><boundaries><near>50</near><far>20</far></boundaries></water_mass_mode></tracking>`,
			scene.DVL},
	} {
		content, kind := c.content, c.kind
		d := open(t, velocityLogOf(content))
		s := Sensor(d, d.Tree.Root, r3.IdentityPose())
		if s.Kind != kind || !d.Notes.Has(scene.Suspicious) {
			t.Errorf("%s: kind %d, want %d; notes %v", content, s.Kind, kind, *d.Notes)
		}
		if v := s.DVL; s.Kind == scene.DVL && !(v.MinRange >= 0 && v.MaxRange > v.MinRange &&
			v.MaxRange < 1e6 && (!v.Water.On || v.Near < v.Far && v.Far <= v.MaxRange)) {
			t.Errorf("%s: %+v", content, v)
		}
	}
	many := `<arrangement>`
	for range 40 {
		many += `<beam/>`
	}
	d := open(t, velocityLogOf(many+`</arrangement>`+track))
	n := len(Sensor(d, d.Tree.Root, r3.IdentityPose()).DVL.Beams)
	if n != mostBeams || !d.Notes.Has(scene.Suspicious) {
		t.Errorf("%d beams, notes %v", n, *d.Notes)
	}
}

func TestASonarsConeHasItsRadiusAtItsEnd(t *testing.T) {
	d := open(t, `<sensor name="s" type="sonar"><sonar><min>0.2</min><max>5</max><radius>1</radius></sonar></sensor>`)
	got := Sensor(d, d.Tree.Root, r3.IdentityPose()).Sonar
	if got.MinRange != 0.2 || got.MaxRange != 5 || math.Abs(math.Tan(got.HalfAngle)-0.2) > 1e-12 ||
		len(*d.Notes) > 0 {
		t.Errorf("%+v, notes %v", got, *d.Notes)
	}
	for _, odd := range []string{"<min>3</min><max>2</max>", "<max>inf</max>", "<radius>-1</radius>",
		"<min>-1</min>"} {
		d := open(t, `<sensor name="s" type="sonar"><sonar>`+odd+`</sonar></sensor>`)
		got := Sensor(d, d.Tree.Root, r3.IdentityPose()).Sonar
		if !(got.MinRange >= 0 && got.MaxRange > got.MinRange && got.MaxRange <= mostDistance &&
			got.HalfAngle >= 0) || !d.Notes.Has(scene.Suspicious) {
			t.Errorf("%s: %+v, notes %v", odd, got, *d.Notes)
		}
	}
}

func TestASonarOfManyBeamsIsALidarOfSound(t *testing.T) {
	d := open(t, `<sensor name="s" type="custom" gz:type="multibeam_sonar"><gz:multibeam_sonar><ray degrees="true"><scan>
		<horizontal><beams>256</beams><min_angle>-65</min_angle><max_angle>65</max_angle></horizontal>
		<vertical><rays>3</rays><min_angle>-6</min_angle><max_angle>6</max_angle></vertical></scan>
		<range><min>0.1</min><max>30</max></range></ray></gz:multibeam_sonar></sensor>`)
	s := Sensor(d, d.Tree.Root, r3.IdentityPose())
	l := s.Lidar
	if s.Kind != scene.Lidar || !l.Acoustic || l.Columns != 256 || l.Rows != 3 || l.MaxRange != 30 ||
		math.Abs(l.MaxAngle-65*math.Pi/180) > 1e-12 || math.Abs(l.MinElevation+6*math.Pi/180) > 1e-12 ||
		!d.Notes.Has(scene.Inferred) {
		t.Errorf("%+v, notes %v", s, *d.Notes)
	}
	d = open(t, `<sensor name="s" type="custom" gz:type="lidar_of_dreams"/>`)
	s = Sensor(d, d.Tree.Root, r3.IdentityPose())
	if s.Kind != scene.OtherSensor || !d.Notes.Has(scene.Unsupported) {
		t.Errorf("an unknown custom sensor: %+v, notes %v", s, *d.Notes)
	}
}

func TestALatencyIsThatOfSensorsThatReportAtOnce(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       float64
		notes      int
	}{{"navsat", "0.12", 0.12, 0}, {"navsat", "-1", 0, 1}, {"imu", "nan", 0, 1}, {"navsat", "11", 0, 1},
		{"camera", "0.1", 0, 1}, {"gpu_lidar", "0.1", 0, 1}} {
		d := open(t, fmt.Sprintf(`<sensor name="s" type=%q><lidar/><camera/><simdeck:latency>%s</simdeck:latency></sensor>`, c.kind,
			c.text))
		s := Sensor(d, d.Tree.Root, r3.IdentityPose())
		said := 0
		for _, n := range *d.Notes {
			if n.Kind == scene.Suspicious || n.Kind == scene.Unsupported {
				said++
			}
		}
		if s.Latency != c.want || said != c.notes {
			t.Errorf("%+v: latency %g s, notes %v", c, s.Latency, *d.Notes)
		}
	}
}

func TestABarometersAltitudeIsThatOfTheWorldsOrigin(t *testing.T) {
	d := open(t, `<sensor name="s" type="air_pressure"><air_pressure><reference_altitude>123</reference_altitude></air_pressure></sensor>`)
	if s := Sensor(d, d.Tree.Root, r3.IdentityPose()); s.SeaLevel == nil || *s.SeaLevel != 123 {
		t.Errorf("%v", s.SeaLevel)
	}
	d = open(t, `<sensor name="s" type="air_pressure"/>`)
	if s := Sensor(d, d.Tree.Root, r3.IdentityPose()); s.SeaLevel != nil {
		t.Errorf("%v m where the file says nothing", *s.SeaLevel)
	}
}
