package vrml

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestFieldsHoldWhatIsWritten(t *testing.T) {
	const text = `#VRML_SIM R2023b utf8
# a comment { with brackets ]
EXTERNPROTO "webots://a/b/Floor.proto" IMPORTABLE EXTERNPROTO "../E-puck.proto"
Solid {
  translation +1. -.5 1e-3
  children [ DEF A Shape { geometry Box { size 1, 2, 3, } }, USE A ]
  name "a \"b\" C:\\d\e"  # behind
  locked TRUE physics NULL
  hidden translation_5 1 2 3
  empty []
}
E-puck {} `
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if f.Header != (Header{true, "R2023b", 20231}) {
		t.Errorf("header %+v", f.Header)
	}
	if len(f.Externs) != 2 || f.Externs[0].Name() != "Floor" || f.Externs[1].Name() != "E-puck" ||
		f.Externs[1].Pos != (Pos{3, 51}) {
		t.Errorf("externs %+v", f.Externs)
	}
	if len(f.Nodes) != 2 || f.Nodes[1].Type != "E-puck" {
		t.Fatalf("nodes %+v", f.Nodes)
	}
	n := f.Nodes[0]
	if got := n.Field("translation").Value.Numbers; !reflect.DeepEqual(got, []float64{1, -0.5, 1e-3}) {
		t.Errorf("translation %v", got)
	}
	kids := n.Field("children").Value
	if len(kids.Nodes) != 2 || kids.Nodes[0] != kids.Nodes[1] || kids.Nodes[0].Def != "A" || !kids.List {
		t.Errorf("children %+v: a USE is the node itself", kids)
	}
	box := kids.Nodes[0].Field("geometry").Value.Nodes[0]
	if box.Pos != (Pos{6, 37}) || !reflect.DeepEqual(box.Field("size").Value.Numbers, []float64{1, 2, 3}) {
		t.Errorf("box %+v", box)
	}
	if got := n.Field("name").Value.Strings[0]; got != `a "b" C:\d\e` {
		t.Errorf("name %q", got)
	}
	if v := n.Field("physics").Value; !v.Null || !n.Field("locked").Value.Bools[0] || n.Field("none") != nil {
		t.Errorf("physics %+v", v)
	}
	if v := n.Field("empty").Value; !v.Empty() || !v.List ||
		len(n.Field("translation_5").Value.Numbers) != 3 {
		t.Errorf("empty %+v", v)
	}
}

func TestTheLastDefinitionOfANameHolds(t *testing.T) {
	f, err := Parse([]byte("#VRML_SIM R2020b\nDEF A Box {}\nDEF A Sphere { radius 2 }\nGroup { children [ USE A ] }"))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Nodes[2].Field("children").Value.Nodes[0].Type; got != "Sphere" {
		t.Errorf("USE A is a %s", got)
	}
}

func TestProtosHaveFieldsAndABodyWithNamesOfTheirOwn(t *testing.T) {
	f, err := Parse([]byte(`PROTO P [ field SFFloat r 1 vrmlField MFNode{Solid{}, Shape{}} slot [ Box {} ] field SFString{"a","b"} s "a" ] {
  PROTO Q [ ] { Box {} }
  DEF A Sphere { radius IS r }
  Group { children [ USE A ] }
}
DEF A P { r 2 }`))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Protos) != 2 || f.Protos[0].Name != "Q" || len(f.Protos[1].Body) != 2 {
		t.Fatalf("protos %+v", f.Protos)
	}
	p := f.Protos[1]
	if d := p.Default("slot"); d == nil || d.Kind != "MFNode" || d.Value.Nodes[0].Type != "Box" ||
		p.Default("x") != nil {
		t.Errorf("slot %+v", d)
	}
	if v := p.Body[0].Field("radius").Value; v.Is != "r" || v.Describe() != "IS r" {
		t.Errorf("radius %+v", v)
	}
}

var refused = []struct{ text, want string }{
	{"Solid {", "1:7: the { of Solid is never closed"},
	{"Solid", "{ after"},
	{"{", "want a node"},
	{"Solid { name \"a", "1:14: this string never ends"},
	{"Solid { children [ }", "is not closed"},
	{"Solid { children [", "is not closed"},
	{"Solid { size ] }", "want the value of field"},
	{"Solid { size 1 \"a\" }", "want a field or }"},
	{"Solid { size [ 1 \"a\" ] }", "among the numbers"},
	{"Solid { size [ Box {} 1 ] }", "among the nodes"},
	{"Group { children [ USE A ] }", `USE "A", but no node before it`},
	{"DEF A Group { children [ USE A ] }", "no node before it has that name"},
	{"DEF A", "want a node"},
	{"Solid { size 1e }", "is no number"},
	{"Solid { size nan }", "no finite number"},
	{"Solid { size 1e999 }", "no finite number"},
	{"EXTERNPROTO protos/A.proto", "in quotes"},
	{"EXTERNPROTO A [ field", "never closed"},
	{"IMPORTABLE Solid {}", "want EXTERNPROTO"},
	{"PROTO", "the name of the PROTO"},
	{"PROTO A { }", "want [ with the fields"},
	{"PROTO A [ field Vec x 1 ] { }", "no type of a field"},
	{"PROTO A [ thing SFFloat x 1 ] { }", "want field"},
	{"PROTO A [ ] { Box {}", "is never closed"},
	{"1 {}", "want a node"},
	{strings.Repeat("Group { children [ ", 600), "deeper than 512"},
}

