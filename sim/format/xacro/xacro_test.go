package xacro

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// folder answers addresses from one file system, and package://NAME/… from its folder pkgs.
type folder struct{ fs fs.FS }

func (f folder) Read(uri string, from asset.Ref) (File, error) {
	p, below := strings.CutPrefix(uri, "package://")
	if below {
		p = "pkgs/" + p
	} else {
		p = path.Join(path.Dir(from.Path), uri)
	}
	data, err := fs.ReadFile(f.fs, p)
	if err != nil {
		return File{}, asset.ErrNotFound
	}
	return File{asset.Ref{Path: p}, p, data}, nil
}

func (f folder) Values(uri string, from asset.Ref) (File, error) { return f.Read(uri, from) }

func (f folder) Match(pattern string, from asset.Ref) ([]string, error) {
	return fs.Glob(f.fs, path.Join(path.Dir(from.Path), pattern))
}

func (f folder) Folder(of asset.Ref) string { return "file:///" + path.Dir(of.Path) }

func expandText(text string, o Options) (*xmltree.Document, scene.Notes, error) {
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{})
	if err != nil {
		return nil, nil, err
	}
	if o.Files == nil {
		o.Files = folder{fstest.MapFS{}}
	}
	return Expand("top.xacro", asset.Ref{Path: "top.xacro"}, tree, o)
}

func robot(inside string) string {
	return `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">` + inside + `</robot>`
}

// same compares two trees: numbers within their last digits, everything else to the letter.
func same(t *testing.T, at string, got, want *xmltree.Node) {
	t.Helper()
	at += "/" + want.Name
	if got.Name != want.Name || len(got.Attrs) != len(want.Attrs) || len(got.Kids) != len(want.Kids) {
		t.Fatalf("%s: <%s> with %d attributes and %d children, xacro says <%s> with %d and %d\n%v\n%v", at,
			got.Name, len(got.Attrs), len(got.Kids), want.Name, len(want.Attrs), len(want.Kids), got.Attrs,
			want.Attrs)
	}
	for _, a := range want.Attrs {
		if v, ok := got.Attr(a.Name); !ok || !alike(v, a.Value) {
			t.Errorf("%s: %s is %q, xacro says %q", at, a.Name, v, a.Value)
		}
	}
	if !alike(got.Value(), want.Value()) {
		t.Errorf("%s: text %q, xacro says %q", at, got.Value(), want.Value())
	}
	for i := range want.Kids {
		same(t, at, got.Kids[i], want.Kids[i])
	}
}

func alike(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil && math.Abs(x-y) <= 4e-16*math.Abs(y) &&
		strings.ContainsAny(a, ".en") == strings.ContainsAny(b, ".en") {
		return true
	}
	return a == b
}

// The files NAME.xml in testdata/oracle are the results of xacro 2.1.1 of PyPI for NAME.xacro, $(find parts)
// being pkgs/parts.
func TestDocumentsBecomeWhatXacroMakesOfThem(t *testing.T) {
	names, err := filepath.Glob("testdata/oracle/*.xacro")
	if err != nil || len(names) < 4 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			d, _, err := expandText(string(data), Options{Files: folder{os.DirFS("testdata/oracle")}})
			if err != nil {
				t.Fatal(err)
			}
			data, err = os.ReadFile(strings.TrimSuffix(name, ".xacro") + ".xml")
			if err != nil {
				t.Fatal(err)
			}
			want, err := xmltree.Parse(data, xmltree.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "", d.Root, want.Root)
			again, err := xmltree.Parse([]byte(d.Text), xmltree.Limits{})
			if err != nil {
				t.Fatalf("what is written cannot be read: %v", err)
			}
			same(t, "written", again.Root, d.Root)
		})
	}
}

