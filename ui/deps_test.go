package ui_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"simdeck/sim/archtest"
)

var consoleArrows = []archtest.Arrow{
	{`^simdeck/ui`, `^simdeck/(ros|worlds)(/|$)|^simdeck$`, ``,
		"the console works on any sim.Backend: in process, over ROS, or a fake one in a test"},
	{`^simdeck/ui`, `^simdeck/sim/`, `^simdeck/sim/(r3|scene|shape|render|engine|record|scenario|sweep)$`,
		"the console speaks the engine's vocabulary; physics and readers are behind it"},
	{`^simdeck/ui($|/[^c]|/ca)`, `^simdeck/sim/(engine|record|scenario|sweep)$`, ``,
		"engines run, recordings are opened and replayed, and sweeps run, from the command line"},
	{`^simdeck/ui(/[^afsmuv].*|/f[^e].*|/s[^s].*|/m[^e].*|/(fetch|viewers)/.*)?$`,
		`^(net|net/http|net/rpc|golang\.org/x/(net|crypto)/.*)$`, ``,
		"only ui/sshd serves operators over a network, ui/metrics figures, and ui/viewers browsers; only ui/fetch asks servers"},
	{`^simdeck/ui/fetch(/|$)`, `^simdeck/`, `^simdeck/ui/(fetch/archive|cli/store|readfile)$`,
		"who asks servers for files knows of files alone, and nothing that a client could reach"},
	{`^simdeck/(ui$|ui/([^c].*|c[^l].*)$)`, `^simdeck/ui/fetch`, `^simdeck/ui/fetch/archive$`,
		"files are brought by what a user types as a command, never from the console or by an operator"},
	{`^simdeck/ui($|/[^v])`, `^github\.com/coder/websocket$`, ``, "browsers are served by ui/viewers alone"},
	{`^simdeck/ui/viewers$`, `^simdeck/`, `^simdeck/(sim(/(r3|render|scene))?|ui/(admission|viewers/stream))$`,
		"viewers see snapshots of any backend"},
	{`^simdeck/ui/admission$`, `^simdeck/`, ``, "who may connect does not depend on what for"},
	{`^simdeck/ui/viewers/stream$`, `^simdeck/`, `^simdeck/sim/r3$`, "what is sent is data and its encoding"},
	{`^simdeck/ui($|/[^m]|/m[^e])`, `^github\.com/(prometheus|VictoriaMetrics)/`, ``, "figures leave by ui/metrics alone"},
	{`^simdeck/ui/metrics$`, `^simdeck/`, `^simdeck/(sim|ui/admission)$`, "figures are of a backend, whoever shows it"},
	{`^simdeck/ui`, `^simdeck/ui/uitest`, `^simdeck/ui/uitest/`,
		"what drives the console in tests is not shipped"},
	{`^simdeck/ui/(keymap|pane|dialog|canvas|theme|cli)`, `^simdeck/ui$`, ``, "parts do not know the whole"},
	{`^simdeck/ui/(theme|canvas|keymap)$`, `^simdeck/ui/`, `^simdeck/ui/theme$`,
		"colours, drawing and keys stand under the panes"},
	{`^simdeck/ui/pane$`, `^simdeck/ui/dialog$`, ``,
		"a pane asks for a dialog by an action, it does not open one"},
}

func TestTheConsoleImportsOnlyWhatTheHouseAllows(t *testing.T) {
	archtest.Check(t, "simdeck/ui", consoleArrows)
}

// There are two programs on a terminal, one after the other: the table of many simulators, and the console of
// one. The watchdog stands before each.
func TestThereIsOneBubbleTeaModelForTheConsoleAndOneForTheFleet(t *testing.T) {
	var models []string
	archtest.EachPackage(t, "simdeck/ui", func(p *build.Package) {
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil,
				parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "Update" &&
					takesMsg(f.Type) {
					models = append(models, p.ImportPath+" in "+name)
				}
			}
		}
	})
	if want := []string{"simdeck/ui in fleet.go", "simdeck/ui in update.go",
		"simdeck/ui in watchdog.go"}; !slices.Equal(models, want) {
		t.Errorf("types with Update(tea.Msg): %v, want %v: panes and dialogs are structs that the one model of a program calls, "+
			"so that there is one place where a message goes", models, want)
	}
}

// takesMsg says whether a method takes one tea.Msg, as tea.Model's Update does.
func takesMsg(f *ast.FuncType) bool {
	if len(f.Params.List) != 1 {
		return false
	}
	s, ok := f.Params.List[0].Type.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Msg"
}
