package tidy

import (
	"go/types"
	"slices"
	"strings"
	"testing"
)

// backPointers are the pointers from a part back to its whole that stay, with the reason of each.
// Where each points at the other, either order does.
var backPointers = map[string]string{
	"ros/bag.Channel → ros/bag.Recorder":                       "a handle: Write takes the recorder's lock and file",
	"ros/netsim.Host → ros/netsim.Network":                     "a handle of the network that a host is on",
	"ros/node.ActionClient → ros/node.GoalHandle":              "the client finds the handle of a result; the handle asks the client to cancel",
	"ros/node.Context → ros/node.Node":                         "rcl: a node belongs to a context, which says its nodes in one message",
	"ros/node.Parameters → ros/node.Node":                      "declaring one publishes /parameter_events of the node",
	"ros/node.Server → ros/node.Node":                          "a handle: a request runs as a task of the node",
	"ros/serve/control.controller → ros/serve/control.Manager": "a handle: commands pass the manager's lock, so that none arrives after a switch",
	"ros/rtps.Watch → ros/rtps.Participant":                    "a handle: Close takes it off the participant",
	"ros/rtps.localReader → ros/rtps.Reader":                   "the protocol's half and the application's",
	"ros/rtps.addressValidation → ros/rtps.Core":               ofProtocol,
	"ros/rtps.endpointDiscovery → ros/rtps.Core":               ofProtocol,
	"ros/rtps.livelinessAssertions → ros/rtps.Core":            ofProtocol,
	"ros/rtps.messageReceiver → ros/rtps.Core":                 ofProtocol,
	"ros/rtps.participantDiscovery → ros/rtps.Core":            ofProtocol,
	"ros/rtps.audience → ros/rtps.readerProxy":                 "a proxy is in the list that it leaves",
	"ros/rtps.localReader → ros/rtps.localWriter":              "a match inside of a participant, known to both ends",
	"ros/rtps.readerProxy → ros/rtps.localWriter":              "§8.4.7.5: a match, found from either end",
	"ros/rtps.writerProxy → ros/rtps.localReader":              "§8.4.10.4: a match, found from either end",
	"ros/rtps.remoteEndpoint → ros/rtps.peer":                  "an endpoint goes with its participant, and is looked up alone",
	"ros/zenoh/rmw.Reader → ros/zenoh/rmw.Participant":         "a handle: Close takes it off the participant",
	"ros/zenoh/rmw.Watch → ros/zenoh/rmw.Participant":          "a handle: Close takes it off the participant",
	"ros/zenoh/rmw.Writer → ros/zenoh/rmw.Participant":         "a handle: Close takes it off the participant",
	"ros/zenoh/rmw.line → ros/zenoh/rmw.server":                "a definition of a service, found by its key",
	"ros/zenoh/zenohsim.session → ros/zenoh/zenohsim.Router":   "a session asks the router to pass on to the others",
	"sim.Subscription → sim.Feed":                              "a handle: Close takes it off the feed",
	"sim/asset/xmltree.Origin → sim/asset/xmltree.Node":        "a tree, a level each: the element that called the macro is another one",
	"sim/format/sdf.entity → sim/format/sdf.model":             "a tree, a level each: a model's frames are entities, and some of them nested models",
	"sim/format/sdf.joint → sim/format/sdf.model":              "a tree, a level each: names are resolved in the model around",
	"sim/format/sdf.link → sim/format/sdf.model":               "a tree, a level each: names are resolved in the model around",
	"sim/format/sdf.tied → sim/format/sdf.model":               "a list of other models",
	"sim/format/webots.definition → sim/format/webots.file":    "the file whose PROTOs a definition may use",
	"sim/format/webots.ref → sim/format/webots.instance":       "a tree, a level each: the instance around",
	"sim/render.band → sim/render.pinhole":                     "what all bands of a picture read",
	"sim/render.shader → sim/render.band":                      "the inner loop writes the band's rows",
	"sim/scene.FieldValue → sim/scene.TreeNode":                "a tree, a level each: fields of nodes hold nodes",
	"sim/shape.splitCandidate → sim/shape.part":                "a tree, a level each: the halves are parts again",
	"ui.controllerKeys → ui.Model":                             ofConsole,
	"ui.driving → ui.Model":                                    ofConsole,
	"ui.feed → ui.Model":                                       ofConsole,
	"ui.keyboard → ui.Model":                                   ofConsole,
	"ui.line → ui.Model":                                       ofConsole,
	"ui.mouse → ui.Model":                                      ofConsole,
	"ui.pictures → ui.Model":                                   ofConsole,
	"ui.requests → ui.Model":                                   ofConsole,
	"ui.screen → ui.Model":                                     ofConsole,
	"ui.surroundings → ui.Model":                               ofConsole,
	"ui.timeline → ui.Model":                                   ofConsole,
	"ui.worldTurn → ui.Model":                                  ofConsole,
	"ui.worldView → ui.Model":                                  ofConsole,
}

