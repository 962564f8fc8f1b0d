// Package docs compares the pages of the documentation with simdeck. It runs every command line in them in
// order, in a home and a network of its own; output must equal the page's.
package docs

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the pages of reference that are the program's own words")

// A page has blocks of these kinds, and no others:
//
//	```console          lines "$ command", each with the lines that it must print, in their order, among others; … stands for anything;
//	                    a command that ends in & goes on until the page ends; "[exit 3]" is its exit code when that is not 0
//	```console screen   the same in a terminal, which is left after some seconds
//	```text             what is no command
//	```LANGUAGE NAME    a file of that name, written where the commands run
type block struct {
	kind, rest string
	line       int
	text       []string
}

// blocks finds those of a page. A block without an end is an error.
func blocks(t *testing.T, page, text string) (all []block) {
	t.Helper()
	var open *block
	for i, line := range strings.Split(text, "\n") {
		fence, ok := strings.CutPrefix(line, "```")
		switch {
		case ok && open == nil:
			kind, rest, _ := strings.Cut(fence, " ")
			open = &block{kind: kind, rest: rest, line: i + 1}
		case ok:
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text = append(open.text, line)
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: the block does not end", page, open.line)
	}
	return all
}

// command is one of a page, with what it is to print.
type command struct {
	line   int
	words  string
	screen bool
	aside  bool // goes on until the page ends
	exit   string
	prints []string
}

// commands are those of a block.
func commands(t *testing.T, page string, b block) (all []command) {
	t.Helper()
	for i, line := range b.text {
		words, ok := strings.CutPrefix(line, "$ ")
		switch {
		case ok:
			words, aside := strings.CutSuffix(words, " &")
			all = append(all, command{line: b.line + 1 + i, words: words, screen: b.rest == "screen",
				aside: aside, exit: "0"})
		case len(all) == 0:
			t.Fatalf("%s:%d: a line before the first command", page, b.line+1+i)
		case strings.HasPrefix(line, "[exit "):
			all[len(all)-1].exit = strings.TrimSuffix(strings.TrimPrefix(line, "[exit "), "]")
		case strings.TrimSpace(line) != "" && strings.TrimSpace(line) != "…":
			last := &all[len(all)-1]
			last.prints = append(last.prints, line)
		}
	}
	return all
}

// play makes the shell script of a page: each command's output and exit code go into files of its number.
func play(all []command, dir string) string {
	var b strings.Builder
	for i, c := range all {
		out := filepath.Join(dir, fmt.Sprint(i))
		words := c.words
		if c.screen { // script gives it a terminal; q leaves a console, and again where it asks
			words = fmt.Sprintf("{ sleep 3; printf q; sleep 1; printf q; sleep 1; } | timeout 20 script -qec %s /dev/null",
				quoted("stty cols 120 rows 40; "+c.words))
		}
		end := fmt.Sprintf("echo $? >%s.exit", out)
		if c.aside {
			fmt.Fprintf(&b, "{ %s; } >%s.out 2>&1 & echo $! >>%s/aside\n", words, out, dir)
			continue
		}
		fmt.Fprintf(&b, "{ %s\n} >%s.out 2>&1\n%s\n", words, out, end)
	}
	fmt.Fprintf(&b, "if [ -e %[1]s/aside ]; then for p in $(cat %[1]s/aside); do pkill -TERM -P $p || kill $p; done; wait; fi\n",
		dir)
	return b.String()
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// binary is simdeck, built once.
func binary(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o",
		filepath.Join(dir, "simdeck"), "simdeck")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// the same words as at a user's, but with the keys and hosts of the scratch home, which ssh looks up by
	// user
	ssh := "#!/bin/sh\nexec /usr/bin/ssh -F none -i \"$HOME/.ssh/id_ed25519\" -o UserKnownHostsFile=\"$HOME/.ssh/known_hosts\" -o StrictHostKeyChecking=accept-new \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "ssh"), []byte(ssh), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// manual are the pages of this folder and of those in it.
func manual(t *testing.T) []string {
	t.Helper()
	guides, err := filepath.Glob("*.md")
	if err != nil || len(guides) < 9 {
		t.Fatalf("%v: %d guides", err, len(guides))
	}
	reference, err := filepath.Glob("reference/*.md")
	if err != nil || len(reference) < 9 {
		t.Fatalf("%v: %d pages of reference", err, len(reference))
	}
	return append(guides, reference...)
}

// wordless are the pages that may have no command: a table of contents, and tables.
func wordless(page string) bool {
	return page == "README.md" || page == "seeds.md" || filepath.Dir(page) == "reference"
}

func TestEveryCommandOfThePagesDoesWhatTheySay(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin := binary(t)
	ran := 0
	for _, page := range manual(t) {
		t.Run(strings.TrimSuffix(page, ".md"), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			home, notes := t.TempDir(), t.TempDir()
			var all []command
			for _, b := range blocks(t, page, string(text)) {
				switch {
				case b.kind == "console" && (b.rest == "" || b.rest == "screen"):
					all = append(all, commands(t, page, b)...)
				case b.kind == "text":
				case b.kind != "" && regexp.MustCompile(`^[a-z_]+\.[a-z]+$`).MatchString(b.rest):
					if err := os.WriteFile(filepath.Join(home, b.rest),
						[]byte(strings.Join(b.text, "\n")+"\n"), 0o644); err != nil {
						t.Fatal(err)
					}
				default:
					t.Fatalf("%s:%d: a block of kind %q %q, of which nobody knows what it is", page, b.line,
						b.kind, b.rest)
				}
			}
			if len(all) == 0 && wordless(page) {
				return
			}
			if len(all) == 0 {
				t.Fatalf("%s has no commands", page)
			}
			run(t, bin, home, play(all, notes))
			for i, c := range all {
				c.judge(t, page, filepath.Join(notes, fmt.Sprint(i)))
			}
			ran += len(all)
		})
	}
	t.Logf("%d commands", ran)
}

// run runs a script in a home and a network of its own.
func run(t *testing.T, bin, home, script string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 4*time.Minute)
	defer stop()
	single, err := filepath.Abs("../ros/interop/netns.sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "env", "-u", "NETNS_INSIDE", single, "single", "bash", "-c", script)
	// its children end with it, also after a timeout
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "PATH="+bin+":"+os.Getenv("PATH"), "TERM=xterm-256color",
		"XDG_CACHE_HOME="+home+"/.cache",
		"XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "ROS_DOMAIN_ID=", "LC_ALL=C.UTF-8")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.Bytes())
	}
}

