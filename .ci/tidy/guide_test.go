package tidy

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// guides are the pages that tell contributors where to go.
func guides(t *testing.T) []string {
	t.Helper()
	all := []string{"CONTRIBUTING.md"}
	for _, pattern := range []string{"docs/decisions/*.md", ".github/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) < 2 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		all = append(all, names...)
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestGuidesNameFilesThatExist(t *testing.T) {
	named := regexp.MustCompile("`((?:ui|sim|ros|worlds|docs|deploy|\\.ci|\\.github)(?:/[A-Za-z0-9_.*/-]+)?|" +
		"[A-Z]+\\.md|keymap\\.yaml|main\\.go)`")
	found := 0
	for _, guide := range guides(t) {
		for _, m := range named.FindAllStringSubmatch(read(t, guide), -1) {
			found++
			files, err := filepath.Glob(regexp.MustCompile(`\bNAME\b`).ReplaceAllString(m[1], "*"))
			if err != nil || len(files) == 0 {
				t.Errorf("%s is stale: there is no %s", guide, m[1])
			}
		}
	}
	if found < 60 {
		t.Errorf("found %d names: the search is broken", found)
	}
}

func TestGuidesLinkToPagesAndHeadingsThatExist(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	for _, guide := range guides(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, guide), -1) {
			page := path.Join(path.Dir(guide), m[1])
			if m[1] == "" {
				page = guide
			}
			if _, err := os.Stat(page); err != nil {
				t.Errorf("%s: %v", guide, err)
			} else if m[2] != "" && !slices.Contains(anchors(read(t, page)), m[2]) {
				t.Errorf("%s: %s has no heading #%s", guide, page, m[2])
			}
		}
	}
}

// anchors are the fragments that hosting pages give to headings.
func anchors(page string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		plain := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(plain, " ", "-"))
	}
	return all
}

func TestGuidesNameTargetsAndTestsThatExist(t *testing.T) {
	makefile := read(t, "Makefile")
	tests := map[string]string{} // test, benchmark or fuzzer → package
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllSubmatch(s.text, -1) {
			tests[s.pkg+" "+string(m[1])] = s.pkg
		}
	}
	matching := func(pkg, pattern string) bool {
		for test, in := range tests {
			_, name, _ := strings.Cut(test, " ")
			if (pkg == "" || pkg == in) && strings.Contains(name, pattern) {
				return true
			}
		}
		return false
	}
	for _, guide := range guides(t) {
		text := read(t, guide)
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z0-9-]+)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+": ") {
				t.Errorf("%s: there is no target %s", guide, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(text, -1) {
			if !matching("", m[1]) {
				t.Errorf("%s: there is no test %s", guide, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`(Test\\w+)` in `([^`]+)`").FindAllStringSubmatch(text, -1) {
			if !matching(m[2], m[1]) {
				t.Errorf("%s: there is no test %s in %s", guide, m[1], m[2])
			}
		}
		for _, m := range regexp.MustCompile(`go test \./(\S+) -run (\w+)`).FindAllStringSubmatch(text, -1) {
			if !matching(m[1], m[2]) {
				t.Errorf("%s: no test in %s matches %s", guide, m[1], m[2])
			}
		}
	}
}

func TestDecisionsAreNumberedAndListed(t *testing.T) {
	names, err := filepath.Glob("docs/decisions/[0-9]*.md")
	if err != nil || len(names) < 7 {
		t.Fatalf("%v, %v", names, err)
	}
	list := read(t, "docs/decisions/README.md")
	for i, name := range names {
		text := read(t, name)
		if !strings.HasPrefix(path.Base(name), fmt.Sprintf("%04d-", i+1)) ||
			!strings.HasPrefix(text, fmt.Sprintf("# %d. ", i+1)) {
			t.Errorf("%s: want the number %d in its name and heading", name, i+1)
		}
		if !strings.Contains(list, "("+path.Base(name)+")") {
			t.Errorf("%s is not in the list", name)
		}
	}
}

// form is an issue form as hosting pages take it: an unknown key or type makes them show none.
type form struct {
	Name        string   `yaml:"name"`
	Description string   `yaml:"description"`
	Labels      []string `yaml:"labels"`
	Body        []struct {
		Type       string `yaml:"type"`
		ID         string `yaml:"id"`
		Attributes struct {
			Label       string `yaml:"label"`
			Description string `yaml:"description"`
			Placeholder string `yaml:"placeholder"`
			Render      string `yaml:"render"`
			Options     []any  `yaml:"options"`
		} `yaml:"attributes"`
		Validations struct {
			Required bool `yaml:"required"`
		} `yaml:"validations"`
	} `yaml:"body"`
}

func TestIssueFormsAreWellFormed(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".github/ISSUE_TEMPLATE", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "config.yml" {
			return err
		}
		found++
		var f form
		decoder := yaml.NewDecoder(strings.NewReader(read(t, name)))
		decoder.KnownFields(true)
		if err := decoder.Decode(&f); err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		if f.Name == "" || f.Description == "" || len(f.Body) == 0 {
			t.Errorf("%s: want name, description and body", name)
		}
		ids := map[string]bool{}
		for _, b := range f.Body {
			wantsOptions := b.Type == "dropdown" || b.Type == "checkboxes"
			if !slices.Contains([]string{"textarea", "input", "dropdown", "checkboxes"}, b.Type) ||
				b.ID == "" || ids[b.ID] || b.Attributes.Label == "" ||
				wantsOptions != (len(b.Attributes.Options) > 0) {
				t.Errorf("%s: %+v: want a known type, an id of its own, a label, and options where one chooses",
					name, b)
			}
			ids[b.ID] = true
		}
		return nil
	})
	if err != nil || found < 2 {
		t.Errorf("%d forms, %v", found, err)
	}
}
