package gazebo

import (
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// trackWords are the elements of a track's controller. Friction of a belt here goes against its slip in any
// direction, and the center of a turn does not matter to it.
var trackWords = strings.Fields(`link velocity_topic center_of_rotation_topic track_orientation max_command_age
	min_velocity max_velocity min_acceleration max_acceleration debug`)

// track reads the belt of a link: that of a tracked vehicle, or a conveyor.
func (f *flow) track() {
	link, ok := f.link("link")
	if !ok {
		return
	}
	if f.spec.Links[link].Track != nil {
		f.d.Note(scene.Suspicious, f.n, "plugin %s: link %q has a track already; left out", PluginName(f.n),
			f.spec.Links[link].Name)
		return
	}
	turn := f.vector("track_orientation")
	t := &scene.Track{Axis: r3.FromRPY(turn.X, turn.Y, turn.Z).Rotate(r3.V(0, 1, 0)),
		Timeout: f.size("max_command_age", 0), Speed: f.span("min_velocity", "max_velocity"),
		Accel: f.span("min_acceleration", "max_acceleration"), Start: Loose(f.d, f.n, "simdeck:speed", 0), Topic: f.text("velocity_topic")}
	f.spec.Links[link].Track = t
	others(f.d, f.n, trackWords...)
}

// span is two bounds about zero; both zero: there are none.
func (f *flow) span(least, most string) [2]float64 {
	const unbounded = 1e6
	if f.n.ValueOf(least) == "" && f.n.ValueOf(most) == "" {
		return [2]float64{}
	}
	out := [2]float64{Loose(f.d, f.n, least, -unbounded), Loose(f.d, f.n, most, unbounded)}
	if out[0] > 0 || out[1] < 0 || out[0] == out[1] {
		f.d.Note(scene.Suspicious, f.at(most), "<%s> %g and <%s> %g; want one below and one above zero; using none",
			least, out[0], most, out[1])
		return [2]float64{}
	}
	return out
}

// trackedVehicle reads the drive of a vehicle by its belts. Belts run faster in a turn, by its steering
// efficiency: they slip.
func (f *flow) trackedVehicle() {
	d := scene.Drive{Kind: scene.Tracked, Radius: 1}
	for side, name := range [...]string{"left_track", "right_track"} {
		for _, k := range f.n.All(name) {
			on := &flow{reader{d: f.d, n: k}, f.spec, f.joints, f.prefix}
			link, ok := on.link("link")
			if !ok {
				return
			}
			d.Tracks[side] = append(d.Tracks[side], link)
			others(f.d, k, "link", "velocity_topic", "center_of_rotation_topic")
		}
	}
	if len(d.Tracks[0]) == 0 || len(d.Tracks[1]) == 0 {
		f.d.Note(scene.Suspicious, f.n, "plugin %s is left out: it has no <left_track> or no <right_track>",
			PluginName(f.n))
		return
	}
	apart, part := f.size("tracks_separation", 0), f.size("steering_efficiency", 0.5)
	if !(apart > 0) || !(part > 0) {
		f.d.Note(scene.Suspicious, f.n,
			"plugin %s is left out: <tracks_separation> of %g m and <steering_efficiency> of %g; want more than 0",
			PluginName(f.n), apart, part)
		return
	}
	f.common(&d)
	d.Separation = apart / part
	for _, limit := range [...]struct {
		name          string
		speed, change *float64
	}{{"linear_velocity", &d.MaxLinearSpeed, &d.MaxLinearAccel},
		{"angular_velocity", &d.MaxAngularSpeed, &d.MaxAngularAccel}} {
		if k := f.n.Child(limit.name); k != nil {
			r := reader{d: f.d, n: k}
			*limit.speed, *limit.change = r.first(0, "max_velocity"), r.first(0, "max_acceleration")
			others(f.d, k, "max_velocity", "max_acceleration", "min_velocity", "min_acceleration")
		}
	}
	f.spec.Drives = append(f.spec.Drives, d)
	others(f.d, f.n, strings.Fields(`left_track right_track body_link tracks_separation tracks_height track_height steering_efficiency
		linear_velocity angular_velocity topic odom_topic odom_publish_frequency frame_id child_frame_id debug`)...)
}
