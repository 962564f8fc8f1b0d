package sim

import (
	"testing"

	"simdeck/sim/scene"
)

// That each type of Measurement is made, published and shown is held by .ci/tidy, which knows them all.
func TestEveryKindOfSensorHasAMeasurement(t *testing.T) {
	for k := scene.SensorKind(1); k <= scene.DVL; k++ {
		if m := NewMeasurement(k); (m == nil) != (k == scene.OtherSensor) {
			t.Errorf("sensor kind %d has the measurement %T", k, m)
		}
	}
}
