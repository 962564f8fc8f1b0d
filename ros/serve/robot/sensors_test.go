package robot

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"
	"math"
	"testing"
	"time"

	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// seer is a box of 3 kg that has every sensor. Its camera looks along x.
const seer = `<sdf version="1.9"><model name="seer">
<link name="body"><pose>0 0 0.15 0 0 0</pose><inertial><mass>3</mass><inertia><ixx>0.05</ixx><iyy>0.05</iyy><izz>0.05</izz></inertia></inertial>
<collision name="shell"><geometry><box><size>0.3 0.3 0.3</size></box></geometry></collision>
<sensor name="cam" type="camera"><pose>0.2 0 0 0 0 0</pose><update_rate>12</update_rate>
<camera><horizontal_fov>1.2</horizontal_fov><image><width>64</width><height>48</height></image><clip><near>0.1</near><far>50</far></clip></camera></sensor>
<sensor name="deep" type="rgbd_camera"><pose>0.2 0 0 0 0 0</pose><update_rate>10</update_rate><topic>front</topic>
<camera><horizontal_fov>1.2</horizontal_fov><image><width>64</width><height>48</height></image><clip><near>0.1</near><far>50</far></clip></camera></sensor>
<sensor name="gyro" type="imu"><update_rate>100</update_rate><imu><linear_acceleration><z><noise type="gaussian"><stddev>0.001</stddev></noise></z></linear_acceleration></imu></sensor>
<sensor name="bump" type="contact"><update_rate>20</update_rate><contact><collision>shell</collision></contact></sensor>
<sensor name="sat" type="navsat"><update_rate>5</update_rate></sensor>
<sensor name="air" type="air_pressure"><update_rate>5</update_rate></sensor>
<sensor name="north" type="magnetometer"><update_rate>5</update_rate></sensor>
<sensor name="up" type="altimeter"><update_rate>5</update_rate></sensor></link>
<link name="hand"><pose>0 0 0.4 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial></link>
<joint name="wrist" type="fixed"><parent>body</parent><child>hand</child><sensor name="ft" type="force_torque"><update_rate>50</update_rate></sensor></joint>
</model></sdf>`

// stand puts a seer on the floor.
func stand(h *rostest.Stage, x, y float64) {
	h.T.Helper()
	h.Do(sim.Spawn{Name: "seer", Resource: sim.Resource{Document: seer},
		Pose: sim.FramedPose{Pose: r3.PoseRPY(x, y, 0.15, 0, 0, 0)}})
}

// standAwake puts a seer on the floor and waits until its camera is there.
func standAwake(h *rostest.Stage) {
	h.T.Helper()
	stand(h, 2, 0)
	h.Until("its camera", func() bool { return h.Has("/seer/cam/image_raw", "sensor_msgs/msg/Image") })
}

// step2s simulates 2 s as the network takes pictures: five may wait.
func step2s(h *rostest.Stage) {
	h.T.Helper()
	for range 20 {
		h.Do(sim.StepWorld{N: 25})
		time.Sleep(50 * time.Millisecond)
	}
}

func TestCamerasSpeakAndWhatTheySeeIsTrue(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		standAwake(h)
		images := rostest.Hear[sensormsgs.Image](h, "/seer/cam/image_raw", node.SensorQoS())
		infos := rostest.Hear[sensormsgs.CameraInfo](h, "/seer/cam/camera_info", node.SensorQoS())
		small := rostest.Hear[sensormsgs.CompressedImage](h, "/seer/cam/image_raw/compressed",
			node.SensorQoS())
		step2s(h)
		h.Until("2 s of pictures", func() bool {
			return len(images.All()) >= 24 && len(small.All()) >= 24 && len(infos.All()) >= 24
		})
		if n := len(images.All()); n != 24 {
			t.Errorf("%d images in 2 s at 12 Hz", n)
		}
		m := images.Last()
		if m.Encoding != "rgb8" || m.Width != 64 || m.Height != 48 || m.Step != 192 ||
			len(m.Data) != 64*48*3 || m.Header.FrameID != "seer/body/cam_optical_frame" {
			t.Errorf("image of %d × %d, %s, step %d, in %q", m.Width, m.Height, m.Encoding, m.Step,
				m.Header.FrameID)
		}
		if c := infos.Last(); c.K[0] != c.P[0] || math.Abs(c.K[0]-32/math.Tan(0.6)) > 1e-9 || c.K[2] != 32 ||
			c.K[5] != 24 || c.R[8] != 1 || c.Header != m.Header {
			t.Errorf("camera info %+v, its image has %+v", c, m.Header)
		}
		if img, err := jpeg.Decode(bytes.NewReader(small.Last().Data)); err != nil ||
			img.Bounds().Dx() != 64 {
			t.Errorf("the JPEG: %v", err)
		}
	})
}

