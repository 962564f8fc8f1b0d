package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// GoVersion is the version as Go has it (go help module-versions): a v first, and nothing after a plus. A
// commit after a tag sorts between that tag and the next one.
func (e *edition) GoVersion() string {
	version, build, _ := strings.Cut(e.Version, "+")
	release, pre, dashed := strings.Cut(version, "-")
	switch numbers := strings.Split(release, "."); {
	case build == "":
		return "v" + version
	case dashed:
		return "v" + release + "-" + pre + "." + build
	default:
		if patch, err := strconv.Atoi(numbers[len(numbers)-1]); err == nil {
			numbers[len(numbers)-1] = strconv.Itoa(patch + 1)
		}
		return "v" + strings.Join(numbers, ".") + "-0." + build
	}
}

// module writes the source as a Go module for a module proxy (go help goproxy): dir/PATH/@v/list,
// VERSION.info, VERSION.mod, VERSION.zip and dir/PATH/@latest.
func (e *edition) module(dir string) error {
	files, err := e.moduleFiles()
	if err != nil {
		return err
	}
	prefix := e.Origin.Module + "@" + e.GoVersion() + "/"
	var mod []byte
	for i, f := range files {
		if f.name == "go.mod" {
			mod = f.data
		}
		files[i].name = prefix + f.name
	}
	var z bytes.Buffer
	if err := zipped(&z, files, e.Time); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{e.GoVersion(), e.Time})
	if err != nil {
		return err
	}
	at := filepath.Join(dir, filepath.FromSlash(escaped(e.Origin.Module)))
	version := "@v/" + escaped(e.GoVersion())
	return write(at, []file{{"@latest", 0o644, info}, {"@v/list", 0o644, []byte(e.GoVersion() + "\n")},
		{version + ".info", 0o644, info}, {version + ".mod", 0o644, mod},
		{version + ".zip", 0o644, z.Bytes()}})
}

// escaped writes capitals as ! and the small letter, as module proxies do for file systems that know none.
func escaped(path string) string {
	return regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(path, func(s string) string {
		return "!" + strings.ToLower(s)
	})
}

// testTools is the folder of programs that are for tests alone.
const testTools = "ros/interop/"

// moduleFiles are the files that a build on any system needs: no tests, no pages. In them the module has the
// path of the origin.
func (e *edition) moduleFiles() ([]file, error) {
	cmd := exec.Command("go", "list", "-e", "-json=Dir,GoFiles,CgoFiles,IgnoredGoFiles,SFiles,HFiles,"+
		"IgnoredOtherFiles,EmbedFiles,Module", "./...")
	cmd.Dir = e.Source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	names := []string{"go.mod", "go.sum", "LICENSE", "README.md"}
	var old string
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct {
			Dir                                                                  string
			GoFiles, CgoFiles, IgnoredGoFiles, SFiles, HFiles, IgnoredOtherFiles []string
			EmbedFiles                                                           []string
			Module                                                               struct{ Path, Dir string }
		}
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		old = p.Module.Path
		dir, err := filepath.Rel(p.Module.Dir, p.Dir)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(filepath.ToSlash(dir), testTools) {
			continue
		}
		for _, list := range [][]string{p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.SFiles, p.HFiles,
			p.IgnoredOtherFiles, p.EmbedFiles} {
			for _, name := range list {
				if !strings.HasSuffix(name, "_test.go") {
					names = append(names, filepath.ToSlash(filepath.Join(dir, name)))
				}
			}
		}
	}
	var all []file
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(e.Source, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		switch {
		case name == "go.mod":
			data = regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(data, []byte("module "+e.Origin.Module))
		case strings.HasSuffix(name, ".go"):
			if data, err = renamed(name, data, old, e.Origin.Module); err != nil {
				return nil, err
			}
		}
		all = append(all, file{name, 0o644, data})
	}
	return sorted(all), nil
}

// renamed is a Go file whose imports of one module are of another, and nothing else differs.
func renamed(name string, text []byte, from, to string) ([]byte, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	at := 0
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rest, ok := strings.CutPrefix(path, from)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		begin := set.Position(i.Path.Pos()).Offset
		b.Write(text[at:begin])
		b.WriteString(strconv.Quote(to + rest))
		at = begin + len(i.Path.Value)
	}
	b.Write(text[at:])
	return b.Bytes(), nil
}

// write makes files in a folder, with the folders above them.
func write(dir string, all []file) error {
	for _, f := range all {
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.data, os.FileMode(f.mode)); err != nil {
			return err
		}
	}
	return nil
}
