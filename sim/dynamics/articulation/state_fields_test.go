package articulation

import (
	"reflect"
	"testing"

	"simdeck/sim/statecodec"
)

// notInStates are the fields of degrees of freedom and links that no state holds, with the reason.
var notInStates = map[string]map[string]string{
	"dof": {
		"parent": "structure", "spherical": "structure", "damping": "definition", "armature": "definition",
		"stiffness": "definition", "springRest": "definition",
		"axis": "derived from positions", "effort": "derived from the motor of the joint by each step",
		"qBefore": "derived: a step begins with q", "vBefore": "derived: a substep begins with v",
		"bias": "derived from positions and velocities",
	},
	"link": {
		"joint": "definition", "body": "definition", "jointToBody": "definition", "free": "structure",
		"parent": "structure", "firstDof": "structure", "dofCount": "structure", "lastDof": "structure",
		"response": "within a step", "rotationBefore": "derived: a step begins with rotation",
		"com": "derived from positions", "arm": "derived from positions", "rot": "derived from positions",
		"inertia": "derived from positions", "compositeInertia": "derived from positions",
		"velocity": "derived from velocities", "acceleration": "derived from velocities",
		"load": "set by each step", "externalForce": "set by each step",
		"biasForce":       "derived from positions and velocities",
		"carriedMomentum": "within a step", "comSegmentStart": "within a step",
		"comSubstepStart": "within a step", "angularSpeedBound": "within a step",
	},
}

// TestTheWalksNameEveryFieldOfTheState finds each field either in the walk of its type or in notInStates.
func TestTheWalksNameEveryFieldOfTheState(t *testing.T) {
	for typ, properties := range map[reflect.Type][]statecodec.Property{
		reflect.TypeFor[dof](): dofFields.Properties(), reflect.TypeFor[link](): linkFields.Properties(),
	} {
		excused := notInStates[typ.Name()]
		used := map[string]bool{}
		for i := range typ.NumField() {
			field := typ.Field(i)
			used[field.Name] = true
			saved := 0
			for _, p := range properties[field.Offset : field.Offset+field.Type.Size()] {
				if p&statecodec.Saved != 0 {
					saved++
				}
			}
			switch reason := excused[field.Name]; {
			case reason != "" && saved > 0:
				t.Errorf("%s.%s is in states, and listed as %q", typ.Name(), field.Name, reason)
			case reason == "" && saved != int(field.Type.Size()):
				t.Errorf("%s.%s: its walk names %d of %d bytes; name it there, or say in notInStates why not",
					typ.Name(), field.Name, saved, field.Type.Size())
			}
		}
		for name := range excused {
			if !used[name] {
				t.Errorf("%s.%s is listed, and no field", typ.Name(), name)
			}
		}
	}
}
