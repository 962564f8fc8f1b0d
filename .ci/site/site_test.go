package main

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// built is the site of this source in a folder of its own.
func built(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site")
	if pages, err := build("../..", out); err != nil || pages < 40 {
		t.Fatalf("%d pages: %v", pages, err)
	}
	return out
}

// parsed is every page of a site by its slash-separated name.
func parsed(t *testing.T, site string) map[string]*html.Node {
	t.Helper()
	all := map[string]*html.Node{}
	err := filepath.WalkDir(site, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".html" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(site, file)
		all[filepath.ToSlash(name)], err = html.Parse(strings.NewReader(string(data)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryLinkAndAnchorOfTheSiteResolves(t *testing.T) {
	site := built(t)
	pages := parsed(t, site)
	ids := map[string]map[string]bool{}
	for name, doc := range pages {
		ids[name] = map[string]bool{}
		for n := range doc.Descendants() {
			if id := attribute(n, "id"); id != "" {
				if ids[name][id] {
					t.Errorf("%s: two elements have the id %q", name, id)
				}
				ids[name][id] = true
			}
		}
	}
	links := 0
	for name, doc := range pages {
		for n := range doc.Descendants() {
			for _, a := range n.Attr {
				if a.Key != "href" && a.Key != "src" || strings.HasPrefix(a.Val, "data:") {
					continue
				}
				u, err := url.Parse(a.Val)
				if err != nil {
					t.Errorf("%s: %q: %v", name, a.Val, err)
					continue
				}
				if u.Scheme != "" || u.Host != "" {
					if n.DataAtom != atom.A {
						t.Errorf("%s takes %s from elsewhere", name, a.Val)
					}
					continue
				}
				links++
				to := name
				if u.Path != "" {
					to = path.Join(path.Dir(name), u.Path)
				}
				if path.IsAbs(u.Path) || strings.HasPrefix(to, "../") {
					t.Errorf("%s: %q leaves the site: it fails below a prefix", name, a.Val)
				} else if _, err := os.Stat(filepath.Join(site, to)); err != nil {
					t.Errorf("%s: %q: %v", name, a.Val, err)
				} else if u.Fragment != "" && !ids[to][u.Fragment] {
					t.Errorf("%s: %s has no heading #%s", name, to, u.Fragment)
				}
			}
		}
	}
	if links < 2000 {
		t.Errorf("%d links found: the search is broken", links)
	}
}

func TestPagesHoldUnderAStrictPolicy(t *testing.T) {
	for name, doc := range parsed(t, built(t)) {
		for n := range doc.Descendants() {
			if n.DataAtom == atom.Style || n.DataAtom == atom.Script && n.FirstChild != nil {
				t.Errorf("%s: a %s within the page", name, n.Data)
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s %s=%q>: a strict content security policy forbids it", name, n.Data, a.Key, a.Val)
				}
			}
		}
	}
	for _, name := range []string{"files/site.css", "files/page.html", "files/site.js"} {
		data, err := files.ReadFile(name)
		if err != nil || strings.Contains(string(data), "://") || strings.Contains(string(data), "url(") {
			t.Errorf("%s names an address: %v", name, err)
		}
	}
}

func TestNavigationFollowsTheContentsPage(t *testing.T) {
	m, err := readManual(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, s := range m.sections {
		titles = append(titles, s.title)
	}
	want := []string{"", "Begin", "Guides", "Reference", "Explanation", "Decisions", "Project"}
	if !slices.Equal(titles, want) {
		t.Errorf("sections %q, want %q", titles, want)
	}
	sources, err := filepath.Glob("../../docs/*.md")
	more, err2 := filepath.Glob("../../docs/*/*.md")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, file := range append(sources, more...) {
		name := strings.TrimPrefix(filepath.ToSlash(file), "../../")
		if p := m.bySource[name]; p == nil || p.group == "" && name != contentsPage {
			t.Errorf("%s is in no section: docs/README.md lists the pages", name)
		}
	}
}

func TestABrokenLinkIsAnErrorThatNamesThePage(t *testing.T) {
	source := fstest.MapFS{}
	for _, name := range []string{homePage, contentsPage, decisionsPage} {
		source[name] = &fstest.MapFile{Data: []byte("# Title\n")}
	}
	if _, err := readManual(source); err != nil {
		t.Fatal(err)
	}
	source["docs/README.md"] = &fstest.MapFile{Data: []byte("# Title\n\n![x](pictures/lost.png)\n")}
	_, err := readManual(source)
	if !errors.Is(err, errLink) || !strings.Contains(err.Error(), "docs/README.md") ||
		!strings.Contains(err.Error(), "pictures/lost.png") {
		t.Errorf("a lost picture: %v", err)
	}
	source["docs/README.md"] = &fstest.MapFile{Data: []byte("# Title\n\n[x](lost.md)\n")}
	if _, err := readManual(source); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a lost page: %v", err)
	}
}

func TestAFolderOfOthersIsNotCleared(t *testing.T) {
	out := t.TempDir()
	mine := filepath.Join(out, "mine.txt")
	if err := os.WriteFile(mine, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := build("../..", out); !errors.Is(err, errForeign) {
		t.Errorf("building into a folder with files: %v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

func TestHeadingsHaveTheAnchorsOfCodeHosts(t *testing.T) {
	a := &anchors{}
	for _, c := range [][2]string{{"A world or a model is refused: limit exceeded", "a-world-or-a-model-is-refused-limit-exceeded"},
		{"Same", "same"}, {"Same", "same-1"}, {"`get_entities` & more", "get_entities--more"}} {
		if got := string(a.Generate([]byte(c[0]), 0)); got != c[1] {
			t.Errorf("%q has the anchor %q, want %q", c[0], got, c[1])
		}
	}
}
