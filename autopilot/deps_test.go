package autopilot_test

import (
	"testing"

	"simdeck/sim/archtest"
)

var autopilotArrows = []archtest.Arrow{
	{`^simdeck/autopilot$`, `^simdeck/`,
		`^simdeck/(autopilot/(ardupilot|betaflight|mavlink)|sim(/(r3|scene|medium|sensor))?)$`,
		"an autopilot is a client of any sim.Backend: it knows neither the engine nor ROS nor the console"},
	{`^simdeck/autopilot/`, `^simdeck/`, ``, "a protocol's bytes know no simulation"},
	{`^simdeck/autopilot/`, `^(net|os|syscall)(/|$)`, ``, "a protocol's bytes come from anywhere"},
	{`^simdeck/autopilot`, `^(charm\.land|github\.com)/`, ``, "the protocols need nothing of others"},
}

func TestAutopilotsImportOnlyWhatTheHouseAllows(t *testing.T) {
	archtest.Check(t, "simdeck/autopilot", autopilotArrows)
}
