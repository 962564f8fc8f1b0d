package robot

import (
	"math"
	"slices"
	"testing"

	"simdeck/ros/msgs/marineacousticmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// diver hangs in the air with the sensors of what flies and dives.
const diver = `<sdf version="1.9"><model name="diver"><static>true</static><link name="body">
<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>
<sensor name="tube" type="air_speed"><update_rate>10</update_rate><air_speed><pressure><noise type="gaussian"><stddev>0.5</stddev></noise></pressure></air_speed></sensor>
<sensor name="ping" type="sonar"><update_rate>10</update_rate><sonar><min>0.1</min><max>10</max><radius>1</radius></sonar></sensor>
<sensor name="fix" type="navsat"><update_rate>10</update_rate><navsat><position_sensing><horizontal><noise type="gaussian"><stddev>3</stddev><bias_stddev>4</bias_stddev></noise></horizontal>
<vertical><noise type="gaussian"><stddev>2</stddev></noise></vertical></position_sensing></navsat></sensor>
<sensor name="log" type="custom" gz:type="dvl"><update_rate>10</update_rate><topic>dvl/velocity</topic><gz:dvl><type>phased_array</type><arrangement degrees="true">
<beam><rotation>45</rotation><tilt>30</tilt></beam><beam><rotation>135</rotation><tilt>30</tilt></beam><beam><rotation>-45</rotation><tilt>30</tilt></beam><beam><rotation>-135</rotation><tilt>30</tilt></beam></arrangement>
<tracking><bottom_mode><noise type="gaussian"><stddev>0.02</stddev></noise></bottom_mode></tracking></gz:dvl></sensor>
</link></model></sdf>`

// hang puts a diver into the air.
func hang(h *rostest.Stage) {
	h.T.Helper()
	h.Do(sim.Spawn{Name: "diver", Resource: sim.Resource{Document: diver},
		Pose: sim.FramedPose{Pose: r3.PoseRPY(1, 0, 3, 0, 0, 0)}})
	h.Until("its sonar", func() bool { return h.Has("/diver/range", "sensor_msgs/msg/Range") })
}

func TestSensorsOfAirAndWaterSpeakAndWhatTheySayIsTrue(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		hang(h)
		pressures := rostest.Hear[sensormsgs.FluidPressure](h, "/diver/diff_pressure", everything())
		speeds := rostest.Hear[stdmsgs.Float64](h, "/diver/diff_pressure/speed", everything())
		ranges := rostest.Hear[sensormsgs.Range](h, "/diver/range", everything())
		fixes := rostest.Hear[sensormsgs.NavSatFix](h, "/diver/fix", everything())
		step2s(h)
		h.Until("2 s of samples", func() bool {
			return min(len(pressures.All()), len(speeds.All()), len(ranges.All()), len(fixes.All())) >= 20
		})
		if p := pressures.Last(); p.Variance != 0.25 || math.Abs(p.FluidPressure) > 3 ||
			p.FluidPressure == 0 || p.Header.FrameID != "diver/body" {
			t.Errorf("a tube at rest with noise: %+v", p)
		}
		// 3 Pa belong to √(2·3/1.225) m/s.
		if v := speeds.Last().Data; math.Abs(v) > 2.3 || v == 0 {
			t.Errorf("a tube at rest with noise is at %v m/s", v)
		}
		r := *ranges.Last()
		want := sensormsgs.Range{Header: r.Header, RadiationType: sensormsgs.RangeUltrasound,
			FieldOfView: float32(2 * math.Atan(0.1)), MinRange: 0.1, MaxRange: 10, Range: 3}
		if r != want {
			t.Errorf("sonar %+v, want %+v", r, want)
		}
		if c := fixes.Last().PositionCovariance; c != [9]float64{0: 25, 4: 25, 8: 4} {
			t.Errorf("covariance of a position whose parts err by 3 and 4 m, and by 2 m: %v", c)
		}
	})
}

func TestAVelocityLogSpeaksAndWhatItSaysIsTrue(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		hang(h)
		logs := rostest.Hear[marineacousticmsgs.Dvl](h, "/diver/dvl/velocity", everything())
		step2s(h)
		h.Until("2 s of velocities", func() bool { return len(logs.All()) >= 20 })
		m, down := logs.Last(), math.Cos(math.Pi/6)
		if m.VelocityMode != marineacousticmsgs.DvlModeBottom ||
			m.DvlType != marineacousticmsgs.DvlTypePhasedArray || m.NumGoodBeams != 4 || !m.BeamRangesValid {
			t.Errorf("velocity log %+v", m)
		}
		if math.Abs(m.Altitude-3) > 1e-9 || math.Abs(m.Range[3]-3/down) > 1e-9 ||
			math.Abs(m.BeamUnitVec[0].Z+down) > 1e-12 {
			t.Errorf("altitude %v m, range %v m, beam %+v", m.Altitude, m.Range[3], m.BeamUnitVec[0])
		}
		// σ²/(2·sin²30°) along x and y.
		speed := math.Hypot(m.Velocity.X, m.Velocity.Y)
		if math.Abs(m.VelocityCovar[0]-0.0008) > 1e-9 || math.Abs(m.VelocityCovar[4]-0.0008) > 1e-9 ||
			speed > 0.2 || math.Abs(m.SpeedGnd-speed) > 1e-12 {
			t.Errorf("velocity %+v, covariance %v", m.Velocity, m.VelocityCovar)
		}
	})
}

// TestTheMessageOfAVelocityLogHasTheBeamsThatAreHeard, one behind the other, and at most four.
func TestTheMessageOfAVelocityLogHasTheBeamsThatAreHeard(t *testing.T) {
	var m marineacousticmsgs.Dvl
	fillBeams(&m, []sim.DVLBeam{{}, {Locked: true, Range: 7}, {}, {Locked: true, Range: 8, Speed: -1}}, 0.5)
	if m.NumGoodBeams != 2 || m.Range != [4]float64{7, 8} || m.BeamVelocity != [4]float32{0, -1} ||
		m.BeamVelocityCovar[2] != 0 {
		t.Errorf("%+v", m)
	}
	m = marineacousticmsgs.Dvl{}
	if fillBeams(&m, nil, 0.5); m.BeamRangesValid || m.BeamVelocitiesValid {
		t.Errorf("without a beam: %+v", m)
	}
	if fillBeams(&m, slices.Repeat([]sim.DVLBeam{{Locked: true}}, 5), 0.5); m.NumGoodBeams != 4 {
		t.Errorf("%d of five beams in a message of four", m.NumGoodBeams)
	}
}

func TestACovarianceHasAllErrorsOfAReceiver(t *testing.T) {
	if v := variance(&scene.Noise{Std: 1, BiasStd: 2, WalkStd: 2}); v != 9 {
		t.Errorf("variance %v, want 9", v)
	}
}
