package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// everyCommand has a value of each command.
var everyCommand = []sim.Command{
	sim.SetState{}, sim.StepWorld{}, sim.CancelSteps{}, sim.Rewind{Back: time.Second}, sim.Reset{},
	sim.Spawn{}, sim.SpawnBatch{}, sim.Delete{},
	sim.SetEntityState{}, sim.MoveEntities{}, sim.Restore{}, sim.SetEntityInfo{}, sim.SetEntityInfos{},
	sim.DriveEntity{}, sim.DriveCar{}, sim.SetJoint{}, sim.SetJoints{}, sim.FollowTrajectory{},
	sim.EndTrajectory{}, sim.SetPacing{},
	sim.BeginLoad{}, sim.LoadWorld{}, sim.UnloadWorld{}, sim.ListSpawnables{}, sim.Measure{},
	sim.ListWorlds{}, sim.Attach{}, sim.Detach{}, sim.SetJointPositions{},
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
	for _, name := range []string{"../command.go", "../command_joint.go", "../command_restore.go",
		"../attachment.go"} {
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
		t.Errorf("the files of commands declare %v, the tests know %v",
			declared, listed)
	}
}

func TestEveryCommandIsAnsweredInEveryState(t *testing.T) {
	for _, state := range []sim.State{sim.NoWorld, sim.LoadingWorld, sim.Stopped, sim.Paused, sim.Playing,
		sim.Quitting} {
		for _, c := range everyCommand {
			w := inState(t, state)
			before := w.Hash()
			r, err := try(w, c)
			if r == nil && err == nil {
				t.Errorf("%s: %T got no answer", state, c)
			}
			if _, load := c.(sim.LoadWorld); err != nil && w.Hash() != before && !load {
				t.Errorf("%s: %T was refused (%v) and changed the world", state, c, err)
			}
			if err := w.Validate(); err != nil {
				t.Errorf("%s: after %T: %v", state, c, err)
			}
		}
	}
}

func inState(t *testing.T, s sim.State) *World {
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	switch s {
	case sim.NoWorld:
	case sim.LoadingWorld:
		apply(t, w, sim.BeginLoad{})
	default:
		w = yard(t, sim.Stopped)
		if s != sim.Stopped {
			apply(t, w, sim.SetState{State: s})
		}
	}
	return w
}

var _ scene.Library = (*scenetest.Library)(nil)
