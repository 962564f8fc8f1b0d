// Site builds the manual as a static site from README.md and docs/: pages with navigation, pictures and a
// search index. A page needs no server and nothing from elsewhere. Site is a module of its own, so that
// what it needs is no dependency of simdeck.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	source := flag.String("source", ".", "folder of simdeck's source")
	out := flag.String("out", "dist/site", "folder to write into; what an earlier build left there is replaced")
	flag.Parse()
	pages, err := build(*source, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages: %s\n", pages, filepath.Join(*out, "index.html"))
}

// errForeign says that the output folder holds something other than an earlier build.
var errForeign = errors.New("the folder holds files that are no earlier build of the site")

// build writes the site of a source folder into an output folder and returns the number of its pages.
func build(source, out string) (int, error) {
	if err := clear(out); err != nil {
		return 0, err
	}
	m, err := readManual(os.DirFS(source))
	if err != nil {
		return 0, err
	}
	for _, p := range m.pages {
		html, err := m.compose(p)
		if err != nil {
			return 0, err
		}
		if err := write(out, p.out, html); err != nil {
			return 0, err
		}
	}
	for name, data := range m.files {
		if err := write(out, name, data); err != nil {
			return 0, err
		}
	}
	assets, err := m.assets()
	if err != nil {
		return 0, err
	}
	for name, data := range assets {
		if err := write(out, name, data); err != nil {
			return 0, err
		}
	}
	return len(m.pages), nil
}

// clear empties the output folder of an earlier build.
func clear(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, indexFile)); err != nil {
		return fmt.Errorf("%s: %w; give an empty folder or one with %s", out, errForeign, indexFile)
	}
	return os.RemoveAll(out)
}

// write writes a file of the site, by its slash-separated name.
func write(out, name string, data []byte) error {
	file := filepath.Join(out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
