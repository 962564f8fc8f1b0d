package mjcf

import (
	"math"

	"simdeck/sim/r3"
)

// orientations are the attributes that turn an element, in the order in which MuJoCo asks for them.
var orientations = []string{"quat", "axisangle", "xyaxes", "zaxis", "euler"}

// pose is the place of an element against its parent: pos and whichever orientation stands nearest.
func (s *settings) pose(a attrs) (r3.Pose, error) {
	p := r3.IdentityPose()
	var err error
	if p.Pos, err = a.vec("pos", p.Pos); err != nil {
		return p, err
	}
	p.Rot, err = s.turn(a)
	return p, err
}

// turn is the rotation of an element. Of several levels that write one, the nearest counts.
func (s *settings) turn(a attrs) (r3.Quat, error) {
	for _, e := range a {
		written := ""
		for _, name := range orientations {
			if _, ok := e.Attr(name); !ok {
				continue
			}
			if written != "" && written != "quat" {
				return r3.Identity(), e.errorf("<%s> has both %s and %s; want one orientation", e.Name,
					written, name)
			}
			written = name
		}
		if written != "" {
			return s.orientation(attrs{e}, written)
		}
	}
	return r3.Identity(), nil
}

// orientation reads one of the five forms.
func (s *settings) orientation(a attrs, form string) (r3.Quat, error) {
	count := map[string]int{"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[form]
	f, err := a.numbers(form, count, count)
	if err != nil {
		return r3.Identity(), err
	}
	q, ok := r3.Identity(), true
	switch form {
	case "quat":
		q, ok = r3.Quat{W: f[0], X: f[1], Y: f[2], Z: f[3]}.Unit()
	case "axisangle":
		var axis r3.Vec
		axis, ok = r3.V(f[0], f[1], f[2]).Unit()
		q = r3.AxisAngle(axis, s.angle(f[3]))
	case "xyaxes":
		x, okX := r3.V(f[0], f[1], f[2]).Unit()
		y, okY := r3.V(f[3], f[4], f[5]).AddScaled(-x.Dot(r3.V(f[3], f[4], f[5])), x).Unit()
		ok = okX && okY
		if ok {
			q = r3.Columns(x, y, x.Cross(y)).Quat()
		}
	case "zaxis":
		var z r3.Vec
		if z, ok = r3.V(f[0], f[1], f[2]).Unit(); ok {
			q = upTo(z)
		}
	case "euler":
		return s.euler(r3.V(f[0], f[1], f[2])), nil
	}
	if !ok {
		return q, a.own().errorf("%s=%q of <%s> has no direction", form, clip(a.own().Get(form)),
			a.own().Name)
	}
	return q, nil
}

// upTo is the shortest turn of z into a direction.
func upTo(z r3.Vec) r3.Quat {
	if z.Z < -1+1e-12 {
		return r3.AxisAngle(r3.V(1, 0, 0), math.Pi)
	}
	return r3.Between(r3.V(0, 0, 1), z)
}

// euler makes a rotation from three angles in the file's sequence: small letters turn about moving axes,
// capitals about the parent's.
func (s *settings) euler(v r3.Vec) r3.Quat {
	q := r3.Identity()
	for i, c := range s.sequence {
		angle, axis := s.angle(v.At(i)), r3.Vec{}
		switch c {
		case 'x', 'X':
			axis.X = 1
		case 'y', 'Y':
			axis.Y = 1
		default:
			axis.Z = 1
		}
		if turn := r3.AxisAngle(axis, angle); c >= 'a' {
			q = q.Mul(turn)
		} else {
			q = turn.Mul(q)
		}
	}
	return q
}
