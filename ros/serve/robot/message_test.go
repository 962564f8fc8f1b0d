package robot

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestACloudPutsEveryReturnWhereItsRayEnds(t *testing.T) {
	s := lidarSensor("velodyne", 5, 3)
	scan := &sim.LidarScan{Spec: &s.Lidar, Ranges: make([]float32, 15), Intensities: make([]float32, 15)}
	for i := range scan.Ranges {
		scan.Ranges[i], scan.Intensities[i] = float32(1+i), float32(i%3)
	}
	scan.Ranges[4], scan.Ranges[7] = float32(math.Inf(1)), float32(math.Inf(-1))
	m := newCloud(&s.Lidar).fill(1500*time.Millisecond, "r/lidar", scan)
	if m.Width != 5 || m.Height != 3 || m.PointStep != 20 || m.RowStep != 100 || len(m.Data) != 300 ||
		m.IsDense {
		t.Fatalf("the layout is %d×%d points of %d bytes, rows of %d, %d bytes, dense %v",
			m.Height, m.Width, m.PointStep, m.RowStep, len(m.Data), m.IsDense)
	}
	if m.Header.FrameID != "r/lidar" || m.Header.Stamp.Sec != 1 || m.Header.Stamp.Nanosec != 5e8 {
		t.Errorf("the header is %+v", m.Header)
	}
	get := func(i, field int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(m.Data[20*i+4*field:])))
	}
	for i, r := range scan.Ranges {
		if math.IsInf(float64(r), 0) {
			if !math.IsNaN(get(i, 0)) || !math.IsNaN(get(i, 2)) {
				t.Errorf("ray %d has no return and stands at %g", i, get(i, 0))
			}
			continue
		}
		if ring := binary.LittleEndian.Uint16(m.Data[20*i+16:]); int(ring) != i/5 ||
			m.Fields[4].Name != "ring" || get(i, 3) != float64(i%3) {
			t.Errorf("ray %d is of ring %d with intensity %v, want %d, %d", i, ring, get(i, 3), i/5, i%3)
		}
		elevation := -0.2 + 0.2*float64(i/5)
		azimuth := -math.Pi + math.Pi/2*float64(i%5)
		x, y, z := get(i, 0), get(i, 1), get(i, 2)
		if math.Abs(math.Sqrt(x*x+y*y+z*z)-float64(r)) > 1e-5 {
			t.Errorf("ray %d is %g long, want %g", i, math.Sqrt(x*x+y*y+z*z), r)
		}
		if math.Abs(math.Asin(z/float64(r))-elevation) > 1e-6 {
			t.Errorf("ray %d goes up by %g, want %g", i, math.Asin(z/float64(r)), elevation)
		}
		if d := math.Remainder(math.Atan2(y, x)-azimuth, 2*math.Pi); math.Abs(d) > 1e-5 {
			t.Errorf("ray %d goes to %g, want %g", i, math.Atan2(y, x), azimuth)
		}
	}
	s.Lidar.Elevations = []float64{-0.4, -0.1, 0.3}
	scan.Ranges[4], scan.Ranges[7] = 1, 1
	m = newCloud(&s.Lidar).fill(0, "", scan)
	for i, r := range scan.Ranges {
		if z := float64(r) * math.Sin(s.Lidar.Elevations[i/5]); math.Abs(get(i, 2)-z) > 1e-5 {
			t.Errorf("ray %d of a list of elevations ends %g m up, want %g", i, get(i, 2), z)
		}
	}
	if newCloud(&s.Lidar).fill(0, "", &sim.LidarScan{Spec: &s.Lidar, Ranges: make([]float32, 3)}) != nil {
		t.Error("a scan of another pattern became a cloud")
	}
}