// escapes are the control sequences of terminals.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\`)

// judge compares what a command did with what the page says.
func (c command) judge(t *testing.T, page, base string) {
	t.Helper()
	out, err := os.ReadFile(base + ".out")
	if err != nil {
		t.Fatal(err)
	}
	said := escapes.ReplaceAllString(string(out), "")
	if exit, _ := os.ReadFile(base + ".exit"); !c.aside && strings.TrimSpace(string(exit)) != c.exit {
		t.Errorf("%s:%d: %s\nends with %s, the page says %s; it said\n%s", page, c.line, c.words,
			bytes.TrimSpace(exit), c.exit, said)
		return
	}
	if c.aside && strings.Contains(said, "simdeck: ") {
		t.Errorf("%s:%d: %s\nfailed:\n%s", page, c.line, c.words, said)
	}
	rest := said
	for _, want := range c.prints {
		at := pattern(want, c.screen).FindStringIndex(rest)
		if at == nil {
			t.Errorf("%s:%d: %s\nis to print, after what stands before it on the page,\n%s\nand it said\n%s",
				page, c.line, c.words, want, said)
			return
		}
		rest = rest[at[1]:]
	}
}

// pattern is a line of a page, in which … stands for anything and spaces for any number of them. On a screen
// it may begin anywhere.
func pattern(line string, anywhere bool) *regexp.Regexp {
	var parts []string
	for _, part := range strings.Split(line, "…") {
		words := strings.Fields(part)
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		p := strings.Join(words, `\s+`)
		if strings.HasPrefix(part, " ") {
			p = `\s*` + p
		}
		if strings.HasSuffix(part, " ") {
			p += `\s*`
		}
		parts = append(parts, p)
	}
	p := strings.Join(parts, `[^\n]*`)
	if !anywhere {
		p = `(?m)^\s*` + p + `\s*$`
	}
	return regexp.MustCompile(p)
}

