package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// outcome is the result of a test with a varied constant.
type outcome string

const (
	notRun  outcome = "not run"
	passes  outcome = "passes"
	noticed outcome = "noticed"
	noBuild outcome = "does not build"
)

// environment names the constant that a binary varies, and how.
const environment = "VARIED_CONSTANT"

// binaries are the tests' binaries: one per package in which constants are variables, and one for each
// variation of the other constants.
type binaries struct {
	ctx     context.Context // until the interrupt
	dir     string
	overlay string            // in which constants are variables
	built   map[string]string // binary by folder of the package
	took    map[string]time.Duration
	lock    sync.Mutex
}

// variedSource declares what a package's varied constants start as.
const variedSource = `package %s

import "os"

func varied[T interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}](name string, value T) T {
	switch os.Getenv("` + environment + `") {
	case name + "*":
		return value * 2
	case name + "/":
		return value / 2
	}
	return value
}

`

// prepare writes the overlay in which constants are variables.
func (b *binaries) prepare(all []constant) error {
	b.built, b.took = map[string]string{}, map[string]time.Duration{}
	if err := findVariables(all); err != nil {
		return err
	}
	added := map[string]string{}
	for i := range all {
		if c := &all[i]; c.variable != "" {
			folder := path.Dir(c.file)
			if added[folder] == "" {
				added[folder] = fmt.Sprintf(variedSource, path.Base(folder))
			}
			added[folder] += fmt.Sprintf("var %s %s = varied[%[2]s](%q, %[1]sAsDeclared)\n", c.name,
				c.variable,
				folder+"."+c.name)
		}
	}
	texts := map[string]string{}
	for folder, text := range added {
		texts[folder+"/varied_constants.go"] = text
	}
	for file, list := range edits(all) {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		texts[file] = list.apply(string(source))
	}
	var err error
	b.overlay, err = b.writeOverlay("variables", texts)
	return err
}

// writeOverlay writes texts that stand for files, and the list of them for the compiler.
func (b *binaries) writeOverlay(name string, texts map[string]string) (string, error) {
	replace := map[string]string{}
	for file, text := range texts {
		absolute, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		replace[absolute] = filepath.Join(b.dir, name+strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(replace[absolute], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	file := filepath.Join(b.dir, name+".json")
	return file, errors.Join(err, os.WriteFile(file, list, 0o600))
}

// build builds the tests of a package with an overlay.
func (b *binaries) build(folder, overlay, name string) (string, error) {
	file := filepath.Join(b.dir, name+".test")
	out, err := exec.CommandContext(b.ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", file,
		"./"+folder).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: tests with varied constants: %w\n%s", folder, err, out)
	}
	return file, err
}

// baseline builds the tests of the rows and runs them with unchanged constants: each must run and pass.
func (b *binaries) baseline(rows []*constant, jobs int) error {
	var names []string
	for _, c := range rows {
		if c.excuse {
			continue
		}
		if b.built[c.folder] == "" {
			file, err := b.build(c.folder, b.overlay, strings.ReplaceAll(c.folder, "/", "_"))
			if err != nil {
				return err
			}
			b.built[c.folder] = file
		}
		if !slices.Contains(names, c.folder+" "+c.test) {
			names = append(names, c.folder+" "+c.test)
		}
	}
	failed := make([]error, len(names))
	inParallel(jobs, len(names), func(i int) {
		folder, test, _ := strings.Cut(names[i], " ")
		began := time.Now()
		ran, out, err := runTest(b.ctx, b.built[folder], folder, test, "", 10*time.Minute)
		switch {
		case err != nil:
			failed[i] = fmt.Errorf("%s of %s fails with unchanged constants: %w\n%s", test, folder, err, out)
		case ran == 0:
			failed[i] = fmt.Errorf("no test of %s matches %s, or all of them are skipped", folder, test)
		}
		b.lock.Lock()
		defer b.lock.Unlock()
		b.took[names[i]] = time.Since(began)
	})
	if err := errors.Join(failed...); err != nil {
		return err
	}
	fmt.Printf("%d tests pass with unchanged constants\n", len(names))
	return nil
}

// passed counts the tests that a binary has run to their end and not skipped.
var passed = regexp.MustCompile(`(?m)^--- PASS: `)

// failing are the tests that a binary has run and that failed.
var failing = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// runTest runs a test of a binary where go test would, and counts the tests that pass.
func runTest(ctx context.Context, binary, folder, test, variation string, limit time.Duration) (int, []byte,
	error) {
	ctx, cancel := context.WithTimeout(ctx, limit+30*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, binary, "-test.v", "-test.timeout", limit.String(),
		"-test.run", "^("+test+")$")
	command.Dir, command.Env = folder, append(os.Environ(), environment+"="+variation)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	return len(passed.FindAll(out.Bytes(), -1)), out.Bytes(), err
}

// vary runs the tests of the rows with doubled and halved constants.
func (b *binaries) vary(rows []*constant, o options) error {
	failed := make([]error, len(rows))
	var print sync.Mutex
	inParallel(o.jobs, len(rows), func(i int) {
		c := rows[i]
		c.doubled, c.halved = notRun, notRun
		line := "not varied: " + c.meaning
		if !c.excuse {
			c.doubled, failed[i] = b.try(c, "*")
			if failed[i] == nil && (c.doubled != noticed || o.both) {
				c.halved, failed[i] = b.try(c, "/")
			}
			line = fmt.Sprintf("×2 %-14s ×½ %-14s %s", c.doubled, c.halved, c.test)
			if o.run != "" {
				line = fmt.Sprintf("×2 %-14s ×½ %-14s %s", c.doubled, c.halved,
					strings.Join(slices.Compact(c.noticedBy), " "))
			}
		}
		print.Lock()
		defer print.Unlock()
		fmt.Printf("%-26s %s\n", c.name, line)
	})
	return errors.Join(failed...)
}

// try runs the test of a constant with a variation of it.
func (b *binaries) try(c *constant, operator string) (outcome, error) {
	binary, variation := b.built[c.folder], path.Dir(c.file)+"."+c.name+operator
	if c.variable == "" {
		source, err := os.ReadFile(c.file)
		if err != nil {
			return notRun, err
		}
		name := c.name + map[string]string{"*": "_doubled", "/": "_halved"}[operator]
		text := fmt.Sprintf("%s(%s) %s 2%s", source[:c.from], c.value, operator, source[c.to:])
		overlay, err := b.writeOverlay(name, map[string]string{c.file: text})
		if err != nil {
			return notRun, err
		}
		if binary, err = b.build(c.folder, overlay, name); err != nil {
			return noBuild, nil
		}
		defer os.Remove(binary)
	}
	ran, out, err := runTest(b.ctx, binary, c.folder, c.test, variation,
		time.Minute+10*b.took[c.folder+" "+c.test])
	switch {
	case b.ctx.Err() != nil:
		return notRun, b.ctx.Err()
	case err == nil && ran > 0:
		return passes, nil
	}
	for _, m := range failing.FindAllSubmatch(out, -1) {
		c.noticedBy = append(c.noticedBy, string(m[1]))
	}
	return noticed, nil
}

// inParallel calls f for each number below n, for some at the same time.
func inParallel(jobs, n int, f func(int)) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(jobs, 1))
	for i := range n {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wait.Wait()
}
