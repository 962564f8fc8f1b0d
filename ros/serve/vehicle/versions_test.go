package vehicle

import (
	"math"
	"os"
	"testing"
	"time"

	"simdeck/ros/cdr"
	"simdeck/ros/geometry"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rosidl"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// slipping is the VehicleState of a later version of gs_sim_msgs, which has appended a field to it.
type slipping struct {
	gssimmsgs.VehicleState
	SlipAngle float32
}

func (m *slipping) AppendCDR(b []byte) []byte {
	return cdr.AppendFloat32(m.VehicleState.AppendCDR(b), m.SlipAngle)
}
func (m *slipping) ReadCDR(r *cdr.Reader) { m.VehicleState.ReadCDR(r); m.SlipAngle = r.Float32() }
func (m *slipping) SetDefaults()          { m.VehicleState.SetDefaults(); m.SlipAngle = 0 }
func (*slipping) Validate() error         { return nil }
func (*slipping) TypeName() string        { return (*gssimmsgs.VehicleState)(nil).TypeName() }
func (*slipping) DDSTypeName() string     { return (*gssimmsgs.VehicleState)(nil).DDSTypeName() }
func (*slipping) TypeHash() string {
	return "RIHS01_d917d3a986667cc707ba1ef9283adf34539684d82c22eeb7e2798f70309a16d3"
}

// vehicleStateV2 is a message that breaks with VehicleState, and so has a name of its own.
type vehicleStateV2 struct {
	Header      stdmsgs.Header
	Pose        geometrymsgs.Pose
	WheelSpeeds [4]float32
}

func (m *vehicleStateV2) AppendCDR(b []byte) []byte {
	b = m.Pose.AppendCDR(m.Header.AppendCDR(b))
	for _, v := range m.WheelSpeeds {
		b = cdr.AppendFloat32(b, v)
	}
	return b
}

func (m *vehicleStateV2) ReadCDR(r *cdr.Reader) {
	m.Header.ReadCDR(r)
	m.Pose.ReadCDR(r)
	for i := range m.WheelSpeeds {
		m.WheelSpeeds[i] = r.Float32()
	}
}
func (m *vehicleStateV2) SetDefaults()      { *m = vehicleStateV2{}; m.Pose.SetDefaults() }
func (*vehicleStateV2) Validate() error     { return nil }
func (*vehicleStateV2) TypeName() string    { return "gs_sim_msgs/msg/VehicleStateV2" }
func (*vehicleStateV2) DDSTypeName() string { return rosidl.DDSName("gs_sim_msgs/msg/VehicleStateV2") }
func (*vehicleStateV2) TypeHash() string {
	return "RIHS01_8d6c418b3a9e1823e04550bb31abe9f8ccecc55b09f3940e189a745bd7e2cadd"
}

func TestTheDefinitionsOfALaterVersionHaveTheHashesThatTheirClientsAnnounce(t *testing.T) {
	lib := rosidl.NewLibrary()
	for _, pkg := range []string{"std_msgs", "geometry_msgs", "builtin_interfaces"} {
		if err := lib.AddPackage(msgs.Definitions(), pkg, pkg); err != nil {
			t.Fatal(err)
		}
	}
	if err := lib.AddPackage(os.DirFS("testdata"), "gs_sim_msgs@next", "gs_sim_msgs"); err != nil {
		t.Fatal(err)
	}
	for _, m := range []msgs.Message{(*slipping)(nil), (*vehicleStateV2)(nil)} {
		if hash, err := lib.Hash(m.TypeName()); err != nil || hash != m.TypeHash() {
			t.Errorf("%s has the hash %s, %v, not %s", m.TypeName(), hash, err, m.TypeHash())
		}
	}
}

func TestClientsOfTwoVersionsOfGsSimMsgsAreServedAtOnce(t *testing.T) {
	rostest.On(t, rostest.Play{Files: files(), World: scene.Resource{URI: "site"}, Start: sim.Playing},
		func(h *rostest.Stage) error {
			_, err := robot.New(h.Server, h.Engine)
			start(h.Server, h.Engine, node.NewVersion(vehicleState),
				node.NewVersion(func(o *sim.Odometry) *slipping {
					v := o.Car.Twist.Linear
					return &slipping{*vehicleState(o), float32(math.Atan2(v.Y, v.X))}
				}),
				node.NewVersion(func(o *sim.Odometry) *vehicleStateV2 {
					m := &vehicleStateV2{Header: header(o.Time), Pose: geometry.Pose(o.Car.Pose)}
					for i, v := range o.Car.Wheels {
						m.WheelSpeeds[i] = float32(v)
					}
					return m
				}))
			return err
		}, func(h *rostest.Stage) {
			now := hear[gssimmsgs.VehicleState](h, "/vehicle/state", node.DefaultQoS())
			next := hear[slipping](h, "/vehicle/state", node.DefaultQoS())
			second := hear[vehicleStateV2](h, "/vehicle/state", node.DefaultQoS())
			h.Do(sim.SetEntityState{Name: "ego", Twist: &r3.Twist{Linear: r3.V(3, 0, 0)}})
			time.Sleep(100 * time.Millisecond) // the state before and after it have one stamp
			for _, clear := range []func(){now.Clear, next.Clear, second.Clear} {
				clear()
			}
			time.Sleep(10 * time.Second)
			h.Do(sim.SetState{State: sim.Paused})
			time.Sleep(time.Second)
			by := map[builtininterfaces.Time]*gssimmsgs.VehicleState{}
			for _, m := range now.All() {
				by[m.Header.Stamp] = m
			}
			if len(by) < 990 || len(next.All()) < 990 || len(second.All()) < 990 {
				t.Fatalf("in 10 s at 100 Hz: %d, %d and %d", len(by), len(next.All()), len(second.All()))
			}
			fastest := float32(0)
			for _, n := range next.All() {
				if m := by[n.Header.Stamp]; m == nil || n.VehicleState != *m {
					t.Fatalf("%+v and %+v", m, n)
				}
			}
			for _, v := range second.All() {
				m := by[v.Header.Stamp]
				if m == nil || v.Pose != m.Pose || v.WheelSpeeds[0] != m.WheelSpeedFl ||
					v.WheelSpeeds[3] != m.WheelSpeedRr {
					t.Fatalf("%+v and %+v", m, v)
				}
				fastest = max(fastest, v.WheelSpeeds[3])
			}
			if fastest < 2 {
				t.Errorf("the wheels of a car at 3 m/s turn with %g m/s", fastest)
			}
		})
}
