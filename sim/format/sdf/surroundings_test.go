package sdf

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestAWorldSaysHowItIsLitAndWhereItLies(t *testing.T) {
	w, err := World(open(t, `<sdf version="1.9"><world name="w">
<scene><ambient>0.1 0.2 0.3 1</ambient><background>0.4 0.5 0.6</background><sky/><shadows>false</shadows></scene>
<spherical_coordinates><surface_model>EARTH_WGS84</surface_model><latitude_deg>45</latitude_deg><longitude_deg>-90</longitude_deg><elevation>120</elevation><heading_deg>30</heading_deg></spherical_coordinates>
<magnetic_field>1e-5 2e-5 -3e-5</magnetic_field><atmosphere type="adiabatic"><temperature>290</temperature><pressure>100000</pressure></atmosphere>
<light name="lamp" type="spot"><pose>0 0 3 0 0 0</pose><cast_shadows>1</cast_shadows><intensity>2</intensity><diffuse>1 0 0 1</diffuse><specular>0 1 0 1</specular><direction>0 0 -2</direction>
<attenuation><range>9</range><constant>0.5</constant><linear>0.1</linear><quadratic>0.01</quadratic></attenuation><spot><inner_angle>0.4</inner_angle><outer_angle>0.8</outer_angle><falloff>2</falloff></spot></light>
<light name="dark" type="point"><light_on>false</light_on></light></world></sdf>`, nil))
	if err != nil {
		t.Fatal(err)
	}
	if w.Ambience != (scene.Ambience{Ambient: [4]float32{0.1, 0.2, 0.3, 1},
		Background: [4]float32{0.4, 0.5, 0.6, 1}, Sky: true, NoShadows: true}) {
		t.Errorf("ambience %+v", w.Ambience)
	}
	e := w.Earth
	if !e.Set || math.Abs(e.Latitude-math.Pi/4) > 1e-12 || math.Abs(e.Longitude+math.Pi/2) > 1e-12 ||
		e.Elevation != 120 || math.Abs(e.Heading-math.Pi/6) > 1e-12 ||
		e.Magnetic != r3.V(1e-5, 2e-5, -3e-5) || e.Temperature != 290 || e.Pressure != 100000 {
		t.Errorf("earth %+v", e)
	}
	want := scene.Light{Name: "lamp", Kind: "spot", Pose: r3.PoseRPY(0, 0, 3, 0, 0, 0),
		Direction: r3.V(0, 0, -1), Colour: [4]float32{1, 0, 0, 1}, Specular: [4]float32{0, 1, 0, 1},
		Intensity: 2, Range: 9, Constant: 0.5, Linear: 0.1, Quadratic: 0.01, Inner: 0.4, Outer: 0.8,
		Falloff: 2, Shadows: true}
	if len(w.Lights) != 2 || w.Lights[0] != want || !w.Lights[1].Off {
		t.Errorf("lights %+v", w.Lights)
	}
	if len(w.Notes) > 0 {
		t.Errorf("notes %v", w.Notes)
	}
}

func TestSensorsOfJointsStandInTheirChild(t *testing.T) {
	spec, err := Model(open(t, `<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
<joint name="j" type="fixed"><pose>0 0 0.5 0 0 0</pose><parent>a</parent><child>b</child>
<sensor name="ft" type="force_torque"><pose>0 0 0.1 0 0 0</pose><update_rate>50</update_rate><force_torque><frame>sensor</frame><measure_direction>parent_to_child</measure_direction>
<force><z><noise type="gaussian"><stddev>0.3</stddev></noise></z></force></force_torque></sensor></joint></model></sdf>`, nil))
	if err != nil {
		t.Fatal(err)
	}
	s := spec.Links[1].Sensors
	if len(s) != 1 || !s[0].Force.Set || s[0].Force.Joint != 0 || s[0].Force.Frame != "sensor" ||
		!s[0].Force.ParentToChild || s[0].Force.Force[2].Std != 0.3 ||
		s[0].Pose.Pos.Dist(r3.V(0, 0, 0.6)) > 1e-12 {
		t.Errorf("sensors %+v", s)
	}
}
