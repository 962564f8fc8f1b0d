package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"
	"time"

	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// everyCommand has a value of each command.
var everyCommand = []Command{
	SetState{}, StepWorld{}, CancelSteps{}, Rewind{time.Second}, Reset{}, Spawn{}, SpawnBatch{}, Delete{},
	SetEntityState{}, MoveEntities{}, Restore{}, SetEntityInfo{}, SetEntityInfos{},
	DriveEntity{}, DriveCar{}, SetJoint{}, SetJoints{}, FollowTrajectory{}, EndTrajectory{}, SetPacing{},
	BeginLoad{}, LoadWorld{}, UnloadWorld{}, ListSpawnables{}, Measure{}, ListWorlds{},
}

func TestCommandsArePlainData(t *testing.T) {
	for _, c := range everyCommand {
		plain(t, reflect.TypeOf(c), reflect.TypeOf(c).Name(), 0)
	}
}

// plain fails for what cannot be logged, replayed and sent.
func plain(t *testing.T, typ reflect.Type, path string, depth int) {
	switch typ.Kind() {
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Map:
		t.Errorf("%s is a %s: a command is plain data, or it cannot be replayed or sent to another process",
			path, typ.Kind())
	case reflect.Pointer, reflect.Slice, reflect.Array:
		plain(t, typ.Elem(), path, depth+1)
	case reflect.Struct:
		for i := range typ.NumField() {
			if f := typ.Field(i); depth < 10 {
				plain(t, f.Type, path+"."+f.Name, depth+1)
			}
		}
	}
}

func TestTheTableOfCommandsIsComplete(t *testing.T) {
	var declared, listed []string
	for _, name := range []string{"command.go", "command_joint.go", "command_restore.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "command" {
				declared = append(declared, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	for _, c := range everyCommand {
		listed = append(listed, reflect.TypeOf(c).Name())
	}
	slices.Sort(declared)
	slices.Sort(listed)
	if !slices.Equal(declared, listed) {
		t.Errorf("command.go, command_joint.go and command_restore.go declare %v, the tests know %v",
			declared, listed)
	}
}

func TestEveryCommandIsAnsweredInEveryState(t *testing.T) {
	for _, state := range []State{NoWorld, LoadingWorld, Stopped, Paused, Playing, Quitting} {
		for _, c := range everyCommand {
			w := inState(t, state)
			before := w.Hash()
			r, err := try(w, c)
			if r == nil && err == nil {
				t.Errorf("%s: %T got no answer", state, c)
			}
			if _, load := c.(LoadWorld); err != nil && w.Hash() != before && !load {
				t.Errorf("%s: %T was refused (%v) and changed the world", state, c, err)
			}
			if err := w.Validate(); err != nil {
				t.Errorf("%s: after %T: %v", state, c, err)
			}
		}
	}
}

func inState(t *testing.T, s State) *World {
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	switch s {
	case NoWorld:
	case LoadingWorld:
		apply(t, w, BeginLoad{})
	default:
		w = yard(t, Stopped)
		if s != Stopped {
			apply(t, w, SetState{s})
		}
	}
	return w
}

var _ scene.Library = (*scenetest.Library)(nil)