// refused are documents with what the error says of them.
var refused = []struct{ inside, want string }{
	{"\n<a b='${x}'/>", `top.xacro:2:1: ${x}: name "x" is not defined`},
	{"<a b='${1 +}'/>", "the end is not expected here"},
	{"<a b='${1'/>", "never closed with }"},
	{"<a b='$(find x'/>", "never closed with )"},
	{"<a b='$${'/><a b='$$x'/>", "dollars in a row"},
	{"<a b='${1/0}'/>", "division by zero"},
	{"<a b='${[1][2]}'/>", "index 2 of a list with 1 items"},
	{"<a b='${sqrt(-1)}'/>", "outside its domain"},
	{"<a b='${foo(1)}'/>", `name "foo" is not defined`},
	{"<a b='${__import__(1)}'/>", "starts with two underscores"},
	{"<a b='${().__class__}'/>", "starts with two underscores"},
	{"<a b='${(lambda: 1)()}'/>", "lambda is not understood"},
	{"<a b='${2 ** 100}'/>", "more than 64 bits"},
	{"<a b='${1 + \"x\"}'/>", "do not go together"},
	{"<a b='$(env HOME)'/>", "the environment is not read"},
	{"<a b='$(anon x)'/>", `"anon" is not known`},
	{"<a b='$(arg x)'/>", `the argument "x" has no value`},
	{"<xacro:arg name='x'/>", "has no default and was not given"},
	{"<xacro:foo/>", `there is no macro "foo"`},
	{"<xacro:a.b.c/>", `there is no macro "a.b.c"`},
	{"<xacro:macro name='m' params='a b:=1'><x/></xacro:macro>\n<xacro:m b='2'/>",
		`top.xacro:2:1: parameter "a" of macro m: it has no default`},
	{"<xacro:macro name='m' params='a'/><xacro:m a='1' c='2'/>", `no parameter "c"; it has a`},
	{"<xacro:macro name='m' params='*a'/><xacro:m/>", `needs a block for "*a"`},
	{"<xacro:macro name='m' params=''/><xacro:m><x/></xacro:m>", "no parameter for the block <x>"},
	{"<xacro:macro name='m' params='a:=^'/><xacro:m/>", "forwards a property that is not there"},
	{"<xacro:macro name='a.b' params=''/>", "has a dot"},
	{"<xacro:macro name='call' params=''/>", "cannot be called"},
	{"<xacro:macro name='m' params=''>\n<a b='${x}'/></xacro:macro>\n<xacro:m/>",
		"top.xacro:2:1 (macro m, called at top.xacro:3:1): ${x}"},
	{"<xacro:macro name='m' params=''><xacro:m/></xacro:macro><xacro:m/>",
		"macros inside macros deeper than 300"},
	{"<xacro:property name='a' value='${b}'/><xacro:property name='b' value='${a}'/><x y='${a}'/>",
		"made from itself"},
	{"<xacro:property name='1a' value='1'/>", "no name of a property"},
	{"<xacro:property name='if' value='1'/>", "no name of a property"},
	{"<xacro:property name='a' value='1' default='2'/>", "only one of value, default and remove"},
	{"<xacro:property value='1'/>", "needs the attribute name"},
	{"<xacro:if value='maybe'/>", "neither true nor false"},
	{"<xacro:if/>", "needs the attribute value"},
	{"<xacro:insert_block name='b'/>", `there is no block "b"`},
	{"<xacro:element xacro:name='${\"\"}'/>", "no name of an element"},
	{"<xacro:attribute name='a b' value='1'/>", "no name of an attribute"},
	{"<xacro:include filename='nothing.xacro'/>", "top.xacro:1:61: include: not found"},
	{"<xacro:include filename='top.xacro'/>", "includes inside includes deeper"},
	{"<xacro:include filename='broken.xacro'/>", "broken.xacro:2:1: the text ends inside <robot>"},
	{"<xacro:include filename='wrong.xacro'/>", "wrong.xacro:2:2: ${1 +}"},
	{"<a b='${xacro.load_yaml(\"bad.yaml\")}'/>", "bad.yaml: yaml: "},
	{"<a b='${xacro.load_yaml(\"bomb.yaml\")}'/>", "more than is allowed"},
	{"<a b='${xacro.fatal(\"no such arm\")}'/>", "the file stops here: no such arm"},
	{"<a b='${\"x\" * 10 ** 9}'/>", "more than is allowed"},
	{"<a b='${[0] * 10 ** 9}'/>", "more than is allowed"},
	{"<a b='${len(range(10 ** 12))}'/>", "more than is allowed"},
	{"<a b='${" + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "}'/>",
		"nested deeper than 100"},
	{"<a b='${" + strings.Repeat("-", 5000) + "1}'/>", "more than 100 signs"},
}

var beside = fstest.MapFS{
	"broken.xacro": {Data: []byte("<robot>\n")},
	"wrong.xacro":  {Data: []byte("<robot>\n <a b='${1 +}'/></robot>")},
	"bad.yaml":     {Data: []byte("a: [1, 2\nb: 3")},
	"bomb.yaml":    {Data: []byte(yamlBomb())},
}

func yamlBomb() string {
	s := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'k'; c++ {
		s += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+", ", 9) + "*" +
			string(c-1) + "]\n"
	}
	return s
}

func files(top string) folder {
	all := fstest.MapFS{"top.xacro": {Data: []byte(top)}}
	for k, v := range beside {
		all[k] = v
	}
	return folder{all}
}

