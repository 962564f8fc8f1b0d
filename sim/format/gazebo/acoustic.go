package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const (
	mostHeight   = 100e3 // m, of a world's origin above sea level
	mostDistance = 100e3 // m, that sound goes
	mostBeams    = 32    // of a Doppler velocity log
	mostLatency  = 10    // s
)

// latency reads how late a sensor reports. No element of SDF says it.
func latency(d *source.Doc, n *xmltree.Node, s *scene.Sensor) {
	k := n.Child("simdeck:latency")
	if k == nil {
		return
	}
	f, err := d.Number(k, k.Value())
	switch {
	case err != nil || !(f >= 0 && f <= mostLatency):
		d.Note(scene.Suspicious, k, "latency of %q; want 0 to %d s; reporting at once", k.Value(),
			mostLatency)
	case isCamera(s) || s.Kind == scene.Lidar:
		d.Note(scene.Unsupported, k, "a latency of sensor %q: cameras and lidars report at once", s.Name)
	default:
		s.Latency = f
	}
}

// sonar reads a <sonar>, whose radius is that of its cone at the greatest range.
func sonar(d *source.Doc, n *xmltree.Node) scene.SonarSpec {
	k := n.Child("sonar")
	out := scene.SonarSpec{MinRange: Loose(d, k, "min", 0), MaxRange: Loose(d, k, "max", 1)}
	if !(out.MinRange >= 0 && out.MaxRange > out.MinRange && out.MaxRange <= mostDistance) {
		d.Note(scene.Suspicious, n, "sonar from %g m to %g m; using 0 m to 1 m", out.MinRange, out.MaxRange)
		out.MinRange, out.MaxRange = 0, 1
	}
	radius := Loose(d, k, "radius", 0.5)
	if !(radius >= 0) {
		d.Note(scene.Suspicious, k.Child("radius"), "sonar with a radius of %g m; one ray is cast", radius)
		radius = 0
	}
	out.HalfAngle = r3.Atan2(radius, out.MaxRange)
	return out
}

// custom reads the sensors that are systems of their own, by the type that they name.
func custom(d *source.Doc, n *xmltree.Node, s *scene.Sensor) {
	kind := n.Get("gz:type")
	if kind == "" {
		kind = n.Get("ignition:type")
	}
	switch body := n.Child("gz:" + kind); {
	case kind == "dvl" && body != nil:
		s.Kind, s.DVL = scene.DVL, velocityLog(d, body)
		if len(s.DVL.Beams) < 3 {
			d.Note(scene.Suspicious, body, "sensor %q has %d beams; a velocity takes three; it is not run",
				s.Name, len(s.DVL.Beams))
			s.Kind = scene.OtherSensor
		}
	case kind == "multibeam_sonar" && body != nil:
		s.Kind, s.Lidar = scene.Lidar, multibeam(d, body)
		d.Note(scene.Inferred, n,
			"sensor %q measures ranges: strengths of echoes and their picture are not computed", s.Name)
	case kind == "optical_flow":
		opticalFlow(d, n, s)
	default:
		s.Kind = scene.OtherSensor
		d.Note(scene.Unsupported, n, "sensor %q of type %q is not run", s.Name, "custom "+kind)
	}
}

