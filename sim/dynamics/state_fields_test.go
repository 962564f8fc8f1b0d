package dynamics

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"simdeck/sim/statecodec"
)

// leaves calls f for every field of a type that has no fields of its own.
func leaves(typ reflect.Type, name string, at uintptr, f func(name string, at uintptr, typ reflect.Type)) {
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			field := typ.Field(i)
			if field.Name != "_" {
				leaves(field.Type, name+"."+field.Name, at+field.Offset, f)
			}
		}
	case reflect.Array:
		for i := range typ.Len() {
			leaves(typ.Elem(), name, at+uintptr(i)*typ.Elem().Size(), f)
		}
	default:
		f(name, at, typ)
	}
}

// notInStates are the fields of the parts that no state holds, with the reason. A struct stands for all of
// its fields.
var notInStates = map[string]map[string]string{
	"body": {
		"kind": "definition", "noGravity": "definition", "noSleep": "definition", "bullet": "definition",
		"group": "definition", "user": "definition", "linDamping": "definition", "angDamping": "definition",
		"geoms": "structure", "joints": "structure", "noCollision": "structure",
		"articulation": "structure", "link": "structure",
	},
	"bodyPoseVelocity": {},
	"stepTime":         {},
	"Config": {
		"Substeps": "definition", "ContactHertz": "definition", "RecoverySpeed": "definition",
		"NoSleep": "definition", "SleepSpeed": "definition", "SleepTime": "definition", "Mix": "definition",
		"Clock": "definition", "Contain": "definition", "Workers": "definition",
	},
	"pairRef": {"contact": "derived: a contact that is read gets a new slot"},
	"contact": {
		"a": "derived from the key of the pair", "b": "derived from the key of the pair",
		"bodyA": "derived from the geoms", "bodyB": "derived from the geoms",
		"sensor": "derived from the geoms", "hasFaces": "derived from the geoms",
		"plane": "derived from the geoms", "directed": "derived from the geoms",
		"base": "derived: manifolds that are read get new room", "capacity": "derived, like base",
		"points": "derived from the first manifold",
		"dead":   "false between two steps", "freed": "false of a contact in a pair",
		"gapsStale":  "derived: set by each step before it is read",
		"validUntil": "derived: zero makes the next step find it anew",
	},
	"worldArticulation": {
		"live": "structure", "base": "structure", "links": "structure",
		"loops":        "derived: found by each step",
		"Articulation": "its own package codes its coordinates",
	},
	"joint": {
		"kind": "definition", "collide": "definition", "parent": "definition", "child": "definition",
		"jointFrames": "definition", "jointLimits": "definition", "jointPassive": "definition",
		"armature": "definition", "maxEffort": "definition", "maxVelocity": "definition",
		"user": "definition", "coupling": "structure", "articulation": "structure", "link": "structure",
		"nearlyStill": "derived: set by each step before it is read",
	},
	"geomPlacement": {"Placement": "derived from the body's pose", "tight": "derived from the body's pose"},
	"fatBound": {"box": "derived from the body's pose",
		"renewedStep": "derived: a state that is read makes all bounds new"},
	"manifoldPose": {}, "manifold": {}, "contactPoint": {},
	"surface": {
		"friction": "definition", "friction2": "definition", "rolling": "definition",
		"torsional": "definition", "restitution": "definition", "directed": "definition",
		"special": "definition", "runs": "definition",
	},
}

// parts are the walks over parts of the state.
func parts() map[string]func(*testing.T) {
	full := &manifold{n: maxManifoldPoints}
	return map[string]func(*testing.T){
		"body":              part((*body).fields, &body{asleep: true}),
		"bodyPoseVelocity":  part((*bodyPoseVelocity).fields, &bodyPoseVelocity{}),
		"joint":             part((*joint).fields, &joint{}),
		"geomPlacement":     part((*geomPlacement).fields, &geomPlacement{}),
		"fatBound":          part((*fatBound).fields, &fatBound{}),
		"surface":           part((*surface).fields, &surface{}),
		"pairRef":           part((*pairRef).fields, &pairRef{}),
		"contact":           part((*contact).fields, &contact{}),
		"manifoldPose":      part((*manifoldPose).fields, &manifoldPose{}),
		"manifold":          part(filledWalk, full),
		"stepTime":          part((*stepTime).fields, &stepTime{}),
		"Config":            part((*Config).fields, &Config{}),
		"worldArticulation": part((*worldArticulation).fields, &worldArticulation{}),
	}
}

// filledWalk walks over a manifold and all its points.
func filledWalk(m *manifold, f *statecodec.Fields) {
	m.fields(f)
	m.pointFields(f, maxManifoldPoints)
}

