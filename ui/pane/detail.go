package pane

import (
	"fmt"
	"math"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Detail is the pane of all properties of the selected entity.
type Detail struct {
	scroll
	name string
}

var _, _ List = (*Detail)(nil), (*State)(nil)

// Feed takes a new picture of the world.
func (d *Detail) Feed(*sim.Snapshot) {}

// Draw fills the area.
func (d *Detail) Draw(a canvas.Area, v *View) {
	m, s := v.entity()
	if m == nil {
		a.Clip(2, 1, a.W()-2, "no entity is selected", theme.Dim)
		d.count = 0
		return
	}
	if m.Name != d.name {
		d.name, d.first = m.Name, 0
	}
	var b lines
	naming(&b, v)
	motionOf(&b, s)
	about(&b, m)
	trafficOf(&b, v.Snap, s)
	batteries(&b, v.Snap, v.Entity)
	drives(&b, v.Snap, m, s)
	sensors(&b, v.Snap, m)
	joints(&b, v.Snap, m)
	links(&b, v.Snap, m)
	touching(&b, v.Snap, v.Entity)
	notesOf(&b, m)
	d.scroll.draw(a, b)
}

func naming(b *lines, v *View) {
	m, s := v.entity()
	word := motion(v.Snap, v.Entity)
	b.row("name", span{m.Name, theme.Strong}, span{"  " + Kind(m.Info.Category) + ", " + word, theme.Dim})
	if f := s.Fault; f != nil {
		b.row("contained", span{"! " + f.Cause, theme.Bad})
		b.row("", span{fmt.Sprintf("link %s in step %d, at %s", f.Link, f.Step, Clock(f.Time)[1:]),
			theme.Plain})
		b.row("", span{f.Touched(), theme.Plain})
		b.row("", span{"move, reset or delete it", theme.Dim})
	}
}

func about(b *lines, m *sim.EntityModel) {
	if len(m.Info.Tags) > 0 {
		b.row("tags", span{strings.Join(m.Info.Tags, " "), theme.Accent})
	}
	if m.Info.Description != "" {
		b.row("", span{m.Info.Description, theme.Dim})
	}
	from := "part of the world file"
	if m.Spawned {
		from = "spawned"
	}
	if m.Deletable {
		from += ", can be deleted"
	}
	if m.Spec != nil {
		b.row("model", span{m.Spec.Name, theme.Plain}, span{"  " + from, theme.Dim})
		if m.Spec.Source != "" {
			b.row("source", span{m.Spec.Source, theme.Dim})
		}
	}
	if m.Namespace != "" && m.Namespace != m.Name {
		b.row("namespace", span{m.Namespace, theme.Plain})
	}
}

func vector(v r3.Vec, decimals int, unit string) []span {
	return []span{
		{fmt.Sprintf("%8s%8s%8s", narrow(v.X, decimals), narrow(v.Y, decimals), narrow(v.Z, decimals)),
			theme.Plain},
		{" " + unit, theme.Dim},
	}
}

// narrow is a number with as many decimals as have room in seven columns. A vector and its unit then stand in
// a line of the narrowest pane.
func narrow(x float64, decimals int) string {
	for {
		text := Number(x, decimals)
		if decimals == 0 || len(text) <= 7 {
			return text
		}
		decimals--
	}
}

func motionOf(b *lines, s *sim.EntityState) {
	roll, pitch, yaw := s.Pose.Rot.RPY()
	b.row("position", vector(s.Pose.Pos, 3, "m")...)
	b.row("rotation", vector(r3.V(Degrees(roll), Degrees(pitch), Degrees(yaw)), 1, "°")...)
	b.row("velocity", vector(s.Twist.Linear, 3, "m/s")...)
	b.row("turning", vector(s.Twist.Angular, 3, "rad/s")...)
}

func drives(b *lines, s *sim.Snapshot, m *sim.EntityModel, state *sim.EntityState) {
	if m.Spec == nil {
		return
	}
	for i := range m.Spec.Drives {
		d := &m.Spec.Drives[i]
		kind := [...]string{"drive", "differential drive", "Ackermann drive",
			"mecanum drive", "multicopter", "tracked drive", "vessel", "fixed wing"}[min(int(d.Kind), 7)]
		note := ""
		switch {
		case d.Inferred && d.Kind == scene.Vessel:
			note = "  inferred from its thrusters"
		case d.Inferred && d.Kind == scene.FixedWing:
			note = "  inferred from its control surfaces"
		case d.Inferred:
			note = "  inferred from its wheels"
		}
		b.head(kind, span{note, theme.Dim})
		if k := m.FirstDrive + i; k < len(s.Odom) {
			o := &s.Odom[k]
			b.row("command", span{fmt.Sprintf("%s m/s  %s rad/s", Number(o.Target.Linear.X, 2),
				Number(o.Target.Angular.Z, 2)), theme.Strong})
			b.row("odometry", span{fmt.Sprintf("%s m/s  %s rad/s", Number(o.Twist.Linear.X, 2),
				Number(o.Twist.Angular.Z, 2)), theme.Plain})
			b.row("", span{fmt.Sprintf("x %s  y %s m  yaw %s°", Number(o.Pose.Pos.X, 3),
				Number(o.Pose.Pos.Y, 3), Number(Degrees(heading(o.Pose.Rot)), 1)), theme.Plain})
		}
		if p := &state.Patrol; d.Patrol != nil && p.Yielded {
			b.row("patrol", span{"yielded to a command; a reset of states starts it again", theme.Dim})
		} else if d.Patrol != nil && p.Of > 0 {
			b.row("patrol", span{fmt.Sprintf("point %d of %d", p.Point, p.Of), theme.Plain})
		}
		b.row("topic", span{or(d.Topic, "cmd_vel"), theme.Accent}, span{limits(d), theme.Dim})
	}
}

func limits(d *scene.Drive) string {
	out := ""
	if d.MaxLinearSpeed > 0 {
		out += "  ≤ " + Number(d.MaxLinearSpeed, 2) + " m/s"
	}
	if d.MaxAngularSpeed > 0 {
		out += "  ≤ " + Number(d.MaxAngularSpeed, 2) + " rad/s"
	}
	if d.Timeout > 0 {
		out += "  stops after " + Number(d.Timeout, 1) + " s"
	}
	return out
}

func sensors(b *lines, s *sim.Snapshot, m *sim.EntityModel) {
	if len(m.Sensors) > 0 {
		b.head("sensors")
	}
	for i, sensor := range m.Sensors {
		kind := [...]string{"sensor", "lidar", "camera", "depth", "imu", "contact", "force", "gps",
			"sensor"}[min(int(sensor.Spec.Kind), 8)]
		b.row(kind, span{sensor.Spec.Name, theme.Accent},
			span{"  " + Number(sensor.Spec.Rate, 0) + " Hz  " + sensor.Spec.Topic, theme.Dim})
		if k := m.FirstSensor + i; k < len(s.Samples) && s.Samples[k].Data != nil {
			b.row("", span{measured(&s.Samples[k]), theme.Plain}, late(s, &s.Samples[k], sensor.Spec.Rate))
		}
	}
}

// late says that a sample is older than several periods of its sensor.
func late(s *sim.Snapshot, last *sim.Sample, rate float64) span {
	const periods = 3
	age := s.Time - last.Time
	if rate <= 0 || age.Seconds() <= periods/rate+0.1 {
		return span{}
	}
	return span{fmt.Sprintf("  ! stale, %s s old", Number(age.Seconds(), 1)), theme.Warn}
}

func measured(s *sim.Sample) string {
	text := fmt.Sprintf("no. %d at %s", s.Seq, Clock(s.Time)[1:])
	scan, ok := s.Data.(*sim.LidarScan)
	if !ok || len(scan.Ranges) == 0 {
		return text
	}
	hits, near := 0, math.Inf(1)
	for _, r := range scan.Ranges {
		if !math.IsInf(float64(r), 0) && r == r {
			hits++
			near = min(near, float64(r))
		}
	}
	text += fmt.Sprintf(", %d of %d rays return", hits, len(scan.Ranges))
	if hits > 0 {
		text += ", nearest " + Number(near, 2) + " m"
	}
	return text
}

func joints(b *lines, s *sim.Snapshot, m *sim.EntityModel) {
	if m.Spec == nil {
		return
	}
	title := false
	for i := range m.Spec.Joints {
		j := &m.Spec.Joints[i]
		if k := m.FirstJoint + i; j.Kind != scene.Fixed && k < len(s.Joints) {
			if !title {
				b.head("joints", span{"               position  velocity   effort", theme.Dim})
				title = true
			}
			q := &s.Joints[k]
			if m := q.Motion; m != nil {
				b.add(span{fmt.Sprintf("%-20s", Fitted(j.Name, 20)), theme.Plain},
					span{fmt.Sprintf("%9s %9s", Number(m.Pose.Rot.Vector().Len(), 3),
						Number(m.Twist.Angular.Len(), 2)), theme.Plain})
				continue
			}
			b.add(span{fmt.Sprintf("%-20s", Fitted(j.Name, 20)), theme.Plain},
				span{fmt.Sprintf("%9s %9s %8s", Number(q.Position, 3), Number(q.Velocity, 2),
					Number(q.Effort, 2)), theme.Plain})
		}
	}
}

func links(b *lines, s *sim.Snapshot, m *sim.EntityModel) {
	if m.Spec == nil || len(m.Spec.Links) < 2 {
		return
	}
	b.head("links", span{"                       x        y        z m", theme.Dim})
	for i := range m.Spec.Links {
		if k := m.FirstLink + i; k < len(s.Links) {
			p := s.Links[k].Pose.Pos
			b.add(span{fmt.Sprintf("%-20s", Fitted(m.Spec.Links[i].Name, 20)), theme.Plain},
				span{fmt.Sprintf("%9s%9s%9s", Number(p.X, 3), Number(p.Y, 3), Number(p.Z, 3)), theme.Plain})
		}
	}
}

func touching(b *lines, s *sim.Snapshot, entity int) {
	with := map[int]bool{}
	for _, c := range s.Contacts {
		other := c.A + c.B - entity
		if (c.A == entity || c.B == entity) && other >= 0 && other < len(s.Model.Entities) && !with[other] {
			if len(with) == 0 {
				b.head("touches")
			}
			with[other] = true
			b.add(span{s.Model.Entities[other].Name, theme.Plain})
		}
	}
}

func notesOf(b *lines, m *sim.EntityModel) {
	if len(m.Notes) == 0 {
		return
	}
	b.head("notes")
	for _, n := range m.Notes {
		b.add(span{n.Kind.String() + ": ", theme.Warn}, span{n.Text, theme.Plain})
	}
}

// Fitted is a text without control characters, cut to w columns.
func Fitted(s string, w int) string {
	s = canvas.Clean(s)
	for canvas.TextWidth(s) > w {
		r := []rune(s)
		s = string(r[:len(r)-2]) + "…"
	}
	return s
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