// TestCommandsInTheTextOfPagesExist looks at commands within sentences: each must have the flags that stand
// there.
func TestCommandsInTheTextOfPagesExist(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin := filepath.Join(binary(t), "simdeck")
	seen := 0
	for _, page := range linking(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`simdeck ([a-z]+)([^`]*)`").FindAllStringSubmatch(string(text),
			-1) {
			help, err := exec.Command(bin, m[1], "--help-all").CombinedOutput()
			if err != nil {
				t.Errorf("%s: %s: %v", page, m[0], err)
			}
			seen++
			for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(m[2], -1) {
				if !regexp.MustCompile(flag + `\b`).Match(help) {
					t.Errorf("%s: %s has no %s", page, m[0], flag)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d commands found in sentences: the search is broken", seen)
	}
}

// notOurs are flags in the pages that belong to other programs, or stand for any.
var notOurs = []string{"--uninstall", "--x"}

// TestFlagsInTheTextOfPagesExist looks at flags that stand alone within sentences: some command must have
// each. The changelog also tells of those that have gone.
func TestFlagsInTheTextOfPagesExist(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin, all := filepath.Join(binary(t), "simdeck"), []byte{}
	reference, err := os.ReadFile("reference/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	headings := regexp.MustCompile(`(?m)^## simdeck ?([a-z]*)$`)
	for _, m := range headings.FindAllStringSubmatch(string(reference), -1) {
		help, err := exec.Command(bin, append(strings.Fields(m[1]), "--help-all")...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v", m[0], err)
		}
		all = append(all, help...)
	}
	seen := 0
	for _, page := range linking(t) {
		if filepath.Base(page) == "CHANGELOG.md" {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`(--[a-z][a-z-]*)[^`]*`").FindAllStringSubmatch(string(text), -1) {
			seen++
			if !slices.Contains(notOurs, m[1]) && !regexp.MustCompile(m[1]+`[ \n]`).Match(all) {
				t.Errorf("%s speaks of %s, which no command has", page, m[1])
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d flags found in sentences: the search is broken", seen)
	}
}

// TestExamplesOfTheHelpHaveFlagsThatThereAre reads the examples of every command that the help names.
func TestExamplesOfTheHelpHaveFlagsThatThereAre(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin := filepath.Join(binary(t), "simdeck")
	help := func(words ...string) string {
		out, err := exec.Command(bin, append(words, "--help-all")...).CombinedOutput()
		if err != nil {
			t.Errorf("help %v: %v\n%s", words, err, out)
		}
		return string(out)
	}
	root := help()
	texts := map[string]string{"": root}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(root, -1) {
		texts[m[1]] = help(m[1])
	}
	seen := 0
	for name, text := range texts {
		_, examples, _ := strings.Cut(text, "Examples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		for _, m := range regexp.MustCompile(`simdeck( ([a-z]+)\b)?([^|&\n]*)`).FindAllStringSubmatch(examples,
			-1) {
			of, command := texts[m[2]], m[2]
			if of == "" || command == "" { // the word is a world: it is the command without a name
				of = root
			}
			seen++
			for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(m[3], -1) {
				if !regexp.MustCompile(regexp.QuoteMeta(flag) + `[ \n]`).MatchString(of) {
					t.Errorf("an example of %q has %s, which is no flag of its command", name, flag)
				}
			}
		}
	}
	if len(texts) < 20 || seen < 40 {
		t.Errorf("%d examples of %d commands: the search is broken, or some have gone", seen, len(texts))
	}
}

// linking are the pages whose links are followed.
func linking(t *testing.T) []string {
	decisions, err := filepath.Glob("decisions/*.md")
	if err != nil || len(decisions) == 0 {
		t.Fatalf("%d decisions: %v", len(decisions), err)
	}
	forms, err := filepath.Glob("../.github/*.md")
	if err != nil || len(forms) == 0 {
		t.Fatalf("%d forms: %v", len(forms), err)
	}
	return append(slices.Concat(manual(t), decisions, forms), "../README.md", "../ARCHITECTURE.md",
		"../CONTRIBUTING.md", "../CHANGELOG.md", "../worlds/README.md", "../deploy/README.md")
}

// anchors are the headings of a page, as GitHub writes them in addresses.
func anchors(text string) map[string]bool {
	all, fenced := map[string]bool{}, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if fenced || !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		slug := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(
			strings.ToLower(strings.TrimSpace(heading)), "")
		slug = strings.ReplaceAll(slug, " ", "-")
		for name, n := slug, 1; ; name, n = fmt.Sprintf("%s-%d", slug, n), n+1 {
			if !all[name] {
				all[name] = true
				break
			}
		}
	}
	return all
}

// link matches the target of a page's links and pictures.
var link = regexp.MustCompile(`(?:\]\(|src=")([^)"\s]+)`)

// TestLinksOfPagesLeadSomewhere follows those within the repository, to the heading that they name.
func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	seen := 0
	for _, page := range linking(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			seen++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if info, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			} else if anchor != "" && !info.IsDir() {
				there, err := os.ReadFile(target)
				if err != nil || !anchors(string(there))[anchor] {
					t.Errorf("%s links to %s: %s has no such heading %v", page, m[1], target, err)
				}
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d links found: the search is broken", seen)
	}
}

// TestEveryPageIsInTheTableOfContents: nobody finds a page to which no list leads.
func TestEveryPageIsInTheTableOfContents(t *testing.T) {
	contents, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range manual(t) {
		if page != "README.md" && !strings.Contains(string(contents), "]("+page+")") {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	}
}

// TestReferencesSayWhatTheProgramSays compares the pages that are the program's own words; -update writes
// them.
func TestReferencesSayWhatTheProgramSays(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin := filepath.Join(binary(t), "simdeck")
	said := func(args ...string) string {
		cmd := exec.Command(bin, args...)
		cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("simdeck %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	for page, want := range map[string]string{"commands": commandsPage(said),
		"configuration": configPage(t, said)} {
		file := "reference/" + page + ".md"
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want {
			t.Errorf("docs/%s is stale: go test ./docs -run References -update writes it (%v)", file, err)
		}
	}
}

// settingOf is a flag in a help text: its name, type, what it is for, and its default.
var settingOf = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)(?: ([a-z]+))?  +(.*(?:\n {25,}\S.*)*)$`)

