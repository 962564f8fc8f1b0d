package sim

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// maxAltitude is the greatest height above the ellipsoid, or depth below it, at which a pose may be given, m.
const maxAltitude = 1e5

// PoseOnEarth is the pose in the world frame of a place on the earth (WGS84: degrees, and metres above the
// ellipsoid). The rotation is against east, north and up at the world's origin. The errors wrap
// ErrUnsupported: the world says nothing of its place; ErrFailed: there is no such place.
func PoseOnEarth(e *scene.Earth, latitude, longitude, altitude float64, rot r3.Quat) (r3.Pose, error) {
	if !e.Set {
		return r3.Pose{}, fmt.Errorf("%w: a place on the earth (wgs84): the world does not say where it lies",
			ErrUnsupported)
	}
	if !(math.Abs(latitude) <= 90) || !(math.Abs(longitude) <= 180) || !(math.Abs(altitude) <= maxAltitude) {
		return r3.Pose{}, fmt.Errorf("%w: latitude %v°, longitude %v° and altitude %v m (wgs84); want at most 90, 180 and %g",
			ErrFailed, latitude, longitude, altitude, float64(maxAltitude))
	}
	const degree = math.Pi / 180
	at := sensor.Point(e, sensor.Place{Latitude: latitude * degree, Longitude: longitude * degree,
		Altitude: altitude})
	return r3.Pose{Pos: at, Rot: r3.AxisAngle(r3.V(0, 0, 1), -e.Heading).Mul(rot)}, nil
}