// part compares a walk with the fields of its type, and changes each field in turn. The state must differ if
// and only if the walk names the field. A state that is read must give the field back.
func part[T any](walk func(*T, *statecodec.Fields), one *T) func(*testing.T) {
	return func(t *testing.T) {
		typ := reflect.TypeFor[T]()
		layout := statecodec.LayoutOf(walk)
		bytes, excused := layout.Properties(), notInStates[typ.Name()]
		used := map[string]bool{}
		state := func(v *T) []byte {
			c := statecodec.Writer(nil)
			layout.Code(&c, v)
			return c.Bytes()
		}
		was := state(one)
		leaves(typ, "", 0, func(name string, at uintptr, leaf reflect.Type) {
			top := strings.Split(strings.TrimPrefix(name, "."), ".")[0]
			if used[top] = true; excused[top] != "" {
				if bytes[at] != 0 {
					t.Errorf("%s%s is in states, and listed as %q", typ.Name(), name, excused[top])
				}
				return
			}
			if bytes[at] == 0 {
				t.Errorf("%s%s: its walk does not name it; name it there, or say in notInStates why not",
					typ.Name(), name)
				return
			}
			changed := *one
			perturb(reflect.NewAt(leaf, unsafe.Add(unsafe.Pointer(&changed), at)).Elem())
			now := state(&changed)
			if string(now) == string(was) {
				t.Errorf("%s%s changes and its state does not", typ.Name(), name)
			}
			back := *one
			c := statecodec.Reader(now)
			c.LimitSlots(1 << 20)
			layout.Code(&c, &back)
			if c.Err() != nil || string(state(&back)) != string(now) {
				t.Errorf("%s%s is not read as it was written: %v", typ.Name(), name, c.Err())
			}
		})
		for name := range excused {
			if !used[name] {
				t.Errorf("%s.%s is listed, and no field", typ.Name(), name)
			}
		}
	}
}

// perturb changes a value into another that a part may have.
func perturb(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(v.Float() + 0.75)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int32:
		if v.Int() == maxManifoldPoints {
			v.SetInt(2)
			return
		}
		v.SetInt(v.Int() + 1)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	default:
		panic(fmt.Sprintf("a %v is in no state", v.Kind()))
	}
}

func TestTheWalksNameEveryFieldOfTheState(t *testing.T) {
	for name, check := range parts() {
		t.Run(name, check)
	}
}

// TestTheHashTheCopyAndValidateFollowTheWalks changes each number of bodies and joints in turn. The hash sees
// those that the walk declares hashed and no other, Validate those that it declares, and a copy all.
func TestTheHashTheCopyAndValidateFollowTheWalks(t *testing.T) {
	s := fallingBoxes(t, 2, 2, 2, earth())
	s.step(1.0/60, 30)
	followsWalk(t, s.World, (*bodyPoseVelocity).fields, func(w *World) *bodyPoseVelocity {
		return &w.bodies.motion[len(w.bodies.motion)-1]
	})
	followsWalk(t, s.World, (*body).fields, func(w *World) *body {
		return &w.bodies.all[len(w.bodies.all)-1]
	})
	id, err := s.AddJoint(JointDef{Type: Revolute, Child: s.added[1]})
	if err != nil {
		t.Fatal(err)
	}
	s.step(1.0/60, 1)
	followsWalk(t, s.World, (*joint).fields, func(w *World) *joint { return &w.joints.all[id.Index()] })
}

func followsWalk[T any](t *testing.T, w *World, walk func(*T, *statecodec.Fields), of func(*World) *T) {
	t.Helper()
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	one := of(w)
	bytes, hash, was := statecodec.LayoutOf(walk).Properties(), w.Hash(), *one
	leaves(reflect.TypeFor[T](), "", 0, func(name string, at uintptr, leaf reflect.Type) {
		p := bytes[at]
		if p == 0 || leaf.Kind() != reflect.Float64 && leaf.Kind() != reflect.Bool {
			return
		}
		v := reflect.NewAt(leaf, unsafe.Add(unsafe.Pointer(one), at)).Elem()
		perturb(v)
		var other World
		other.CopyFrom(w)
		copied := reflect.NewAt(leaf, unsafe.Add(unsafe.Pointer(of(&other)), at)).Elem()
		if got := fmt.Sprint(copied); got != fmt.Sprint(v) {
			t.Errorf("%T%s is %v, its copy %s", was, name, v, got)
		}
		if differs := w.Hash() != hash; differs != (p&statecodec.Hashed != 0) {
			t.Errorf("%T%s: the hash sees it: %v; the walk says otherwise", was, name, differs)
		}
		if leaf.Kind() == reflect.Float64 &&
			p&(statecodec.Finite|statecodec.Number|statecodec.NonNegative) != 0 {
			v.SetFloat(math.NaN())
			if w.Validate() == nil {
				t.Errorf("%T%s is no number, and Validate takes it", was, name)
			}
		}
		*one = was
	})
}

// BenchmarkState measures the hash of a world, and what a checkpoint writes of it.
func BenchmarkState(b *testing.B) {
	s := fallingBoxes(b, 10, 10, 10, earth())
	s.step(1.0/60, 300)
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			s.Hash()
		}
	})
	b.Run("append", func(b *testing.B) {
		var state []byte
		for b.Loop() {
			state = s.AppendState(state[:0])
		}
	})
	b.Run("validate", func(b *testing.B) {
		for b.Loop() {
			if err := s.Validate(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