func TestDepthCamerasSpeakAndWhatTheyMeasureIsTrue(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		standAwake(h)
		depths := rostest.Hear[sensormsgs.Image](h, "/seer/front/depth/image_raw", everything())
		points := rostest.Hear[sensormsgs.PointCloud2](h, "/seer/front/points", everything())
		step2s(h)
		h.Until("2 s of depths", func() bool { return len(depths.All()) >= 20 && len(points.All()) >= 20 })
		d := depths.Last()
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(d.Data[4*(10*64+32):])))
		if d.Encoding != "32FC1" || math.Abs(v-3.7) > 0.01 {
			t.Errorf("the wall is %v m deep in %s, want 3.7", v, d.Encoding)
		}
		if c := points.Last(); c.Width != 64 || c.Height != 48 || c.PointStep != 16 ||
			c.Header.FrameID != "seer/body/deep_optical_frame" {
			t.Errorf("cloud %d × %d, step %d, in %q", c.Width, c.Height, c.PointStep, c.Header.FrameID)
		}
	})
}

func TestSensorsOfMotionTouchAndSurroundingsSpeakAndWhatTheySayIsTrue(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		standAwake(h)
		imus := rostest.Hear[sensormsgs.Imu](h, "/seer/imu", everything())
		bumps := rostest.Hear[gazebomsgs.ContactsState](h, "/seer/contacts", everything())
		fixes := rostest.Hear[sensormsgs.NavSatFix](h, "/seer/fix", everything())
		air := rostest.Hear[sensormsgs.FluidPressure](h, "/seer/air_pressure", everything())
		field := rostest.Hear[sensormsgs.MagneticField](h, "/seer/magnetic_field", everything())
		height := rostest.Hear[stdmsgs.Float64](h, "/seer/altitude", everything())
		wrenches := rostest.Hear[geometrymsgs.WrenchStamped](h, "/seer/wrench", everything())
		step2s(h)
		h.Until("2 s of samples", func() bool {
			return len(imus.All()) >= 200 && len(wrenches.All()) >= 100 && len(bumps.All()) >= 40 &&
				len(fixes.All()) >= 10
		})
		if i := imus.Last(); math.Abs(i.LinearAcceleration.Z-9.8) > 0.02 ||
			i.LinearAccelerationCovariance[8] != 1e-6 || i.Header.FrameID != "seer/body" {
			t.Errorf("IMU %+v", i)
		}
		if b := bumps.Last(); len(b.States) == 0 || math.Abs(b.States[0].TotalWrench.Force.Z-3.5*9.8) > 0.1 ||
			b.States[0].Collision2Name != "floor::l::c" {
			t.Errorf("contacts %+v", b)
		}
		if w := wrenches.Last(); math.Abs(w.Wrench.Force.Z+0.5*9.8) > 0.02 ||
			w.Header.FrameID != "seer/hand" {
			t.Errorf("wrench %+v", w)
		}
		if f := fixes.Last(); f.Status.Status != sensormsgs.NavSatStatusNoFix {
			t.Errorf("a fix in a world that lies nowhere: %+v", f)
		}
		if math.Abs(air.Last().FluidPressure-101325) > 10 || field.Last().MagneticField.Z > -4e-5 ||
			math.Abs(height.Last().Data-0.15) > 0.01 {
			t.Errorf("pressure %+v, field %+v, height %+v", air.Last(), field.Last().MagneticField,
				height.Last())
		}
	})
}

func TestSensorsWorkAgainAfterAResetAndARespawn(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		stand(h, 2, 0)
		h.Until("its camera", func() bool { return h.Publishes("/seer/cam/image_raw") })
		images := rostest.Hear[sensormsgs.Image](h, "/seer/cam/image_raw", everything())
		imus := rostest.Hear[sensormsgs.Imu](h, "/seer/imu", everything())
		round := func(what string) {
			t.Helper()
			images.Clear()
			imus.Clear()
			for range 5 {
				h.Do(sim.StepWorld{N: 25})
				time.Sleep(50 * time.Millisecond)
			}
			h.Until(what, func() bool { return len(images.All()) >= 6 && len(imus.All()) >= 50 })
		}
		round("half a second")
		h.Do(sim.Reset{Scope: sim.ResetTime | sim.ResetState})
		round("half a second after a reset")
		h.Do(sim.Delete{Names: []string{"seer"}})
		h.Until("no camera", func() bool { return !h.Publishes("/seer/cam/image_raw") })
		stand(h, 2, 1)
		h.Until("its camera again", func() bool { return h.Publishes("/seer/cam/image_raw") })
		time.Sleep(500 * time.Millisecond)
		round("half a second after it came back")
	})
}

func TestNothingIsRenderedForNobody(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		stand(h, 2, 0)
		h.Until("its camera", func() bool { return h.Publishes("/seer/cam/image_raw") })
		h.Do(sim.StepWorld{N: 125})
		s := h.Engine.Snapshot()
		i, _ := s.Find("seer")
		for k, sample := range s.SamplesOf(i)[:2] {
			if sample.Data != nil {
				t.Errorf("sensor %d has a picture and nobody listens", k)
			}
		}
	})
}

