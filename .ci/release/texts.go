package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"simdeck/ros/attach"
	"simdeck/ui/cli"
)

// commands is the tree of commands as the binary has it.
func (e *edition) commands() *cobra.Command {
	p := cli.Program{Version: e.Version, DefaultWorld: "world://@cache@/lab", Services: attach.Names,
		Fields: attach.FieldsOf}
	v := reflect.ValueOf(&p).Elem()
	for i := range v.NumField() { // a command is there when its function is; none is called here
		if f := v.Field(i); f.Kind() == reflect.Func && f.IsNil() {
			f.Set(reflect.MakeFunc(f.Type(),
				func([]reflect.Value) []reflect.Value { panic("a command ran while it was described") }))
		}
	}
	return cli.Tree(p)
}

// texts are the licence, the README, manual pages and completions of shells, with the names that archives
// give them.
func (e *edition) texts() ([]file, error) {
	license, err := os.ReadFile(filepath.Join(e.Source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	readme, err := e.expand("readme.md") // that of the source leads to pages and pictures that are not here
	if err != nil {
		return nil, err
	}
	all := []file{{"LICENSE", 0o644, license}, {"README.md", 0o644, readme}}
	pages, err := e.pages()
	if err != nil {
		return nil, err
	}
	root := e.commands()
	for shell, write := range map[string]func(*bytes.Buffer) error{
		"simdeck.bash": func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) },
		"_simdeck":     func(b *bytes.Buffer) error { return root.GenZshCompletion(b) },
		"simdeck.fish": func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return nil, err
		}
		all = append(all, file{"completions/" + shell, 0o644, b.Bytes()})
	}
	return sorted(append(all, pages...)), nil
}

// pages are the manual: a page per command.
func (e *edition) pages() (all []file, err error) {
	root := e.commands()
	root.InitDefaultHelpCmd()
	var walk func(c *cobra.Command) error
	walk = func(c *cobra.Command) error {
		if c != root && (!c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand()) {
			return nil
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		var b bytes.Buffer
		c.DisableAutoGenTag = true
		header := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Date: &e.Time,
			Source: "simdeck " + e.Version, Manual: "simdeck"}
		if err := doc.GenMan(c, header, &b); err != nil {
			return err
		}
		all = append(all, file{"man/" + name + ".1", 0o644, b.Bytes()})
		for _, child := range c.Commands() {
			if err := walk(child); err != nil {
				return err
			}
		}
		return nil
	}
	return all, walk(root)
}
