package vehicle

import (
	"cmp"
	"math"
	"strings"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// worldInfo describes the world of a snapshot. The origin is the map's on the earth (degrees, m); of a world
// that lies nowhere it is the ground's corner in the map (m).
func worldInfo(s *sim.Snapshot) *gssimmsgs.WorldInfo {
	m := s.Model
	w := &gssimmsgs.WorldInfo{Header: header(s.Time), WorldID: m.World.Name, MapFrame: mapFrame,
		OdomFrame: odomFrame, BaseLinkFrame: baseFrame,
		AvailableCameras: []string{}, AvailableLidars: []string{}}
	if t := m.Site; t != nil {
		w.WorldOrigin = geometry.Point(t.Corner)
		w.WorldID, w.WorldBundlePath, w.SourceMcap, w.WorldVersion = cmp.Or(t.ID, w.WorldID), t.Bundle,
			t.Source, t.Version
		w.WorldExtentX, w.WorldExtentY, w.WorldExtentZ = t.Extent.X, t.Extent.Y, t.Extent.Z
	}
	if e := &m.Earth; e.Set {
		w.WorldOrigin = geometrymsgs.Point{X: e.Latitude * 180 / math.Pi, Y: e.Longitude * 180 / math.Pi,
			Z: e.Elevation}
	}
	if i, ok := egoOf(s); ok {
		w.BaseLinkFrame = baseOf(m.Entities[i].Spec)
		for _, sensor := range m.Entities[i].Sensors {
			switch sensor.Spec.Kind {
			case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
				w.AvailableCameras = append(w.AvailableCameras,
					strings.TrimPrefix(sensor.Spec.Name, "camera_"))
			case scene.Lidar:
				w.AvailableLidars = append(w.AvailableLidars, strings.TrimPrefix(sensor.Spec.Name, "lidar_"))
			}
		}
	}
	return w
}

// baseOf is a vehicle's frame for tf and odometry: base_link in a world bundle, in an SDF world as the file
// names it.
func baseOf(spec *scene.ModelSpec) string {
	return cmp.Or(spec.Drives[0].Odometry.BaseFrame, spec.Links[spec.Canonical].Name)
}
