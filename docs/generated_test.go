package docs

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/format/mjcf"
	"simdeck/sim/format/schema"
	"simdeck/sim/format/sdf"
	"simdeck/sim/format/urdf"
	"simdeck/sim/format/webots"
	"simdeck/ui/cli"
)

// marked is the text between "<!-- NAME:begin … -->" and "<!-- NAME:end -->" of a page, which a test writes.
func marked(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?s)(<!-- ` + regexp.QuoteMeta(name) + `:begin[^\n]*-->\n).*?(<!-- ` +
		regexp.QuoteMeta(name) + `:end -->)`)
}

// generated holds the marked part of a page to what the program says; -update writes it.
func generated(t *testing.T, page, name, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	part := marked(name)
	if !part.Match(text) {
		t.Fatalf("docs/%s has no part between %s:begin and %s:end", page, name, name)
	}
	now := part.ReplaceAllFunc(text, func(old []byte) []byte {
		m := part.FindSubmatch(old)
		return slices.Concat(m[1], []byte("\n"+want+"\n"), m[2])
	})
	if bytes.Equal(now, text) {
		return
	}
	if !*update {
		t.Errorf("docs/%s: the part %q is stale: go test ./docs -run %s -update writes it", page, name, t.Name())
		return
	}
	if err := os.WriteFile(page, now, 0o644); err != nil {
		t.Fatal(err)
	}
}

// words are the names of a table's cell.
func words(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// sorted are names by what a reader makes of them.
type sorted [3][]string

func (s *sorted) add(name string, use schema.Use) {
	if use == schema.Cosmetic {
		use = schema.NoEffect
	}
	if !slices.Contains(s[use], name) {
		s[use] = append(s[use], name)
	}
}

// row is the row of a table.
func (s *sorted) row(name string) string {
	return fmt.Sprintf("| `%s` | %s | %s | %s |\n", name, words(s[schema.Understood]),
		words(s[schema.NoEffect]), words(s[schema.Unsupported]))
}

// elements is the table of a format in XML: a row for each element that holds others or has attributes.
func elements(table *schema.Table) string {
	var b strings.Builder
	b.WriteString("| element | understood | no effect | not run |\n| --- | --- | --- | --- |\n")
	var rows func(path string, e *schema.Element)
	rows = func(path string, e *schema.Element) {
		var s sorted
		for _, a := range e.Attrs {
			s.add("@"+a.Name, a.Use)
		}
		for _, k := range e.Kids {
			s.add(k.Name, k.Use)
		}
		if len(e.Attrs)+len(e.Kids) > 0 {
			b.WriteString(s.row(path))
		}
		for _, k := range e.Kids {
			rows(path+"/"+k.Name, k)
		}
	}
	for _, typ := range table.Types {
		rows(strings.TrimSuffix(typ.Name, "_shape"), typ)
	}
	return b.String()
}

// nodes is the table of Webots: a row for each node with its own fields.
func nodes(table *schema.Table) string {
	var b strings.Builder
	b.WriteString("| node | understood | no effect | not run |\n| --- | --- | --- | --- |\n")
	var whole sorted
	for _, typ := range table.Types {
		if typ.Use != schema.Understood {
			whole.add(typ.Name, typ.Use)
			continue
		}
		var s sorted
		for _, a := range typ.Attrs {
			s.add(a.Name, a.Use)
		}
		if typ.Type != "" {
			s[schema.Understood] = append([]string{"fields of " + typ.Type}, s[schema.Understood]...)
		}
		b.WriteString(s.row(typ.Name))
	}
	fmt.Fprintf(&b, "\nNodes without effect: %s. Nodes that are not run, but for the shapes in them: %s.\n",
		words(whole[schema.NoEffect]), words(whole[schema.Unsupported]))
	return b.String()
}

// TestTablesOfFormatsAreThoseOfTheReaders takes them from where the readers take their notes.
func TestTablesOfFormatsAreThoseOfTheReaders(t *testing.T) {
	const page = "reference/formats.md"
	generated(t, page, "sdf", elements(sdf.Elements()))
	generated(t, page, "urdf", elements(urdf.Elements()))
	generated(t, page, "mjcf", elements(mjcf.Elements()))
	generated(t, page, "webots", nodes(webots.Elements()))
}

// TestTablesOfErrorsAreThoseOfTheProgram takes exit codes and kinds of errors from where commands do.
func TestTablesOfErrorsAreThoseOfTheProgram(t *testing.T) {
	var exits, kinds strings.Builder
	exits.WriteString("| code | meaning |\n| --- | --- |\n")
	for code, meaning := range cli.ExitCodes() {
		fmt.Fprintf(&exits, "| %d | %s |\n", code, meaning)
	}
	kinds.WriteString("| code | exit code | meaning |\n| --- | --- | --- |\n")
	for _, k := range cli.ErrorKinds() {
		if k.ExitCode <= 0 || k.ExitCode >= len(cli.ExitCodes()) {
			t.Errorf("%s has the exit code %d, which has no meaning", k.Code, k.ExitCode)
		}
		fmt.Fprintf(&kinds, "| `%s` | %d | %s |\n", k.Code, k.ExitCode, k.Meaning)
	}
	const page = "reference/errors.md"
	generated(t, page, "exit-codes", exits.String())
	generated(t, page, "error-kinds", kinds.String())
}
