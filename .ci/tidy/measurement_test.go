package tidy

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"testing"
)

// measurementUsers are the packages that must know every kind of measurement.
var measurementUsers = []struct {
	folder string
	known  func(k *measurementUse) map[string]bool
	does   string
}{
	{"sim", (*measurementUse).returned, "makes for no kind of sensor an empty"},
	{"sim/sensing", (*measurementUse).returned, "returns no"},
	{"ros/serve/robot", (*measurementUse).taken, "publishes no"},
	{"ui/pane", (*measurementUse).switched, "shows no"},
}

// unpublished are the kinds that no message of an interface package of simdeck's holds.
var unpublished = map[string]bool{"OpticalFlow": true}

// TestEveryMeasurementIsMadePublishedAndShown: the kinds are the types that implement sim.Measurement.
func TestEveryMeasurementIsMadePublishedAndShown(t *testing.T) {
	from := newModuleImporter()
	pkg, err := from.Import("simdeck/sim")
	if err != nil {
		t.Fatal(err)
	}
	sealed := measurementOf(pkg)
	kinds := map[string]bool{}
	for _, name := range pkg.Scope().Names() {
		o, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if ok && !types.IsInterface(o.Type()) && types.Implements(types.NewPointer(o.Type()), sealed) {
			kinds[name] = true
		}
	}
	if len(kinds) < 9 {
		t.Fatalf("found only %d types that implement sim.Measurement", len(kinds))
	}
	for _, user := range measurementUsers {
		files, own, info := from.check(t, user.folder)
		use := &measurementUse{files, info, sealed}
		if user.folder == "sim" {
			use.sealed = measurementOf(own)
		}
		known := user.known(use)
		for _, name := range slices.Sorted(maps.Keys(kinds)) {
			if !known[name] && !(user.folder == "ros/serve/robot" && unpublished[name]) {
				t.Errorf("%s %s sim.%s", user.folder, user.does, name)
			}
		}
	}
}

func measurementOf(sim *types.Package) *types.Interface {
	return sim.Scope().Lookup("Measurement").Type().Underlying().(*types.Interface)
}

// measurementUse finds the kinds of measurement that a package uses.
type measurementUse struct {
	files  []*ast.File
	info   *types.Info
	sealed *types.Interface
}

// kind is the name of a measurement's type; "": it is none, or no particular one.
func (u *measurementUse) kind(t types.Type) string {
	p, ok := t.(*types.Pointer)
	if !ok || !types.Implements(p, u.sealed) {
		return ""
	}
	return p.Elem().(*types.Named).Obj().Name()
}

// returned are the kinds that functions return as a sim.Measurement.
func (u *measurementUse) returned() map[string]bool {
	found := map[string]bool{}
	u.inspect(func(n ast.Node) {
		f, ok := n.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Type.Results == nil || len(f.Type.Results.List) != 1 ||
			!types.Identical(u.info.TypeOf(f.Type.Results.List[0].Type).Underlying(), u.sealed) {
			return
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
				found[u.kind(u.info.TypeOf(r.Results[0]))] = true
			}
			return true
		})
	})
	return found
}

// taken are the kinds for which functions are instantiated, or that are asserted.
func (u *measurementUse) taken() map[string]bool {
	found := map[string]bool{}
	for _, i := range u.info.Instances {
		for arg := range i.TypeArgs.Types() {
			found[u.kind(arg)] = true
		}
	}
	u.inspect(func(n ast.Node) {
		if a, ok := n.(*ast.TypeAssertExpr); ok && a.Type != nil {
			found[u.kind(u.info.TypeOf(a.Type))] = true
		}
	})
	return found
}

// switched are the kinds that every switch over a measurement has a case for.
func (u *measurementUse) switched() map[string]bool {
	var found map[string]bool
	u.inspect(func(n ast.Node) {
		s, ok := n.(*ast.TypeSwitchStmt)
		if !ok {
			return
		}
		cases := map[string]bool{}
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				cases[u.kind(u.info.TypeOf(e))] = true
			}
		}
		switch delete(cases, ""); {
		case len(cases) == 0: // over something else
		case found == nil:
			found = cases
		default:
			maps.DeleteFunc(found, func(name string, _ bool) bool { return !cases[name] })
		}
	})
	return found
}

func (u *measurementUse) inspect(see func(n ast.Node)) {
	for _, f := range u.files {
		ast.Inspect(f, func(n ast.Node) bool {
			see(n)
			return true
		})
	}
}
