package asset

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// projects are search folders as users of O3DE have them: a project, and a checkout with gems.
func projects() *Space {
	return NewSpace(
		Root{Name: Cache, FS: fstest.MapFS{"models/box.sdf": file("embedded box")}},
		Root{Name: "project", Base: "/home/u/project", FS: fstest.MapFS{
			"Robots/FooRobot.prefab":          file("foo"),
			"Robots/foorobot.prefab":          file("foo in lower case"),
			"Robots/FooRobot.spawnable":       &fstest.MapFile{Mode: 0o755 | 1<<31}, // a folder
			"models/Box.prefab":               file("own box"),
			"Assets/Robots/Bar Robot.prefab":  file("bar"),
			"Assets/Robots/baz.urdf":          file("baz"),
			"Robots/out.prefab":               link("/etc/passwd"),
			"Assets/.hidden/secret.prefab":    file("hidden"),
			"Levels/Hall/Hall.prefab":         file("hall"),
			"Gems/One/Assets/Shelf/S.prefab":  file("shelf"),
			"Gems/One/Assets/Assets/A.prefab": file("assets of assets"),
		}})
}

func TestAnAssetOfTheUserIsFoundByItsProductPath(t *testing.T) {
	s := projects()
	for uri, want := range map[string]string{
		"spawnable://@cache@/robots/foorobot.spawnable":      "foo in lower case",
		"spawnable://@cache@/Robots/FooRobot.spawnable":      "foo",
		"spawnable://@cache@/ROBOTS/FOOROBOT.SPAWNABLE":      "foo",
		"product_asset:///robots/foorobot.spawnable":         "foo in lower case",
		"product_asset:///robots/bar%20robot.spawnable":      "bar",
		`product_asset:///robots\bar robot.spawnable`:        "bar",
		"robots/bar robot.spawnable":                         "bar",
		"spawnable://@cache@/robots/baz.spawnable":           "baz",
		"spawnable://@cache@/shelf/s.spawnable":              "shelf",
		"product_asset:///assets/a.spawnable":                "assets of assets",
		"product_asset:///levels/hall/hall.spawnable":        "hall",
		"spawnable://@cache@/models/box.spawnable":           "embedded box",
		"product_asset:///models/box.spawnable":              "own box",
		"spawnable://project/Robots/FooRobot.spawnable":      "foo",
		"file:///home/u/project/Robots/FooRobot.prefab":      "foo",
		"spawnable://@cache@/models/none.spawnable":          "",
		"product_asset:///robots/../robots/foorobot":         "",
		"product_asset:///../../etc/passwd":                  "",
		"product_asset:///":                                  "",
		"product_asset:///" + strings.Repeat("robots/", 100): "",
		"spawnable://home/u/project/Robots/FooRobot":         "", // there is no root of that name
	} {
		ref, err := s.Resolve(uri, Ref{})
		if want == "" {
			if !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrOutside) {
				t.Errorf("%s: %v, %v", uri, ref, err)
			}
			continue
		}
		data, readErr := s.ReadFile(ref, 100)
		if err != nil || readErr != nil || string(data) != want {
			t.Errorf("%s: %q of %v, %v %v; want %q", uri, data, ref, err, readErr, want)
		}
	}
}

func TestALinkOutOfTheFoldersIsNoProduct(t *testing.T) {
	s := projects()
	ref, err := s.Resolve("product_asset:///robots/out.spawnable", Ref{})
	if err == nil {
		if _, err = s.ReadFile(ref, 100); err == nil {
			t.Error("a file outside the folders was read")
		}
	}
	if closed, err := s.For(Clients).Resolve("product_asset:///robots/foorobot.spawnable", Ref{}); err != nil {
		t.Errorf("%v, %v: clients may use that folder", closed, err)
	}
}

func TestProductPathsLeadFromTheFolderOfAssets(t *testing.T) {
	for p, want := range map[string]string{
		"Robots/FooRobot.prefab":          "robots/foorobot.spawnable",
		"Assets/Robots/Foo.Bar.prefab":    "robots/foo.bar.spawnable",
		"Gems/One/assets/S.prefab":        "s.spawnable",
		"Gems/One/Assets/Assets/A.prefab": "assets/a.spawnable",
		"x.prefab":                        "x.spawnable",
		"Assets":                          "assets.spawnable",
	} {
		if got := ProductPath(Ref{Path: p}); got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
	}
}

func TestANewFolderOfAssetsIsFoundWhenItIsListed(t *testing.T) {
	fsys := fstest.MapFS{"Robots/a.prefab": file("a")}
	s := NewSpace(Root{Name: "p", Base: "/p", FS: fsys})
	if _, err := s.Resolve("product_asset:///b.spawnable", Ref{}); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	fsys["Robots/c.prefab"], fsys["Gem/Assets/b.prefab"] = file("c"), file("b")
	if _, err := s.Resolve("product_asset:///robots/c.spawnable", Ref{}); err != nil {
		t.Errorf("in a known folder: %v", err)
	}
	s.Products()
	if _, err := s.Resolve("product_asset:///b.spawnable", Ref{}); err != nil {
		t.Error(err)
	}
}

func FuzzProducts(f *testing.F) {
	for _, p := range []string{"robots/foorobot.spawnable", "../x", "a//b", `a\b`, "Assets/./x.spawnable", ".spawnable"} {
		f.Add(p)
	}
	s := projects()
	f.Fuzz(func(t *testing.T, p string) {
		r, ok := s.Products().Find(p)
		if !ok {
			return
		}
		back, found := s.Products().Find(ProductPath(r))
		if !found || !strings.EqualFold(back.Path, r.Path) && ProductPath(back) != ProductPath(r) {
			t.Errorf("%q is %v, whose product path leads to %v", p, r, back)
		}
	})
}
