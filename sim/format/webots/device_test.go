package webots

import (
	"math"
	"testing"

	"simdeck/sim/scene"
)

// equipped is a world with a robot that has devices of every kind, its first link, and its sensors by name.
func equipped(t *testing.T) (*scene.WorldSpec, scene.Link, map[string]scene.Sensor) {
	t.Helper()
	w := world(t, nil, `Robot { name "r" children [
  Lidar { name "l" translation 0 0 1 horizontalResolution 100 numberOfLayers 3 fieldOfView 2 verticalFieldOfView 0.4 tiltAngle 0.1 minRange 0.1 maxRange 5 noise 0.01 defaultFrequency 7 }
  Lidar { type "rotating" numberOfLayers 1 }
  Camera { name "c" width 320 height 200 fieldOfView 1 } RangeFinder { name "d" maxRange 4 }
  DistanceSensor { name "ds" lookupTable [ 0 0 0, 2 1000 0.1 ] numberOfRays 3 aperture 0.2 }
  GPS { accuracy 0.5 } Compass { } Altimeter { } InertialUnit { name "imu" } Gyro { } Accelerometer { } Gyro { rotation 0 0 1 1 name "other gyro" }
  TouchSensor { name "bumper" translation 0.5 0 0 boundingObject Box { size 0.1 1 0.1 } } LED { name "led" } Receiver { }
] boundingObject Box { size 1 1 0.2 } physics Physics { } }`)
	l := w.Models[0].Model.Links[0]
	by := map[string]scene.Sensor{}
	for _, s := range l.Sensors {
		by[s.Name] = s
	}
	return w, l, by
}

func TestDevicesAreSensorsOfTheirLink(t *testing.T) {
	w, l, by := equipped(t)
	if len(by) != len(l.Sensors) || len(by) != 11 {
		t.Errorf("%d sensors: %v", len(l.Sensors), by)
	}
	if s := by["bumper"]; s.Kind != scene.Contact || len(s.Contact.Collisions) != 1 ||
		s.Contact.Collisions[0] != l.Collisions[1].Name {
		t.Errorf("%+v of %+v", s, l.Collisions)
	}
	if by["imu"].Kind != scene.IMU || by["other gyro"].Kind != scene.IMU ||
		by["gps"].GPS.Horizontal.Std != 0.5 || by["compass"].Kind != scene.Magnetometer ||
		by["altimeter"].Kind != scene.Altimeter {
		t.Errorf("%+v", by)
	}
	if noted(w.Notes, `LED "led" is not seen`) == nil || noted(w.Notes, "Receiver") != nil {
		t.Errorf("%v", w.Notes)
	}
}

func TestLidarsCamerasAndDistanceSensorsKeepTheirFieldAndRange(t *testing.T) {
	_, _, by := equipped(t)
	if s := by["l"]; s.Kind != scene.Lidar || s.Lidar.Columns != 100 || s.Lidar.Rows != 3 ||
		s.Lidar.MinAngle != -1 || math.Abs(s.Lidar.MaxElevation-0.3) > 1e-12 || s.Lidar.NoiseStd != 0.05 ||
		s.Rate != 7 || s.Pose.Pos.Z != 1 {
		t.Errorf("%+v", s)
	}
	if s := by["lidar"]; s.Lidar.MaxAngle != math.Pi || s.Lidar.MaxElevation != 0 {
		t.Errorf("%+v", s)
	}
	if s := by["c"]; s.Kind != scene.Camera || s.Camera.Width != 320 ||
		math.Abs(s.Camera.FX-160/math.Tan(0.5)) > 1e-9 {
		t.Errorf("%+v", s)
	}
	if s := by["d"]; s.Kind != scene.DepthCamera || s.Camera.Far != 4 {
		t.Errorf("%+v", s)
	}
	if s := by["ds"]; s.Lidar.Columns != 3 || s.Lidar.MaxRange != 2 || s.Lidar.MaxAngle != 0.1 ||
		s.Lidar.NoiseStd != 0.2 {
		t.Errorf("%+v", s)
	}
}

func TestARangeFinderOfHalfACircleIsSphericalWhereTheFileSaysSo(t *testing.T) {
	for text, want := range map[string]scene.CameraSpec{
		`RangeFinder { fieldOfView 3.14159 width 61 height 31 spherical TRUE maxRange 4 }`: {Width: 61, Height: 31,
			Spherical: true, FX: 60 / 3.14159, FY: 60 / 3.14159, CX: 30, CY: 15, Near: 0.01, Far: 4},
		`RangeFinder { fieldOfView 6.28 width 101 height 1 projection "cylindrical" }`: {Width: 101, Height: 1,
			Spherical: true, FX: 100 / 6.28, FY: 100 / 6.28, CX: 50, Near: 0.01, Far: 1},
		`RangeFinder { fieldOfView 9 width 101 height 1 projection "spherical" }`: {Width: 101, Height: 1,
			Spherical: true, FX: 50 / math.Pi, FY: 50 / math.Pi, CX: 50, Near: 0.01, Far: 1},
		`RangeFinder { fieldOfView 3.14159 width 64 height 32 projection "planar" }`: {Width: 64, Height: 32,
			FX: 32 / math.Tan(1.55), FY: 32 / math.Tan(1.55), CX: 32, CY: 16, Near: 0.01, Far: 1},
	} {
		w := world(t, nil, "#VRML_SIM R2025a utf8\nRobot { children [ "+text+" ] }")
		got := w.Models[0].Model.Links[0].Sensors[0].Camera
		if math.Abs(got.FX-want.FX) > 1e-9 || math.Abs(got.FY-want.FY) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
		got.FX, got.FY = want.FX, want.FY
		if got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
		if flat := noted(w.Notes, "a planar camera that sees 3.14159 rad") != nil; flat == want.Spherical {
			t.Errorf("%s: %v", text, w.Notes)
		}
	}
}
