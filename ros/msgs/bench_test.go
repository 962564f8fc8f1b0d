package msgs_test

import (
	"fmt"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/sensormsgs"
)

// cloud is a message of a 3D lidar: 1 MB.
func cloud() *sensormsgs.PointCloud2 {
	m := &sensormsgs.PointCloud2{Height: 1, Width: 65536, PointStep: 16, RowStep: 1 << 20, IsDense: true,
		Data: make([]byte, 1<<20)}
	m.Header.FrameID = "lidar_link"
	for i, name := range []string{"x", "y", "z", "intensity"} {
		field := sensormsgs.PointField{Name: name, Offset: uint32(4 * i),
			Datatype: sensormsgs.PointFieldFloat32, Count: 1}
		m.Fields = append(m.Fields, field)
	}
	return m
}

// joints is a message of an arm with a hand.
func joints() *sensormsgs.JointState {
	m := &sensormsgs.JointState{Position: make([]float64, 24), Velocity: make([]float64, 24),
		Effort: make([]float64, 24)}
	m.Header.FrameID = "base_link"
	for i := range m.Position {
		m.Name = append(m.Name, fmt.Sprintf("joint_%d", i))
	}
	return m
}

// scan is a message of a planar lidar.
func scan() *sensormsgs.LaserScan {
	return &sensormsgs.LaserScan{Ranges: make([]float32, 1080), Intensities: make([]float32, 1080)}
}

func TestSteadyTrafficAllocatesNothing(t *testing.T) {
	for _, m := range []msgs.Message{cloud(), joints(), scan()} {
		buf := encode(t, m)
		if n := testing.AllocsPerRun(20, func() { buf, _ = msgs.Encode(buf, m) }); n != 0 {
			t.Errorf("%s: %v allocations to write into a used buffer, want none", m.TypeName(), n)
		}
		if err := msgs.Decode(buf, m); err != nil {
			t.Fatal(err)
		}
		// The Reader that Decode passes to an interface is the one allocation; a loop that keeps its own has
		// none.
		if n := testing.AllocsPerRun(20, func() { _ = msgs.Decode(buf, m) }); n > 1 {
			t.Errorf("%s: %v allocations to read into a used message, want at most one", m.TypeName(), n)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, m := range []msgs.Message{cloud(), joints(), scan()} {
		b.Run(m.TypeName(), func(b *testing.B) {
			buf := encode(b, m)
			b.SetBytes(int64(len(buf)))
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = msgs.Encode(buf, m)
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, m := range []msgs.Message{cloud(), joints(), scan()} {
		b.Run(m.TypeName(), func(b *testing.B) {
			buf := encode(b, m)
			b.SetBytes(int64(len(buf)))
			b.ReportAllocs()
			for b.Loop() {
				if err := msgs.Decode(buf, m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