func TestAScanSaysItsAnglesAndItsRate(t *testing.T) {
	s := lidarSensor("lds", 361, 1)
	m := laserScan(2*time.Second, "r/base_scan", &s,
		&sim.LidarScan{Spec: &s.Lidar, Ranges: make([]float32, 361)})
	if end := float64(m.AngleMin) + 360*float64(m.AngleIncrement); math.Abs(end-float64(m.AngleMax)) > 1e-4 {
		t.Errorf("the last ray is at %g, angle_max is %g", end, m.AngleMax)
	}
	if m.ScanTime != 0.2 || m.RangeMin != 0.1 || m.RangeMax != 10 || len(m.Ranges) != 361 {
		t.Errorf("the scan is %+v", m)
	}
	s.Lidar.Columns = 1
	if m := laserScan(0, "", &s, &sim.LidarScan{Spec: &s.Lidar,
		Ranges: make([]float32, 1)}); math.IsNaN(float64(m.AngleIncrement)) {
		t.Error("a single ray has an increment that is no number")
	}
}

func TestJointStatesLeaveOutWhatIsFixed(t *testing.T) {
	m := burger()
	states := []sim.JointState{{Position: 9}, {Position: 1, Velocity: 2, Effort: 3},
		{Position: 4.1, Encoder: sim.JointReading{Set: true, Position: 4, Velocity: -1}}, {Position: 9}}
	s := newJointMessage(m).fill(time.Second, states)
	if len(s.Name) != 2 || s.Name[0] != "left" || s.Name[1] != "right" || s.Position[0] != 1 ||
		s.Velocity[0] != 2 || s.Effort[0] != 3 || s.Position[1] != 4 || s.Velocity[1] != -1 {
		t.Errorf("the joint states are %+v", s)
	}
}

func TestOdometryKnowsThePlaneAndNotTheRest(t *testing.T) {
	o := newOdometry("r/odom", "r/base")
	fillOdometry(o, &sim.Odometry{Time: time.Second, Pose: r3.PoseRPY(1, 2, 0, 0, 0, 0.5),
		Twist: r3.Twist{Linear: r3.Vec{X: 0.2}}})
	if o.Header.FrameID != "r/odom" || o.ChildFrameID != "r/base" || o.Pose.Pose.Position.Y != 2 ||
		o.Twist.Twist.Linear.X != 0.2 {
		t.Errorf("the odometry is %+v", o)
	}
	if o.Pose.Covariance[0] >= 1 || o.Pose.Covariance[35] >= 1 || o.Pose.Covariance[14] < 1 ||
		o.Pose.Covariance[1] != 0 {
		t.Errorf("the covariance is %v", o.Pose.Covariance)
	}
}

func TestWhatIsDueFollowsMultiplesAndJumpsBack(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		before, now time.Duration
		want        bool
	}{{0, 4 * ms, false}, {16 * ms, 20 * ms, true}, {20 * ms, 24 * ms, false}, {38 * ms, 41 * ms, true},
		{5 * time.Second, 0, true}, {20 * ms, 20 * ms, false}} {
		if due(c.before, c.now, 20*ms) != c.want {
			t.Errorf("from %v to %v: due is %v", c.before, c.now, !c.want)
		}
	}
}

func TestRobotsAreWhatHasSomethingToSay(t *testing.T) {
	m := burger()
	for _, c := range []struct {
		name string
		e    sim.EntityModel
		want bool
	}{
		{"a robot with a drive", sim.EntityModel{Spec: m}, true},
		{"a crate", sim.EntityModel{Spec: &scene.ModelSpec{Links: m.Links[:1]}}, false},
		{"a door", sim.EntityModel{Spec: &scene.ModelSpec{Links: m.Links[:2],
			Joints: []scene.Joint{{Kind: scene.Revolute, Parent: 0, Child: 1}}}}, true},
		{"nothing at all", sim.EntityModel{Spec: &scene.ModelSpec{}, Info: scene.Info{Category: scene.Robot}},
			false},
	} {
		if isRobot(&c.e) != c.want {
			t.Errorf("%s: robot is %v", c.name, !c.want)
		}
	}
}
