package robot

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/msgs/visualizationmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// viewer holds the markers that RViz and Foxglove make of MarkerArrays. It applies the rules by which RViz
// complains of them: those of ROS 2 in MarkerCommon, and the stricter ones of ROS 1 in checkMarkerArrayMsg.
type viewer struct {
	shown  map[string]visualizationmsgs.Marker // by namespace and ID
	frames map[string]bool                     // in tf
}

// take shows a message, and says what is wrong with it.
func (v *viewer) take(a *visualizationmsgs.MarkerArray) (wrong []string) {
	here := map[string]bool{}
	for i := range a.Markers {
		m := &a.Markers[i]
		id := fmt.Sprintf("%s/%d", m.Ns, m.ID)
		say := func(format string, args ...any) {
			wrong = append(wrong,
				id+": "+fmt.Sprintf(format, args...))
		}
		if here[id] {
			say("several in one message")
		}
		here[id] = true
		switch m.Action {
		case visualizationmsgs.MarkerDeleteall:
			if i > 0 {
				say("all are deleted after some were added")
			}
			clear(v.shown)
		case visualizationmsgs.MarkerDelete:
			delete(v.shown, id)
		case visualizationmsgs.MarkerAdd:
			v.shown[id] = *m
			v.check(m, say)
		default:
			say("action %d", m.Action)
		}
	}
	return wrong
}

func (v *viewer) check(m *visualizationmsgs.Marker, say func(string, ...any)) {
	if !v.frames[m.Header.FrameID] {
		say("frame %q is not in tf", m.Header.FrameID)
	}
	if (m.Header.Stamp != node.SimTime(0)) && m.FrameLocked {
		say("stamped and locked to its frame")
	}
	if m.Lifetime.Sec != 0 || m.Lifetime.Nanosec != 0 {
		say("it ends by itself")
	}
	v.checkNumbers(m, say)
	v.checkType(m, say)
}

// checkNumbers looks for poses, sizes and colours that nobody can draw.
func (v *viewer) checkNumbers(m *visualizationmsgs.Marker, say func(string, ...any)) {
	q, p, s, c := m.Pose.Orientation, m.Pose.Position, m.Scale, m.Color
	numbers := []float64{p.X, p.Y, p.Z, s.X, s.Y, s.Z, float64(c.R), float64(c.G), float64(c.B), float64(c.A)}
	for _, x := range m.Points {
		numbers = append(numbers, x.X, x.Y, x.Z)
	}
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			say("a number that is none")
			break
		}
	}
	if math.Abs(q.X*q.X+q.Y*q.Y+q.Z*q.Z+q.W*q.W-1) > 1e-3 {
		say("quaternion %+v", q)
	}
	if s.X <= 0 || s.Y <= 0 || s.Z <= 0 {
		say("scale %+v", s)
	}
	if own := m.Type == visualizationmsgs.MarkerMeshResource && m.MeshUseEmbeddedMaterials && c.R == 0 &&
		c.G == 0 && c.B == 0; c.A == 0 && !own {
		say("it cannot be seen")
	}
	if len(m.Colors) != 0 && len(m.Colors) != len(m.Points) {
		say("%d colours of %d points", len(m.Colors), len(m.Points))
	}
}

// checkType looks for what a marker of its type must not have, or must.
func (v *viewer) checkType(m *visualizationmsgs.Marker, say func(string, ...any)) {
	mesh := m.Type == visualizationmsgs.MarkerMeshResource
	if m.Text != "" || mesh != (m.MeshResource != "") || !mesh && m.MeshUseEmbeddedMaterials {
		say("text %q, mesh %q", m.Text, m.MeshResource)
	}
	switch m.Type {
	case visualizationmsgs.MarkerCube, visualizationmsgs.MarkerSphere, visualizationmsgs.MarkerCylinder:
		if len(m.Points) > 0 {
			say("points of a shape")
		}
	case visualizationmsgs.MarkerTriangleList:
		if len(m.Points) == 0 || len(m.Points)%3 != 0 {
			say("%d points of triangles", len(m.Points))
		}
	case visualizationmsgs.MarkerMeshResource:
		if !strings.HasPrefix(m.MeshResource, "package://") {
			say("no viewer finds %q", m.MeshResource)
		}
	default:
		say("type %d is none of ours", m.Type)
	}
}

// shelf has the cases that viewers get wrong most easily: meshes, capsules, a plane beside boxes, and names
// that look alike.
const shelf = `<sdf version="1.9"><model name="shelf"><link name="a/b"><inertial><mass>1</mass></inertial><collision name="c"><geometry><capsule><radius>0.1</radius><length>0.4</length></capsule></geometry></collision>
<visual name="v"><geometry><cylinder><radius>0.1</radius><length>1</length></cylinder></geometry><material><diffuse>0 0 0 0</diffuse></material></visual>
<visual name="w"><geometry><mesh><uri>model://rig/tin.obj</uri><scale>1 2 3</scale></mesh></geometry></visual></link></model></sdf>`

func TestRVizFindsNothingWrongWithTheMarkersWhateverHappens(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		v := &viewer{shown: map[string]visualizationmsgs.Marker{}, frames: map[string]bool{"world": true}}
		frames := func(m *tf2msgs.TFMessage) {
			for _, x := range m.Transforms {
				v.frames[x.ChildFrameID], v.frames[x.Header.FrameID] = true, true
			}
		}
		// volatile, as RViz asks
		seen := rostest.Hear[visualizationmsgs.MarkerArray](h, "/world_markers", node.DefaultQoS())
		moving, fixed := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything()),
			rostest.Hear[tf2msgs.TFMessage](h, "/tf_static", node.LatchedQoS())
		taken := 0
		look := func(what string, shown ...string) {
			t.Helper()
			h.Do(sim.StepWorld{N: 5})
			time.Sleep(2 * time.Second)
			for _, m := range append(moving.All(), fixed.All()...) {
				frames(m)
			}
			for _, a := range seen.All()[taken:] {
				for _, w := range v.take(a) {
					t.Errorf("%s: %s", what, w)
				}
				taken++
			}
			for _, name := range shown {
				if !anyIn(v.shown, name) {
					t.Errorf("%s: %s is not shown, but %d others", what, name, len(v.shown))
				}
			}
		}
		look("from the beginning", "wall/l", "floor/l", "one/base_link")
		spawn(h, "shelf", "", shelf, 2, 2)
		spawn(h, "stick", "", stick, 3, -3)
		spawn(h, "shelf/a", "", strings.Replace(shelf, `"a/b"`, `"b"`, 1), 2, 3)
		look("with more", "shelf/a/b", "stick/root", "wall/l")
		late := rostest.Hear[visualizationmsgs.MarkerArray](h, "/world_markers", node.DefaultQoS())
		h.Until("the world for who comes late and asks for nothing that was before",
			func() bool { return late.Last() != nil })
		h.Do(sim.Delete{Names: []string{"shelf"}})
		look("with less", "stick/root", "wall/l")
		h.Do(sim.Reset{})
		look("as loaded", "wall/l", "one/base_link")
		if anyIn(v.shown, "stick/") || anyIn(v.shown, "shelf") {
			t.Error("what is gone is still shown")
		}
	})
}

func anyIn(shown map[string]visualizationmsgs.Marker, prefix string) bool {
	for id := range shown {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}
