package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var shots = flag.String("shots", "", "folder for screenshots of some pages")

// browser is Chromium, driven over the WebDriver protocol of chromedriver.
type browser struct {
	t       *testing.T
	session string // its address
}

// newBrowser starts Chromium with a window of some pixels.
func newBrowser(t *testing.T, width, height int, dark bool) *browser {
	t.Helper()
	driver := exec.Command("chromedriver", "--port=0", "--allowed-ips=127.0.0.1")
	out, err := driver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Start(); err != nil {
		t.Fatalf("%v: .ci/prepare installs it", err)
	}
	t.Cleanup(func() { driver.Process.Kill(); driver.Wait() })
	port := ""
	for lines := bufio.NewScanner(out); port == "" && lines.Scan(); {
		if m := regexp.MustCompile(`started successfully on port (\d+)`).FindStringSubmatch(lines.Text()); m != nil {
			port = m[1]
		}
	}
	go io.Copy(io.Discard, out)
	b := &browser{t: t, session: "http://127.0.0.1:" + port + "/session"}
	args := append(slices.Clone(chromiumFlags), "--user-data-dir="+t.TempDir())
	if dark {
		args = append(args, "--force-dark-mode")
	}
	var began struct {
		SessionID string `json:"sessionId"`
	}
	b.call("POST", "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName":       "chrome",
		"goog:loggingPrefs": map[string]string{"browser": "ALL"},
		"goog:chromeOptions": map[string]any{"args": args, "mobileEmulation": map[string]any{
			"deviceMetrics": map[string]any{"width": width, "height": height, "pixelRatio": 1, "touch": false,
				"mobile": width < 500}}},
	}}}, &began)
	b.session += "/" + began.SessionID
	t.Cleanup(func() { b.call("DELETE", "", nil, nil) })
	return b
}

// chromiumFlags make Chromium run as root, without a screen and without the network.
var chromiumFlags = []string{
	"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
}

// call asks the driver and decodes its answer's value.
func (b *browser) call(method, path string, body, value any) {
	b.t.Helper()
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		sent = bytes.NewReader(data)
	}
	request, err := http.NewRequest(method, b.session+path, sent)
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := (&http.Client{Timeout: 2 * time.Minute}).Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %s: %s %v", method, path, response.Status, data, err)
	}
	if value != nil {
		if err := json.Unmarshal(data, &struct{ Value any }{value}); err != nil {
			b.t.Fatalf("%s: %v", data, err)
		}
	}
}

func (b *browser) open(address string) {
	b.t.Helper()
	b.call("POST", "/url", map[string]string{"url": address}, nil)
}

// run runs a script in the page and decodes what it returns.
func (b *browser) run(script string, value any) {
	b.t.Helper()
	b.call("POST", "/execute/sync", map[string]any{"script": script, "args": []any{}}, value)
}

// press types keys, as a person does; a key of WebDriver's private range has no character.
func (b *browser) press(keys string) {
	b.t.Helper()
	actions := []map[string]string{}
	for _, r := range keys {
		actions = append(actions, map[string]string{"type": "keyDown", "value": string(r)},
			map[string]string{"type": "keyUp", "value": string(r)})
	}
	b.call("POST", "/actions", map[string]any{"actions": []any{
		map[string]any{"type": "key", "id": "keys", "actions": actions}}}, nil)
}

// complaints are the errors and warnings of the console since the last call.
func (b *browser) complaints() (all []string) {
	b.t.Helper()
	var entries []struct{ Level, Message string }
	b.call("POST", "/se/log", map[string]string{"type": "browser"}, &entries)
	for _, e := range entries {
		if e.Level == "SEVERE" || e.Level == "WARNING" {
			all = append(all, e.Message)
		}
	}
	return all
}

// keep writes a screenshot where they are wanted.
func (b *browser) keep(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	var picture string
	b.call("GET", "/screenshot", nil, &picture)
	data, err := base64.StdEncoding.DecodeString(picture)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), data, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// eventually waits until a script returns true: the pages answer keys when the browser comes to it.
func (b *browser) eventually(script, what string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var done bool
		if b.run(script, &done); done {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("not so within a minute: %s", what)
		}
	}
}