const (
	ofProtocol = "a part of the protocol's state machine, which joins discovery, matching and sending"
	ofConsole  = "a part of Bubble Tea's one model, whose Update alone calls it: parts change each other"
)

// A part that points back to its whole can change all of it: neither can be read, tested or replaced alone. A
// part is the type of a field, directly or behind a pointer, a slice, an array or a map.
func TestPartsDoNotPointBackToTheirWhole(t *testing.T) {
	from := newModuleImporter()
	packages := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test && !strings.HasPrefix(s.pkg, ".ci") && !strings.HasPrefix(s.pkg, "ros/msgs/") {
			packages[s.pkg] = true
		}
	}
	found, structs := map[string]bool{}, 0
	for folder := range packages {
		name := strings.TrimSuffix("simdeck/"+folder, "/.")
		pkg, err := from.Import(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			whole, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			structs++
			for part := range partsOf(whole.Type(), false) {
				if part != whole && partsOf(part.Type(), true)[whole] {
					found[qualified(part)+" → "+qualified(whole)] = true
				}
			}
		}
	}
	if structs < 1000 {
		t.Fatalf("found only %d types", structs)
	}
	for pair := range found {
		part, whole, _ := strings.Cut(pair, " → ")
		other := whole + " → " + part
		if backPointers[pair] == "" && (!found[other] || backPointers[other] == "") {
			t.Errorf("%s: hand the part what it needs of the whole, or say here why it knows all of it",
				pair)
		}
	}
	for pair := range backPointers {
		if !found[pair] {
			t.Errorf("%s is gone: take it off the table", pair)
		}
	}
}

func qualified(o *types.TypeName) string {
	return strings.TrimPrefix(o.Pkg().Path(), "simdeck/") + "." + o.Name()
}

// partsOf are the named types of this module in the fields of a struct; with pointers, only those that a
// field points to.
func partsOf(t types.Type, pointers bool) map[*types.TypeName]bool {
	parts := map[*types.TypeName]bool{}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return parts
	}
	var add func(t types.Type, pointed bool)
	add = func(t types.Type, pointed bool) {
		switch t := types.Unalias(t).(type) {
		case *types.Pointer:
			add(t.Elem(), true)
		case *types.Slice:
			add(t.Elem(), pointed)
		case *types.Array:
			add(t.Elem(), pointed)
		case *types.Map:
			add(t.Key(), pointed)
			add(t.Elem(), pointed)
		case *types.Named:
			if o := t.Origin().Obj(); o.Pkg() != nil && strings.HasPrefix(o.Pkg().Path(), "simdeck/") &&
				(pointed || !pointers) {
				parts[o] = true
			}
			for arg := range t.TypeArgs().Types() { // a generic container holds its arguments
				add(arg, pointed)
			}
		case *types.Struct:
			for f := range t.Fields() {
				add(f.Type(), pointed)
			}
		}
	}
	for f := range st.Fields() {
		add(f.Type(), false)
	}
	return parts
}

// TestABackPointerIsFound: behind each way in which a field can hold a part.
func TestABackPointerIsFound(t *testing.T) {
	_, pkg, _ := newModuleImporter().check(t, ".ci/tidy/testdata/backpointer")
	whole := pkg.Scope().Lookup("whole").(*types.TypeName)
	var got []string
	for part := range partsOf(whole.Type(), false) {
		if part != whole && partsOf(part.Type(), true)[whole] {
			got = append(got, part.Name())
		}
	}
	slices.Sort(got)
	if want := []string{"direct", "inMap", "inSlice", "pointed"}; !slices.Equal(got, want) {
		t.Errorf("found %v, should be %v", got, want)
	}
}
