package webots_test

import (
	"testing"

	"simdeck/sim/archtest"
)

var controllerArrows = []archtest.Arrow{
	{`^simdeck/webots$`, `^simdeck/`, `^simdeck/(webots/wire|ui/admission|sim(/(r3|scene|render|sensor))?)$`,
		"a controller is a client of any sim.Backend: it knows neither the engine nor ROS nor the console"},
	{`^simdeck/webots/wire$`, `^simdeck/`, ``, "a protocol's bytes know no simulation"},
	{`^simdeck/webots/wire$`, `^(net|os|syscall)(/|$)`, ``, "a protocol's bytes come from anywhere"},
	{`^simdeck/webots`, `^(charm\.land|github\.com)/`, ``, "the protocol needs nothing of others"},
}

func TestControllersImportOnlyWhatTheHouseAllows(t *testing.T) {
	archtest.Check(t, "simdeck/webots", controllerArrows)
}
