package robot

import (
	"math"
	"testing"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// lamp leans at a ball joint that turns by 30° at most.
const lamp = `<mujoco model="lamp"><option timestep="0.002"/><worldbody><body name="post"><geom type="cylinder" size="0.02 0.2" pos="0 0 0.2" mass="5"/>
<body name="shade" pos="0 0 0.42"><joint name="neck" type="ball" range="0 30" damping="0.02"/>
<geom type="capsule" fromto="0.02 0 0.05 0.03 0 0.3" size="0.01" mass="0.5" contype="0" conaffinity="0"/></body>
</body></worldbody></mujoco>`

func TestABallJointIsToldAsMoveItHasIt(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "lamp", "", lamp, 2, -3)
		neck := rostest.Hear[sensormsgs.MultiDOFJointState](h, "/lamp/multi_dof_joint_states",
			node.DefaultQoS())
		h.Do(sim.SetState{State: sim.Playing})
		lean := func(m *sensormsgs.MultiDOFJointState) r3.Vec {
			q := m.Transforms[0].Rotation
			return r3.Quat{W: q.W, X: q.X, Y: q.Y, Z: q.Z}.Vector()
		}
		h.Until("the shade leaning as far as it can", func() bool {
			m := neck.Last()
			return m != nil && math.Abs(lean(m).Len()-math.Pi/6) < 2e-3 &&
				geometry.TwistOf(m.Twist[0]).Angular.Len() < 1e-2
		})
		m := neck.Last()
		if d := lean(m); len(m.JointNames) != 1 || m.JointNames[0] != "neck" ||
			m.Header.FrameID != "lamp/post" || d.Y < 0.52 {
			t.Errorf("%+v turned by %v: the neck leans forward, about y", m, d)
		}
		if p := m.Transforms[0].Translation; math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z) > 1e-9 {
			t.Errorf("%+v: a ball does not slide", p)
		}
		if h.Has("/lamp/joint_states") {
			t.Error("joint_states has nothing to tell of a robot with a ball joint alone")
		}
	})
}