func TestWhatIsWrongIsRefusedWithItsPlaceAndTheCallsThatLedThere(t *testing.T) {
	for _, r := range refused {
		text := robot(r.inside)
		_, _, err := expandText(text, Options{Files: files(text)})
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%.200s\n\t%v\n\twant %q", r.inside, err, r.want)
		}
	}
}

func TestArgumentsThatAreGivenCountMoreThanDefaults(t *testing.T) {
	text := robot(`<xacro:arg name="n" default="1"/><xacro:arg name="must"/><a n="${$(arg n) + 1}" must="$(arg must)" sum="$(eval max(n, 2) + len(arg('must')))"/>`)
	d, notes, err := expandText(text, Options{Args: map[string]string{"n": "41", "must": "abc", "typo": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	a := d.Root.Child("a")
	if a.Get("n") != "42" || a.Get("must") != "abc" || a.Get("sum") != "44" {
		t.Errorf("attributes %v", a.Attrs)
	}
	if len(notes) != 1 || !strings.Contains(notes[0].Text, `"typo"`) {
		t.Errorf("notes %v, want one of the argument that nothing takes", notes)
	}
}

func TestEveryElementKnowsWhereItWasWritten(t *testing.T) {
	all := folder{fstest.MapFS{"lib.xacro": {Data: []byte("<robot>\n<xacro:macro name='m' params='*b'>\n <in><xacro:insert_block name='b'/></in></xacro:macro></robot>")}}}
	d, _, err := expandText(robot("<xacro:include filename='lib.xacro'/>\n<xacro:m>\n<block/></xacro:m>"),
		Options{Files: all})
	if err != nil {
		t.Fatal(err)
	}
	in := d.Root.Child("in")
	if got, want := in.Where("top.xacro"), "lib.xacro:3:2 (macro m, called at top.xacro:2:1)"; got != want {
		t.Errorf("in at %q, want %q", got, want)
	}
	if got := in.Child("block").Where("top.xacro"); !strings.HasPrefix(got, "top.xacro:3:1") {
		t.Errorf("block at %q", got)
	}
}

func TestFindIsAnAddressOfAPackage(t *testing.T) {
	d, _, err := expandText(robot(`<mesh a="$(find p)/m.stl" b="file://$(find p)/m.stl" c="$(dirname)/x"/>`),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := d.Root.Child("mesh")
	if m.Get("a") != "package://p/m.stl" || m.Get("b") != "package://p/m.stl" || m.Get("c") != "file:///./x" {
		t.Errorf("%v", m.Attrs)
	}
}

func TestBombsOfMacrosStopEarly(t *testing.T) {
	var b strings.Builder
	b.WriteString("<xacro:macro name='m0' params=''><a/></xacro:macro>")
	for i := 1; i < 40; i++ {
		b.WriteString("<xacro:macro name='m" + strconv.Itoa(i) + "' params=''>" +
			strings.Repeat("<xacro:m"+strconv.Itoa(i-1)+"/>", 10) + "</xacro:macro>")
	}
	_, _, err := expandText(robot(b.String()+"<xacro:m39/>"), Options{})
	if err == nil || !strings.Contains(err.Error(), "more than 200000 elements") {
		t.Errorf("macros: %v", err)
	}
	b.Reset()
	b.WriteString("<xacro:property name='p0' value='xxxxxxxxxx'/>")
	for i := 1; i < 60; i++ {
		p := "${p" + strconv.Itoa(i-1) + "}"
		b.WriteString("<xacro:property name='p" + strconv.Itoa(i) + "' value='" + p + p + "'/>")
	}
	_, _, err = expandText(robot(b.String()+"<a b='${p59}'/>"), Options{})
	if err == nil || !strings.Contains(err.Error(), "more than is allowed") {
		t.Errorf("properties: %v", err)
	}
}

func FuzzExpand(f *testing.F) {
	for _, r := range refused {
		if len(r.inside) < 1000 {
			f.Add(robot(r.inside))
		}
	}
	names, _ := filepath.Glob("testdata/oracle/*.xacro")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, _, err := expandText(text, Options{Files: files(text)})
		if err != nil {
			return
		}
		if Is(d.Root) {
			t.Fatalf("an element of xacro is left in %s", d.Text)
		}
		again, err := xmltree.Parse([]byte(d.Text), xmltree.Limits{})
		if err != nil {
			t.Fatalf("what is written cannot be read: %v\n%s", err, d.Text)
		}
		if strings.TrimSpace(again.Root.Name) != d.Root.Name {
			t.Fatalf("root %q became %q", d.Root.Name, again.Root.Name)
		}
	})
}