// commandsPage is the reference of commands and flags.
func commandsPage(said func(...string) string) string {
	var b strings.Builder
	b.WriteString("# Commands and flags\n\nWhat `simdeck COMMAND --help-all` prints, written by a test. Flags of the " +
		"console and of `run` are keys of [simdeck.yaml](configuration.md), too.\n")
	root := said("--help-all")
	names := []string{""}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(root, -1) {
		if m[1] != "help" {
			names = append(names, m[1])
		}
	}
	for _, name := range names {
		text := root
		if name != "" {
			text = said(name, "--help-all")
		}
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n```\n", strings.TrimSpace("simdeck "+name), text)
	}
	return b.String()
}

// configPage is the reference of the keys of simdeck.yaml.
func configPage(t *testing.T, said func(...string) string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(configHead)
	usage := map[string]string{}
	for _, name := range []string{"--help-all", "serve --help-all"} {
		for _, m := range settingOf.FindAllStringSubmatch(said(strings.Fields(name)...), -1) {
			usage[m[1]] = strings.Join(strings.Fields(m[3]), " ")
		}
	}
	for line := range strings.Lines(said("config")) {
		key, _, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if usage[key] == "" {
			t.Errorf("no help says what %s is for", key)
		}
		fmt.Fprintf(&b, "| `%s` | `SIMDECK_%s` | %s |\n", key,
			strings.ToUpper(strings.ReplaceAll(key, "-", "_")), strings.ReplaceAll(usage[key], "|", "\\|"))
	}
	return b.String()
}

const configHead = `# Configuration

A setting is taken from the first of these that has it:

1. the flag, such as ` + "`--log-level debug`" + `,
2. the environment variable, such as ` + "`SIMDECK_LOG_LEVEL=debug`" + `; for ` + "`domain`" + ` also ` + "`ROS_DOMAIN_ID`" + `,
3. the file that ` + "`--config`" + ` names, else ` + "`$XDG_CONFIG_HOME/simdeck/simdeck.yaml`" + ` (` + "`~/.config`" + ` without that variable),
4. the default.

An unknown key is an error that names the nearest known one. ` + "`simdeck config`" + ` prints every setting with its value and where the value came from.
Keys of the console are configured in ` + "`keymap.yaml`" + `; see [keys](keys.md).

This table is written by a test.

| key | environment variable | meaning |
| --- | --- | --- |
`

// TestKeysOfTheReadmeHaveActions looks at the keys that README.md promises.
func TestKeysOfTheReadmeHaveActions(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := os.ReadFile("reference/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	pressed := regexp.MustCompile("(?m)^\\| `([^` ]+)` \\| [a-z]").FindAllStringSubmatch(string(readme), -1)
	for _, m := range pressed {
		if !strings.Contains(string(keys), "`"+m[1]+"` ") {
			t.Errorf("README.md says what %s does, and no action has it", m[1])
		}
	}
	if len(pressed) == 0 {
		t.Error("README.md has no keys: the search is broken")
	}
}

// TestTargetsOfMakeInPagesAreThere reads them in sentences and in blocks.
func TestTargetsOfMakeInPagesAreThere(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range linking(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z][a-z0-9-]*)").FindAllStringSubmatch(string(text),
			-1) {
			seen++
			if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(makefile) {
				t.Errorf("%s names make %s, and there is no such target", page, m[1])
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d targets found: the search is broken", seen)
	}
}
