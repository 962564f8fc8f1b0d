package viewers

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// chromiumFlags make Chromium run as root, without a screen and the network, and draw WebGL in software.
var chromiumFlags = []string{"--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
	"--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "about:blank"}

// browser is Chromium with a tab or several, driven by the DevTools protocol over pipes.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	last    int
	tab     string // session of the tab that is driven
	said    []string
	address string // of the page
	before  string // a script that runs before those of the page; empty: none
}

// newBrowser starts Chromium, which ends with the test.
func newBrowser(t *testing.T, address string) *browser {
	t.Helper()
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("chromium", append([]string{"--user-data-dir=" + t.TempDir()}, chromiumFlags...)...)
	c.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := c.Start(); err != nil {
		t.Fatalf("%v: .ci/prepare installs it", err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, in: in, out: bufio.NewReader(out), address: address}
	t.Cleanup(func() {
		b.tab = ""
		b.call("Browser.close", nil, nil)
		c.Wait()
		in.Close()
		out.Close()
	})
	return b
}

// call sends a command and decodes its result.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.last++
	command := map[string]any{"id": b.last, "method": method, "params": params}
	if params == nil {
		command["params"] = map[string]any{}
	}
	if b.tab != "" {
		command["sessionId"] = b.tab
	}
	text, err := json.Marshal(command)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		line, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID             int
			Method         string
			Result, Params json.RawMessage
			Error          json.RawMessage
		}
		if err := json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &answer); err != nil {
			b.t.Fatalf("%s: %v", line, err)
		}
		switch {
		case answer.Method == "Runtime.exceptionThrown" || answer.Method == "Log.entryAdded":
			b.said = append(b.said, string(answer.Params))
		case answer.ID != b.last:
		case answer.Error != nil:
			b.t.Fatalf("%s: %s", method, answer.Error)
		default:
			if result != nil {
				if err := json.Unmarshal(answer.Result, result); err != nil {
					b.t.Fatalf("%s: %v", method, err)
				}
			}
			return
		}
	}
}

// open opens the page in a new tab, and drives that.
func (b *browser) open() {
	b.t.Helper()
	b.tab = ""
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.tab = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 900, "height": 600, "deviceScaleFactor": 1, "mobile": false}, nil)
	if b.before != "" {
		b.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": b.before}, nil)
	}
	b.call("Page.navigate", map[string]any{"url": b.address}, nil)
}

// run runs an expression in the page, waits for its promise and decodes its value.
func (b *browser) run(expression string, value any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true,
		"awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%.200s: %s", expression, r.ExceptionDetails)
	}
	if value != nil {
		if err := json.Unmarshal(r.Result.Value, value); err != nil {
			b.t.Fatalf("%.200s: %s: %v", expression, r.Result.Value, err)
		}
	}
}

// until waits until an expression is true.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		ok := false
		if b.run("!!("+expression+")", &ok); ok {
			return
		}
		if time.Since(began) > 2*time.Minute {
			b.t.Fatalf("no %s within two minutes", what)
		}
	}
}

// picture draws the canvas anew, and takes it.
func (b *browser) picture() image.Image {
	b.t.Helper()
	var address string
	b.run(`(simdeck.draw(), document.getElementById('canvas').toDataURL())`, &address)
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(address, "data:image/png;base64,"))
	if err != nil {
		b.t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	return m
}

// quiet fails the test if the page has complained.
func (b *browser) quiet() {
	b.t.Helper()
	for _, s := range b.said {
		b.t.Errorf("the page complains: %s", s)
	}
}
