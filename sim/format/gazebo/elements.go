package gazebo

import (
	_ "embed"

	"simdeck/sim/format/schema"
)

// ElementsText declares what is made of a <sensor> and of all that stands in it, as part of the table of SDF.
//
//go:embed elements.txt
var ElementsText string

// Elements is ElementsText as a table; its first type is the sensor.
var Elements = schema.OnFirstUse(ElementsText, false)
