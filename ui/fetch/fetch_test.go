package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// crates serves one model, of a version that its header tells.
func crates(t *testing.T, version string) http.HandlerFunc {
	data := zipOf(t, map[string]string{"model.config": "<model/>", "model.sdf": "<sdf/>",
		"meshes/a.dae": "mesh"})
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/1.0/OpenRobotics/models/Crate/tip/Crate.zip" {
			http.NotFound(w, r)
			return
		}
		if version != "" {
			w.Header().Set("X-Ign-Resource-Version", version)
		}
		_, _ = w.Write(data)
	}
}

func TestAModelAndAFileAreBroughtWithTheirSums(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	data := []byte("#VRML_SIM R2025a utf8\n")
	model := crates(t, "3")
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "raw.githubusercontent.com" {
			_, _ = w.Write(data)
			return
		}
		model(w, r)
	})
	c := s.config(t)
	var told []Progress
	c.Tell = func(p Progress) { told = append(told, p) }
	floor := file("cyberbotics/webots/R2025a/projects/Floor.proto")
	wanted := once(c, floor, crate)
	r, err := Run(t.Context(), c, wanted)
	if err != nil || len(r.Failed) != 0 || r.Files != 4 || len(r.Brought) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	got := tree(t, c.Folder)
	sums := got[Sums]
	delete(got, Sums)
	want := map[string]string{floor.Path: string(data), crate.Path + "/3/model.config": "<model/>",
		crate.Path + "/3/model.sdf": "<sdf/>", crate.Path + "/3/meshes/a.dae": "mesh"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("there is %v\nwant %v", got, want)
	}
	for name, text := range want {
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), name); !strings.Contains(sums, line) {
			t.Errorf("%s lacks %q", sums, line)
		}
	}
	if last := told[len(told)-1]; last.Wanted != 2 || last.Done != 1 || last.Bytes == 0 ||
		last.Bytes != last.Of {
		t.Errorf("the last progress is %+v", last)
	}
	if n, wrong, err := Verify(t.Context(), c.Folder); n != 4 || len(wrong) != 0 || err != nil {
		t.Errorf("%d files, %v, %v", n, wrong, err)
	}
	asked := len(s.requests())
	if r, err = Run(t.Context(), c, wanted); err != nil || r.Files != 0 || len(s.requests()) != asked {
		t.Errorf("what is there is asked for again: %+v, %v, %q", r, err, s.requests()[asked:])
	}
	for name, damage := range map[string]func(string) error{
		crate.Path + "/3/model.sdf": os.Remove,
		floor.Path: func(f string) error {
			return os.WriteFile(f, []byte("other"),
				0o600)
		}} {
		if err := damage(filepath.Join(c.Folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, wrong, err := Verify(t.Context(), c.Folder); len(wrong) != 2 || err != nil ||
		!errors.Is(wrong[1].Err, ErrChanged) {
		t.Errorf("damaged copies: %v, %v", wrong, err)
	}
}

func TestWhatWasBroughtIsLookedIntoForMore(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.URL.Path)) })
	c := s.config(t)
	chain := []Item{file("a"), file("b"), file("c")}
	r, err := Run(t.Context(), c, func(context.Context) ([]Item, error) { // each names the next one
		for _, it := range chain {
			if _, err := os.Stat(filepath.Join(c.Folder, it.Path)); err != nil {
				return []Item{it}, errors.New("there is one missing")
			}
		}
		return nil, nil
	})
	if err != nil || len(r.Brought) != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	n := 0
	c = s.config(t)
	_, err = Run(t.Context(), c, func(context.Context) ([]Item, error) {
		n++
		return []Item{file(fmt.Sprint("x", n))}, nil
	})
	if !errors.Is(err, ErrLimit) || n > 100 {
		t.Errorf("a chain without end ends after %d with %v", n, err)
	}
}

func TestTheVersionIsTheServersOrAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	for _, c := range []struct {
		header, index string
		asked         int
		folder        string // empty: an error
	}{
		{"7", "", 0, "7"}, {"7", "", 7, "7"}, {"7", "", 6, ""}, {"", "", 6, "6"},
		{"x", "", 0, ""}, {"-1", "", 0, ""}, {"99999999999999999999", "", 0, ""}, {"../..", "", 0, ""},
		{"", `{"name":"Crate","version":12}`, 0, "12"}, {"", "", 0, "tip"},
		{"", "<html>", 0, ""}, {"", `[]`, 0, ""}, {"", `{"version":"4"}`, 0, ""}, {"", `{"version":-4}`, 0,
			""},
		{"", `{"version":1e300}`, 0, ""}, {"", `{}`, 0, ""}, {"", strings.Repeat("[", maxIndex+1), 0, ""},
		{"", strings.Repeat("[", 20_000), 0, ""},
	} {
		model := crates(t, c.header)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if c.index != "" && strings.HasSuffix(r.URL.Path, "/Crate") {
				_, _ = w.Write([]byte(c.index))
				return
			}
			model(w, r)
		})
		conf, it := s.config(t), crate
		conf.Limits.File = 4 << 20
		it.Version = c.asked
		r, err := Run(t.Context(), conf, once(conf, it))
		if err != nil {
			t.Fatal(err)
		}
		at := ""
		if len(r.Brought) == 1 {
			at = strings.TrimPrefix(r.Brought[0].Path, it.Path+"/")
		}
		if at != c.folder || at == "" && (len(r.Failed) != 1 || !errors.Is(r.Failed[0].Err, ErrServer)) {
			t.Errorf("header %.20q, index %.20q, asked %d: in %q, %v; want it in %q", c.header, c.index, c.asked, at,
				r.Failed, c.folder)
		}
		if left := tree(t, conf.Folder); at == "" && len(left) != 0 && left["./"] != "" {
			t.Errorf("header %.20q, index %.20q: it has left %v", c.header, c.index, left)
		}
	}
}

func TestAFileThatIsNotWhatItWasIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	text := "first"
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) })
	c := s.config(t)
	if _, err := Run(t.Context(), c, once(c, file("a"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(c.Folder, file("a").Path)); err != nil {
		t.Fatal(err)
	}
	text = "second"
	r, err := Run(t.Context(), c, once(c, file("a")))
	if err != nil || len(r.Failed) != 1 || !errors.Is(r.Failed[0].Err, ErrChanged) {
		t.Errorf("%+v, %v", r, err)
	}
	text = "first"
	if r, err = Run(t.Context(), c, once(c, file("a"))); err != nil || len(r.Brought) != 1 {
		t.Errorf("the file as it was: %+v, %v", r, err)
	}
	if got := strings.Count(tree(t, c.Folder)[Sums], "\n"); got != 1 {
		t.Errorf("%s has %d lines", Sums, got)
	}
}

func TestAFolderWhoseSumsAreNonsenseIsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	c := Config{Folder: t.TempDir(), Limits: DefaultLimits()}
	for _, text := range []string{"x\n", strings.Repeat("a", 64) + "  ../up\n", strings.Repeat("a", 64) +
		" b\n"} {
		if err := os.WriteFile(filepath.Join(c.Folder, Sums), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Run(t.Context(), c, once(c))
		if err == nil || !strings.Contains(err.Error(), Sums+":1:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// ranged serves a file that has a tag, as a real server does; cut bytes at a time.
func ranged(data []byte, tag string, cut int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		from := 0
		if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); n == 1 &&
			r.Header.Get("If-Range") == tag {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
			w.Header().Set("Content-Length", fmt.Sprint(len(data)-from))
			w.WriteHeader(http.StatusPartialContent)
		} else {
			from = 0
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		}
		_, _ = w.Write(data[from:min(len(data), from+cut)])
		if from+cut < len(data) {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler) // the cable is pulled
		}
	}
}

func TestADownloadThatBreaksIsContinuedWhereItBroke(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	data := bytes.Repeat([]byte("0123456789abcdef"), 8<<10)
	s := serve(t, ranged(data, `"v1"`, 50_000))
	c := s.config(t)
	r, err := Run(t.Context(), c, once(c, file("big")))
	if err != nil || len(r.Failed) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := tree(t, c.Folder)[file("big").Path]; got != string(data) {
		t.Errorf("of %d bytes came %d", len(data), len(got))
	}
	asked := s.requests()
	if len(asked) < 2 || !strings.Contains(asked[1], "bytes=") {
		t.Errorf("it asked %q", asked)
	}
}

func TestANextRunContinuesADownload(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	data := bytes.Repeat([]byte("0123456789abcdef"), 8<<10)
	broken := true
	whole, part := ranged(data, `"v1"`, len(data)), ranged(data, `"v1"`, 50_000)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !broken:
			whole(w, r)
		case r.Header.Get("Range") != "":
			panic(http.ErrAbortHandler)
		default:
			part(w, r)
		}
	})
	c := s.config(t)
	r, err := Run(t.Context(), c, once(c, file("big")))
	if err != nil || len(r.Failed) != 1 || !errors.Is(r.Failed[0].Err, ErrServer) {
		t.Fatalf("%+v, %v", r, err)
	}
	broken = false
	before := len(s.requests())
	if r, err = Run(t.Context(), c, once(c, file("big"))); err != nil || len(r.Failed) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := tree(t, c.Folder); got[file("big").Path] != string(data) || len(got) != 2 {
		t.Errorf("of %d bytes came %d; %d files", len(data), len(got[file("big").Path]), len(got))
	}
	if after := s.requests()[before:]; len(after) != 1 || !strings.Contains(after[0], "bytes=") {
		t.Errorf("the next run asks %q", after)
	}
}

func TestADownloadBeginsAnewWhereTheFileChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	old, fresh := bytes.Repeat([]byte("old-"), 30_000), bytes.Repeat([]byte("new+"), 30_000)
	calls := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls == 1 {
			ranged(old, `"v1"`, 50_000)(w, r)
			return
		}
		ranged(fresh, `"v2"`, len(fresh))(w, r)
	})
	c := s.config(t)
	if _, err := Run(t.Context(), c, once(c, file("big"))); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, c.Folder)[file("big").Path]; got != string(fresh) {
		t.Errorf("it is a mixture: %.20s … %s", got, got[max(0, len(got)-20):])
	}
}

func TestWithoutATagNothingIsContinued(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	data := bytes.Repeat([]byte("0123456789abcdef"), 8<<10)
	for tag, header := range map[string]http.Header{
		"none": {}, "weak": {"Etag": {`W/"x"`}},
		"a date of just now": {"Last-Modified": {time.Now().UTC().Format(http.TimeFormat)}}} {
		calls := 0
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for k, v := range header {
				w.Header()[k] = v
			}
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			if calls++; calls < 3 {
				_, _ = w.Write(data[:1000])
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			_, _ = w.Write(data)
		})
		c := s.config(t)
		r, err := Run(t.Context(), c, once(c, file("big")))
		if err != nil || len(r.Brought) != 1 || tree(t, c.Folder)[file("big").Path] != string(data) {
			t.Errorf("%s: %+v, %v", tag, r, err)
		}
		if slices.ContainsFunc(s.requests(), func(q string) bool { return strings.Contains(q, "bytes=") }) {
			t.Errorf("%s: it asked %q", tag, s.requests())
		}
	}
}

func TestAnOldDateIsATag(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	data := bytes.Repeat([]byte("0123456789abcdef"), 8<<10)
	date := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	calls := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Last-Modified", date)
		if calls++; calls == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			_, _ = w.Write(data[:70_000])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "big", time.Now().Add(-time.Hour), bytes.NewReader(data))
	})
	c := s.config(t)
	r, err := Run(t.Context(), c, once(c, file("big")))
	if err != nil || len(r.Brought) != 1 || tree(t, c.Folder)[file("big").Path] != string(data) {
		t.Errorf("%+v, %v", r, err)
	}
	if asked := s.requests(); len(asked) != 2 || !strings.Contains(asked[1], "bytes=") {
		t.Errorf("it asked %q", asked)
	}
}
