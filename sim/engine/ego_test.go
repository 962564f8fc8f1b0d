package engine_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/format/ego"
	"simdeck/sim/scene"
)

// egoText is an SDF world with the small car, which says in its own words that the car is the ego vehicle.
func egoText(says string) string {
	_, car, _ := strings.Cut(carText(), `<model name="car">`)
	car = strings.TrimSuffix(car, "</sdf>")
	return `<sdf version="1.9"><world name="yard">` + says +
		`<include><uri>model://ground_plane</uri></include><model name="ego">` + car + `</world></sdf>`
}

// inYard is that world as a library with settings reads it, with the car at rest.
func inYard(t *testing.T, says string, settings ...string) (*engine.World, int) {
	t.Helper()
	set, err := ego.ParseSettings(settings)
	if err != nil {
		t.Fatal(err)
	}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{}, Vehicle: set})
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: scene.Resource{Document: egoText(says)}}
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	second := int(time.Second / w.StepSize())
	advance(t, w, second)
	return w, second
}

func TestTheEgoVehicleOfAnSDFWorldDrivesTheCircleOfItsSteeringAndStopsWithoutACommand(t *testing.T) {
	for _, model := range carModels {
		w, second := inYard(t, `<simdeck:ego><model>ego</model><dynamics_model>`+model+
			`</dynamics_model><max_deceleration>4</max_deceleration></simdeck:ego>`)
		const speed, angle = 1.0, 0.25
		steer(t, w, 4*second, ahead(speed, angle))
		before := egoOf(t, w).Pose
		steer(t, w, 2*second, ahead(speed, angle))
		way := before.Relative(egoOf(t, w).Pose)
		radius := math.Hypot(way.Pos.X, way.Pos.Y) / (2 * math.Abs(math.Sin(way.Rot.Yaw()/2)))
		want := math.Hypot(0.4/math.Tan(angle), 0.2)
		// its tyres are cylinders of 5 cm, which scrub
		most := map[string]float64{"rigid_body": 0.02}[model] + 0.005
		if math.Abs(radius/want-1) > most {
			t.Errorf("%s: a circle of %.4f m, want %.4f", model, radius, want)
		}
		s, odom := dashboard(t, w)
		if d := odom.Pose.Pos.Dist(s.Pose.Pos); d > 0.1 {
			t.Errorf("%s: its odometry is %.3f m off", model, d)
		}
		steer(t, w, 2*second, ahead(2, 0))
		advance(t, w, second)
		from := egoOf(t, w)
		v := from.Twist.Linear.Len()
		advance(t, w, 2*second)
		s, _ = dashboard(t, w)
		// real wheels follow their motors a little later
		late := map[string]float64{"rigid_body": 0.04}[model] * v
		if stop := s.Pose.Pos.Dist(from.Pose.Pos); math.Abs(v-2) > 0.05 ||
			math.Abs(stop-v*v/6) > 0.01*v*v/6+late || !s.Stale {
			t.Errorf("%s: from %.3f m/s it stops in %.3f m, want %.3f", model, v, stop, v*v/6)
		}
	}
}

func TestVehicleParametersAreTheFilesAndBeforeThemTheUsers(t *testing.T) {
	drive := func(w *engine.World) scene.Drive {
		s := w.Snapshot()
		return s.Model.Entities[must(s.Find("ego"))].Spec.Drives[0]
	}
	w, _ := inYard(t, `<simdeck:ego>ego</simdeck:ego>`)
	d := drive(w)
	if c := d.Car; c == nil || c.Model != scene.RigidCar || d.Kinematic || math.Abs(c.Mass-12.6) > 1e-9 ||
		math.Abs(c.Front-0.2) > 1e-9 || math.Abs(c.Rear-0.2) > 1e-9 ||
		c.Brake != 5 || c.Emergency != 3 || d.Timeout != 1 || d.SteerLimit != 0.5 || d.Odometry.Rate != 100 ||
		c.Inertia < 0.35 || c.Inertia > 0.6 {
		t.Errorf("by its name alone: %+v, %+v", d, c)
	}
	w, _ = inYard(t, `<simdeck:ego><model>ego</model><max_speed>12</max_speed><mass>20</mass></simdeck:ego>`,
		"max_speed=7", "dynamics_model=dynamic_bicycle")
	if d := drive(w); d.MaxLinearSpeed != 7 || d.Car.Mass != 20 || d.Car.Model != scene.DynamicBicycle ||
		!d.Kinematic {
		t.Errorf("with the user's before the file's: %+v, %+v", d, d.Car)
	}
	w, _ = inYard(t, "", "entity=ego", "control_timeout_sec=2")
	if s := w.Snapshot(); s.Model.Site == nil || s.Model.Site.Ego != "ego" || drive(w).Timeout != 2 {
		t.Errorf("named by the user: %+v", s.Model.Site)
	}
	w, _ = inYard(t, "", "max_speed=7")
	if s := w.Snapshot(); s.Model.Site != nil ||
		!strings.Contains(s.Model.Notes[len(s.Model.Notes)-1].Text, "no ego vehicle") {
		t.Errorf("parameters without a vehicle: %+v, %v", s.Model.Site, s.Model.Notes)
	}
}

func TestAnEgoVehicleThatCannotBeOneIsAnErrorByItsLine(t *testing.T) {
	for says, want := range map[string]string{
		`<simdeck:ego>nobody</simdeck:ego>`:                                                    `1:39: the ego vehicle "nobody" is no model`,
		`<simdeck:ego>ground_plane</simdeck:ego>`:                                              `has no drive that steers`,
		`<simdeck:ego><model>ego</model><max_sped>3</max_sped></simdeck:ego>`:                  `there is no parameter "max_sped" of a vehicle; dynamics_model, wheelbase`,
		`<simdeck:ego><model>ego</model><max_speed>fast</max_speed></simdeck:ego>`:             `max_speed is "fast", not a finite number`,
		`<simdeck:ego><model>ego</model><max_speed>900</max_speed></simdeck:ego>`:              `max_speed is 900; from 0.1 to 150 is possible`,
		`<simdeck:ego><model>ego</model><dynamics_model>rocket</dynamics_model></simdeck:ego>`: `dynamics_model "rocket"; kinematic_bicycle`,
	} {
		lib := format.NewLibrary(format.Config{})
		if _, err := lib.World(scene.Resource{Document: egoText(says)}); !errors.Is(err, scene.ErrParse) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", says, err, want)
		}
	}
	for _, bad := range []string{"max_speed", "max_speed=", "speed=3", "max_speed=NaN",
		"dynamics_model=rocket"} {
		if _, err := ego.ParseSettings([]string{bad}); err == nil {
			t.Errorf("the setting %q is taken", bad)
		}
	}
}