// served is the address of a site below a prefix, under a strict policy.
func served(t *testing.T, site string) string {
	t.Helper()
	pages := http.StripPrefix("/some/prefix/", http.FileServer(http.Dir(site)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:")
		pages.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/some/prefix/"
}

// windows are a phone's and a desk's, in light and dark.
var windows = []struct {
	name          string
	width, height int
	dark          bool
}{{"phone", 390, 844, true}, {"desk", 1280, 900, false}}

func TestChromiumShowsEveryPageWithoutOverflowOrError(t *testing.T) {
	site := built(t)
	root := served(t, site)
	for _, w := range windows {
		b := newBrowser(t, w.width, w.height, w.dark)
		for name := range parsed(t, site) {
			b.open(root + name)
			var got struct {
				Width, Inner int
				Widest       []string
				First        bool
			}
			b.run(`const img = document.querySelector("article img"), inner = innerWidth;
				const loose = e => { for (e = e.parentElement; e; e = e.parentElement)
					if (getComputedStyle(e).overflowX !== "visible") return false; return true; };
				return {Width: document.documentElement.scrollWidth, Inner: inner, First: !img || img.complete && img.naturalWidth > 0,
					Widest: [...document.querySelectorAll("main *")].filter(e =>
						e.getBoundingClientRect().right > inner + 1 && loose(e)).slice(0, 3).map(e => e.outerHTML.slice(0, 120))}`, &got)
			if got.Inner != w.width || got.Width > got.Inner || len(got.Widest) > 0 {
				t.Errorf("%s at %d px: the page is %d px wide in a window of %d: %q", name, w.width, got.Width, got.Inner, got.Widest)
			}
			if !got.First {
				t.Errorf("%s at %d px: the first picture is not loaded", name, w.width)
			}
			for _, c := range b.complaints() {
				t.Errorf("%s at %d px: %s", name, w.width, c)
			}
			if slices.Contains([]string{"index.html", "docs/first-hour.html", "docs/physics.html",
				"docs/reference/commands.html", "worlds/index.html", "docs/index.html", "docs/reference/limits.html",
				"docs/ros.html", "docs/reference/ros-interfaces.html", "docs/reference/sensors.html"}, name) {
				b.keep(w.name + "-" + strings.ReplaceAll(strings.TrimSuffix(name, ".html"), "/", "-"))
			}
		}
	}
}

// TestChromiumListsTheHeadingsOfAPageAndMarksTheOneThatIsRead on a desk beside the text; on a phone the list
// begins closed above it, and closes again when a heading was chosen.
func TestChromiumListsTheHeadingsOfAPageAndMarksTheOneThatIsRead(t *testing.T) {
	root := served(t, built(t))
	for _, w := range windows {
		b := newBrowser(t, w.width, w.height, w.dark)
		b.open(root + "docs/reference/limits.html")
		var got struct{ Open, Above bool }
		b.run(`const list = document.querySelector(".contents details"), box = list.getBoundingClientRect();
			return {Open: list.open, Above: box.top < document.querySelector("h1").getBoundingClientRect().top && box.height > 0}`, &got)
		if got.Open != (w.name == "desk") || !got.Above {
			t.Errorf("%s: the list of headings is open: %t, stands above the end of the title: %t", w.name, got.Open, got.Above)
		}
		b.run(`document.querySelector(".contents details").open = true;
			const links = document.querySelectorAll(".contents a"); links[1].click(); return null`, new(any))
		b.eventually(`const links = [...document.querySelectorAll(".contents a")];
			return links.filter(a => a.hasAttribute("aria-current")).length === 1 && links[1].getAttribute("aria-current") === "location"`,
			w.name+": the chosen heading is marked, and no other")
		b.run(`return {Open: document.querySelector(".contents details").open}`, &got)
		if got.Open != (w.name == "desk") {
			t.Errorf("%s: after a heading was chosen the list is open: %t", w.name, got.Open)
		}
		b.keep(w.name + "-headings")
		for _, c := range b.complaints() {
			t.Errorf("%s: %s", w.name, c)
		}
	}
}

// sought are words that readers look for, and a page that is to be among the first three found.
var sought = []struct{ words, page string }{
	{"rewind", "docs/recording.html"},
	{"install", "docs/install.html"},
	{"sweep", "docs/sweeps.html"},
	{"lidar", "docs/reference/sensors.html"},
	{"exit codes", "docs/reference/errors.html"},
	{"troubleshooting", "docs/troubleshooting.html"},
	{"friction cone", "docs/physics.html"},
	{"warehouse", "worlds/index.html"},
	{"simulation_interfaces conformance", "docs/conformance.html"},
	{"keys", "docs/reference/keys.html"},
	{"ssh", "docs/ssh.html"},
	{"determin", "docs/determinism.html"},
	{"undo", "docs/console.html"},
	{"urdf", "docs/reference/formats.html"},
	{"webots", "docs/controllers.html"},
	{"webots nodes", "docs/reference/formats.html"},
	{"kubernetes", "docs/sweeps.html"},
	{"environment variable", "docs/reference/configuration.html"},
	{"imu noise", "docs/reference/sensors.html"},
	{"mcap", "docs/recording.html"},
	{"how to record a bag", "docs/recording.html"},
	{"replay", "docs/recording.html"},
	{"limit exceeded", "docs/troubleshooting.html"},
	{"disk full", "docs/troubleshooting.html"},
	{"multicast", "docs/troubleshooting.html"},
	{"read-only viewer", "docs/ssh.html"},
	{"humble", "docs/reference/compatibility.html"},
	{"articulation", "docs/physics.html"},
	{"scenario", "docs/sweeps.html"},
	{"many simulators", "docs/fleets.html"},
	{"screenshot", "docs/console.html"},
	{"diagnostics", "docs/ros.html"},
	{"camera", "docs/reference/sensors.html"},
	{"cmd_vel", "docs/reference/ros-interfaces.html"},
	{"joint_states", "docs/reference/ros-interfaces.html"},
	{"odom", "docs/reference/ros-interfaces.html"},
	{"tf", "docs/reference/ros-interfaces.html"},
	{"clock", "docs/reference/ros-interfaces.html"},
	{"robot_description", "docs/reference/ros-interfaces.html"},
	{"follow_joint_trajectory", "docs/reference/ros-interfaces.html"},
	{"get_entities", "docs/reference/ros-interfaces.html"},
	{"on_fault", "docs/ros.html"},
	{"ROS_DOMAIN_ID", "docs/ros.html"},
	{"spawn-from", "docs/reference/configuration.html"},
	{"gps", "docs/reference/sensors.html"},
	{"depth camera", "docs/reference/sensors.html"},
}

func TestChromiumFindsWordsAtTheRightPageAmongTheFirstThree(t *testing.T) {
	site, err := filepath.Abs(built(t))
	if err != nil {
		t.Fatal(err)
	}
	for i, root := range []string{served(t, site), "file://" + site + "/"} { // offline too
		w := windows[i]
		b := newBrowser(t, w.width, w.height, w.dark)
		for n, s := range sought {
			b.open(root + []string{"index.html", "docs/reference/limits.html"}[n%2])
			b.press("/")
			b.eventually(`return document.activeElement.id === "search"`, "/ goes to the search")
			b.press(s.words)
			b.eventually(fmt.Sprintf(`return document.getElementById("results").dataset.query === %q`, strings.ToLower(s.words)),
				"results of "+s.words+" are shown")
			found := b.results()
			if !slices.ContainsFunc(found[:min(3, len(found))], func(at string) bool { return strings.HasPrefix(at, root+s.page) }) {
				t.Errorf("%s is found at %s; want %s among the first three", s.words, found, s.page)
				continue
			}
			if n == 0 {
				b.keep(w.name + "-search")
			}
			b.press("\uE007")                               // Enter
			first, _, _ := strings.Cut(found[0], "#")       // which is the page's
			first = strings.TrimSuffix(first, "index.html") // the server of the test leaves that out
			b.eventually(fmt.Sprintf(`return location.href.startsWith(%q)`, first), s.words+" opens "+first)
			for _, c := range b.complaints() {
				t.Errorf("searching %s from %s: %s", s.words, root, c)
			}
		}
		b.press("/") // a text without results
		b.press("zzqq")
		b.eventually(`return document.getElementById("results").textContent === "Nothing found"`, "says that nothing is found")
	}
}

// results are the links that a search has found.
func (b *browser) results() (all []string) {
	b.t.Helper()
	b.run(`return [...document.querySelectorAll("#results a")].map(a => a.href)`, &all)
	return all
}