func TestMistakesAreSaidWithTheirPlace(t *testing.T) {
	for _, c := range refused {
		_, err := Parse([]byte(c.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) || syntax.Pos.Line != 1 ||
			syntax.Pos.Column < 1 {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Parse([]byte("#VRML_SIM R2023b utf8\nSolid {\n  näme é 1 x }")); err == nil ||
		!strings.HasPrefix(err.Error(), "3:10: ") {
		t.Errorf("columns count characters: %v", err)
	}
}

func TestTheBodyOfATemplateIsKeptAsItIs(t *testing.T) {
	for _, c := range []struct {
		text, body, at string
		javascript     bool
		protos         int
	}{
		{"PROTO A [ ] {\n %< let x = '}'; >% Box {} }", "\n %< let x = '}'; >% Box {} ", "1:14", true, 1},
		{"PROTO A [ ] {\n %{ x = 1 }% Box {} } PROTO B [ ] { Box {} }", "\n %{ x = 1 }% Box {} ", "1:14", false, 2},
		{"PROTO A [ ] { Shape {\n a \"%{= x }%\" } }", " Shape {\n a \"%{= x }%\" } ", "1:14", false, 1},
		{"PROTO A [ ] { %< if (a) { >% Solid { %< } else { >% Robot { %< } >% } }", "", "1:14", true, 1},
		{"# template language: javascript\nPROTO A [ ] { %{ let x = 1 }% Box {} }", "", "2:14", true, 1},
		{"PROTO A [ ] { # 100 %{ }\n \"}\" %{= 1 }% }", "", "1:14", false, 1},
	} {
		f, err := Parse([]byte(c.text))
		if err != nil || len(f.Protos) != c.protos || f.Protos[0].Template == nil {
			t.Errorf("%q: %+v %v", c.text, f, err)
			continue
		}
		got := f.Protos[0].Template
		if got.JavaScript != c.javascript || got.Pos.String() != c.at || c.body != "" && got.Text != c.body {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
	f, err := Parse([]byte("PROTO A [ ] { Shape { } # 5 %{ or 6 }%\n }"))
	if err != nil || f.Protos[0].Template != nil || len(f.Protos[0].Body) != 1 {
		t.Errorf("a comment is no statement: %+v %v", f, err)
	}
	for text, want := range map[string]string{
		"PROTO A [ ] {\n  %< let x = 1; }":              "2:3: the statement that begins here with %< is never closed",
		"Solid {\n %{= 1 }% }":                          "2:2: a template (%{) begins here",
		"PROTO A [ field SFString s \"%<= 1 >%\" ] { }": "1:29: a template (%<) begins here",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Parse([]byte(`WorldInfo { title "100 %<" }`)); err != nil {
		t.Errorf("a world has no templates: %v", err)
	}
}

func TestWhatATemplateMadeHasThePlacesOfItsFile(t *testing.T) {
	place := func(offset int) Pos { return Pos{100 + offset, 7} }
	f, err := ParseBody("Solid {\n name \"%<\" }", place)
	if err != nil || len(f.Nodes) != 1 || f.Nodes[0].Fields[0].Pos != (Pos{109, 7}) {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err = ParseBody("Solid {", place); err == nil || !strings.HasPrefix(err.Error(), "106:7: ") {
		t.Errorf("%v", err)
	}
}

func TestLibertiesAreWarnings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Box { size 1 1 1 size 2 2 2 }", "given twice"},
		{"Box { } ROUTE a.b TO c.d", "ROUTE"},
		{"Box { name \"\xe9\" }", "ISO 8859-1"},
	} {
		f, err := Parse([]byte(c.text))
		if err != nil || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0].Text, c.want) {
			t.Errorf("%q: %v %v", c.text, f, err)
		}
	}
	f, _ := Parse([]byte("Box { name \"\xe9\" }"))
	if got := f.Nodes[0].Field("name").Value.Strings[0]; got != "é" {
		t.Errorf("name %q", got)
	}
}

func TestReleasesAreOrdered(t *testing.T) {
	for header, want := range map[string]Header{
		"#VRML_SIM R2022b utf8": {true, "R2022b", 20221}, "#VRML_SIM V8.5.4 utf8": {true, "V8.5.4", 0},
		"#VRML V2.0 utf8": {true, "V2.0", 0},
		"# nothing":       {}, "\ufeff#VRML_SIM R2019a utf8": {true, "R2019a", 20190},
		"#VRML_SIM Rxxxxa": {true, "Rxxxxa", 0},
	} {
		f, err := Parse([]byte(header + "\n"))
		if err != nil || f.Header != want {
			t.Errorf("%q: %+v %v", header, f.Header, err)
		}
	}
}

func TestABombOfUSEsIsHeldOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString("DEF B0 Box {}\n")
	for i := range 20 {
		fmt.Fprintf(&b, "DEF B%d Group { children [ %s ] }\n", i+1,
			strings.Repeat(fmt.Sprintf("USE B%d ", i), 10))
	}
	f, err := Parse([]byte(b.String()))
	if err != nil || len(f.Nodes) != 21 {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range refused {
		if len(c.text) < 200 {
			f.Add(c.text)
		}
	}
	f.Add("#VRML_SIM R2023b utf8\nEXTERNPROTO \"a.proto\"\nDEF A Solid { children [ Shape { } ] boundingObject USE A hidden x 1 2 }")
	f.Add("PROTO A [ field SFNode{Solid{}} x NULL ] { Group { children IS x } }")
	f.Fuzz(func(t *testing.T, text string) {
		out, err := Parse([]byte(text))
		var syntax *SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Fatalf("an error without place: %v", err)
		}
		if err == nil && out == nil {
			t.Fatal("neither a file nor an error")
		}
	})
}