func TestPointsOfADepthCameraLieOnWhatItSees(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		stand(h, 2, 0)
		h.Until("its camera", func() bool { return h.Publishes("/seer/front/points") })
		points := rostest.Hear[sensormsgs.PointCloud2](h, "/seer/front/points", everything())
		static := rostest.Hear[tf2msgs.TFMessage](h, "/tf_static", node.LatchedQoS())
		h.Do(sim.StepWorld{N: 100})
		h.Until("points", func() bool { return points.Last() != nil && static.Last() != nil })
		c := points.Last()
		optical := chain(h, static.All(), "seer/body", c.Header.FrameID)
		wall, floor := 0, 0
		for i := range 64 * 48 {
			var v [3]float64
			for k := range v {
				v[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(c.Data[16*i+4*k:])))
			}
			if math.IsNaN(v[0]) {
				continue
			}
			p := r3.PoseRPY(2, 0, 0.15, 0, 0, 0).Mul(optical).Apply(r3.V(v[0], v[1], v[2]))
			switch {
			case math.Abs(p.X-5.9) < 0.02 && p.Z > -0.02:
				wall++
			case math.Abs(p.Z) < 0.02:
				floor++
			default:
				t.Fatalf("pixel %d is at %v, which is neither on the wall nor on the floor", i, p)
			}
		}
		if wall < 300 || floor < 300 {
			t.Errorf("%d points on the wall, %d on the floor", wall, floor)
		}
	})
}

func TestLargeMessagesOfSomeSecondsAreKeptWhileTheyFit(t *testing.T) {
	for _, c := range []struct {
		rate float64
		size int
		want int
	}{{12, 640 * 480 * 4, 36}, {1, 640 * 480 * 4, 5}, {100, 320 * 240 * 4, 100}, {30, 1920 * 1080 * 4, 8},
		{30, 4000 * 4000 * 4, 5}, {0, 10, 100}, {10, 0, 30}} {
		if got := largeQoS(c.rate, c.size); got.Depth != c.want ||
			got.Reliability != node.DefaultQoS().Reliability {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func TestTopicsOfCamerasFollowTheFile(t *testing.T) {
	for _, c := range []struct {
		kind  scene.SensorKind
		topic string
		want  cameraTopics
	}{
		{scene.Camera, "", cameraTopics{image: "eye/image_raw", info: "eye/camera_info"}},
		{scene.Camera, "camera/image_raw",
			cameraTopics{image: "camera/image_raw", info: "camera/camera_info"}},
		{scene.Camera, "image", cameraTopics{image: "image", info: "camera_info"}},
		{scene.Camera, "/front", cameraTopics{image: "/front/image_raw", info: "/front/camera_info"}},
		{scene.DepthCamera, "", cameraTopics{depth: "eye/depth/image_raw", depthInfo: "eye/depth/camera_info",
			points: "eye/points"}},
		{scene.DepthCamera, "d/depth_image",
			cameraTopics{depth: "d/depth_image", depthInfo: "d/camera_info", points: "d/points"}},
		{scene.RGBDCamera, "oak", cameraTopics{"oak/image_raw", "oak/camera_info", "oak/depth/image_raw",
			"oak/depth/camera_info", "oak/points"}},
	} {
		if got := topicsOf(&scene.Sensor{Name: "eye", Kind: c.kind, Topic: c.topic}); got != c.want {
			t.Errorf("kind %d, topic %q: %+v, want %+v", c.kind, c.topic, got, c.want)
		}
	}
}

func TestPicturesAreGivenInAnOpticalFrame(t *testing.T) {
	m := burger()
	optical := r3.Pose{Pos: r3.V(0.05, 0, 0.1), Rot: r3.FromRPY(-math.Pi/2, 0, -math.Pi/2)}
	m.Links = append(m.Links, scene.Link{Name: "camera_rgb_frame", Pose: r3.PoseRPY(0.05, 0, 0.1, 0, 0, 0)},
		scene.Link{Name: "camera_rgb_optical_frame", Pose: optical})
	for said, want := range map[string]string{
		"": "camera_rgb_optical_frame", "camera_rgb_optical_frame": "camera_rgb_optical_frame",
		"camera_rgb_frame": "camera_rgb_frame_optical_frame", "elsewhere": "elsewhere",
	} {
		s := sim.SensorModel{Link: 5, Spec: &scene.Sensor{Name: "eye", Kind: scene.Camera, Frame: said,
			Camera: scene.CameraSpec{Width: 4, Height: 4}}}
		got := sensorFrame(m, s)
		if d := m.Links[5].Pose.Mul(got.pose).Relative(optical); got.name != want || d.Pos.Len() > 1e-9 ||
			d.Rot.Vector().Len() > 1e-9 {
			t.Errorf("the file says %q: %q at %v, want %q at %v", said, got.name, got.pose, want, optical)
		}
	}
}