// velocityLog reads a <gz:dvl>.
func velocityLog(d *source.Doc, n *xmltree.Node) scene.DVLSpec {
	out := scene.DVLSpec{MinRange: Loose(d, n, "minimum_range", 0.1),
		MaxRange:    Loose(d, n, "maximum_range", 100),
		PhasedArray: n.ValueOf("type") == "phased_array", Report: r3.Identity()}
	if !(out.MinRange >= 0 && out.MaxRange > out.MinRange && out.MaxRange <= mostDistance) {
		d.Note(scene.Suspicious, n, "a DVL from %g m to %g m; using 0.1 m to 100 m", out.MinRange,
			out.MaxRange)
		out.MinRange, out.MaxRange = 0.1, 100
	}
	if k := n.Child("reference_frame"); k.Value() != "" {
		if v, err := d.Numbers(k, k.Value(), 6); err == nil {
			unit := 1.0
			if inDegrees(k) {
				unit = math.Pi / 180
			}
			out.Report = r3.FromRPY(unit*v[3], unit*v[4], unit*v[5]).Conj()
		} else {
			d.Note(scene.Suspicious, k, "%v; velocities are told in the frame of the sensor", err)
		}
	}
	beams(d, n.Child("arrangement"), &out)
	tracking := n.Child("tracking")
	out.Bottom = track(d, tracking.Child("bottom_mode"))
	water := tracking.Child("water_mass_mode")
	out.Water = track(d, water)
	layer := water.Child("boundaries")
	out.Near, out.Far = Loose(d, layer, "near", 0.2*out.MaxRange), Loose(d, layer, "far", 0.8*out.MaxRange)
	if out.Water.On && !(out.Near >= 0 && out.Far > out.Near && out.Far <= out.MaxRange) {
		d.Note(scene.Suspicious, water, "a layer of water from %g m to %g m; using %g m to %g m", out.Near,
			out.Far, 0.2*out.MaxRange, 0.8*out.MaxRange)
		out.Near, out.Far = 0.2*out.MaxRange, 0.8*out.MaxRange
	}
	if !out.Bottom.On && !out.Water.On {
		d.Note(scene.Suspicious, n, "a DVL that tracks neither the bottom nor the water")
	}
	others(d, n, "type", "arrangement", "tracking", "resolution", "minimum_range", "maximum_range",
		"reference_frame")
	return out
}

// inDegrees reports that the angles of an element are not in radians.
func inDegrees(n *xmltree.Node) bool {
	word := strings.ToLower(strings.TrimSpace(n.Get("degrees")))
	return word == "true" || word == "1"
}

// beams reads the directions of a velocity log: down, tilted, and turned about the axis down.
func beams(d *source.Doc, n *xmltree.Node, out *scene.DVLSpec) {
	unit := 1.0
	if inDegrees(n) {
		unit = math.Pi / 180
	}
	for _, k := range n.All("beam") {
		tilt, turn := unit*Loose(d, k, "tilt", 0), unit*Loose(d, k, "rotation", 0)
		switch {
		case !(math.Abs(tilt) < math.Pi/2):
			d.Note(scene.Suspicious, k, "a beam that is tilted by %g°; want below 90°; left out",
				tilt*180/math.Pi)
			continue
		case len(out.Beams) == mostBeams:
			d.Note(scene.Suspicious, n, "more than %d beams; those are run", mostBeams)
			return
		}
		s, c := r3.SinCos(tilt)
		so, co := r3.SinCos(turn)
		out.Beams = append(out.Beams, r3.V(-s*co, s*so, -c))
	}
}

// track reads what a velocity log measures against; an element that is missing is that it does not.
func track(d *source.Doc, n *xmltree.Node) scene.DVLTracking {
	if n == nil {
		return scene.DVLTracking{}
	}
	out := scene.DVLTracking{On: true, Noise: noise(d, n.Child("noise"))}
	switch when := n.ValueOf("when"); when {
	case "", "always":
	case "best":
		out.Best = true
	case "never":
		out.On = false
	default:
		d.Note(scene.Suspicious, n.Child("when"),
			"tracking %q; always, best and never are known; using always", when)
	}
	return out
}

// multibeam reads the <gz:multibeam_sonar> of Project DAVE: the rays of each beam.
func multibeam(d *source.Doc, n *xmltree.Node) scene.LidarSpec {
	ray := n.Child("ray")
	h, v, r := ray.Find("scan", "horizontal"), ray.Find("scan", "vertical"), ray.Child("range")
	out := scene.LidarSpec{Acoustic: true,
		MinAngle: Loose(d, h, "min_angle", -math.Pi/3), MaxAngle: Loose(d, h, "max_angle", math.Pi/3),
		MinElevation: Loose(d, v, "min_angle", 0), MaxElevation: Loose(d, v, "max_angle", 0),
		MinRange: Loose(d, r, "min", 0.1), MaxRange: Loose(d, r, "max", 10)}
	if inDegrees(ray) {
		for _, angle := range []*float64{&out.MinAngle, &out.MaxAngle, &out.MinElevation, &out.MaxElevation} {
			*angle *= math.Pi / 180
		}
	}
	out.Columns, out.Rows = counted(d, h, Loose(d, h, "beams", 512)), counted(d, v, Loose(d, v, "rays", 1))
	limit(d, ray, &out)
	return out
}
