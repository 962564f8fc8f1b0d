package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simdeck/ui/fetch/archive"
)

// lone runs one download and gives its error.
func lone(t *testing.T, c Config, it Item) error {
	t.Helper()
	r, err := Run(t.Context(), c, once(c, it))
	if err != nil {
		return err
	}
	if len(r.Failed) == 1 {
		return r.Failed[0].Err
	}
	return nil
}

// clean fails the test where a folder holds a copy, or what is left of unpacking.
func clean(t *testing.T, c Config) {
	t.Helper()
	for name := range tree(t, c.Folder) {
		if !strings.HasPrefix(name, partial+"/") && name != "./" && !strings.HasSuffix(name, "/") ||
			strings.Contains(name, "unpacked") {
			t.Errorf("%s is there", name)
		}
	}
}

func TestRedirectsStayOnTheirHostAndEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	to := ""
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/done" || r.Host == "other.example":
			_, _ = w.Write([]byte("done"))
		case to == "for ever":
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		default:
			http.Redirect(w, r, to, http.StatusMovedPermanently)
		}
	})
	for _, c := range []struct {
		to, host string
		want     error
		says     string
	}{
		{"/done", "", nil, ""},
		{"https://raw.githubusercontent.com/done", "", nil, ""},
		{"for ever", "", ErrRefused, "more than 3 redirects"},
		{"http://raw.githubusercontent.com/done", "", ErrRefused, "http:// is not spoken"},
		{"file:///etc/passwd", "", ErrRefused, "file:// is not spoken"},
		{"ftp://raw.githubusercontent.com/x", "", ErrRefused, "ftp:// is not spoken"},
		{"https://other.example/x", "", ErrRefused, "another host, other.example; --host other.example allows it"},
		{"https://other.example/x", "other.example", nil, ""},
		{"https://raw.githubusercontent.com:8443/done", "", ErrRefused, "another host"},
		{"https://127.0.0.1/x", "", ErrRefused, "private network"},
		{"https://[::1]/x", "", ErrRefused, "private network"},
		{"https://[::ffff:10.0.0.1]/x", "", ErrRefused, "private network"},
		{"https://169.254.169.254/latest", "", ErrRefused, "private network"},
		{"https://localhost/x", "", ErrRefused, "private network"},
		{"https://user:secret@raw.githubusercontent.com/done", "", ErrRefused, "user's name"},
	} {
		to = c.to
		conf := s.config(t)
		if c.host != "" {
			conf.Hosts = []string{c.host}
		}
		err := lone(t, conf, file("start"))
		if !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("to %s: %v; want %v, %q", c.to, err, c.want, c.says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("to %s: the message has a password: %v", c.to, err)
		}
		if err != nil {
			clean(t, conf)
		}
	}
}

func TestPrivateNetworksAreAskedOnlyWhereTheUserAllowsThem(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("inside")) })
	_, port, _ := strings.Cut(s.Listener.Addr().String(), ":")
	for _, c := range []struct {
		host, allowed string
		want          error
	}{
		{"127.0.0.1:" + port, "", ErrRefused}, {"localhost:" + port, "", ErrRefused},
		{"127.0.0.1:" + port, "127.0.0.1:1", ErrRefused},
		{"127.0.0.1:" + port, "127.0.0.1:" + port, nil}, {"127.0.0.1:" + port, "127.0.0.1", nil},
		{"localhost:" + port, "LOCALHOST", nil},
	} {
		conf := s.config(t)
		conf.Dial = nil
		if c.allowed != "" {
			conf.Hosts = []string{c.allowed}
		}
		if err := lone(t, conf, Item{URL: "https://" + c.host + "/x", Path: "x"}); !errors.Is(err, c.want) {
			t.Errorf("%s with %q allowed: %v, want %v", c.host, c.allowed, err, c.want)
		}
	}
	if n := len(s.requests()); n != 3 {
		t.Errorf("the server was asked %d times, want 3", n)
	}
}

func TestANameThatLeadsIntoAPrivateNetworkIsNotConnectedTo(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false,
		"100.64.0.1":      false, "0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false,
		"198.18.0.1": false,
		"::":         false, "::1": false, "fe80::1": false, "fc00::1": false, "fec0::1": false,
		"ff02::1":          false,
		"::ffff:127.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "fe80::1%lo": false,
		"1.1.1.1": true, "140.82.121.3": true, "2606:4700::1111": true,
	} {
		if got := isPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is public: %v, want %v", address, got, want)
		}
		to := netip.AddrPortFrom(netip.MustParseAddr(address), 443).String()
		if err := public("tcp", to, nil); (err == nil) != want {
			t.Errorf("%s: %v", to, err)
		}
	}
	if err := public("tcp", "nonsense", nil); err == nil {
		t.Error("what is no address is connected to")
	}
}

func TestPlainHTTPIsNotSpoken(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	if err := lone(t, s.config(t), Item{URL: "http://raw.githubusercontent.com/x", Path: "x"}); !errors.Is(err, ErrRefused) {
		t.Errorf("%v", err)
	}
	c := s.config(t)
	c.TLS = nil // the system does not know this server
	if err := lone(t, c, file("x")); !errors.Is(err, ErrRefused) ||
		!strings.Contains(err.Error(), "certificate") {
		t.Errorf("a server without a certificate: %v", err)
	}
	if n := len(s.requests()); n != 0 {
		t.Errorf("it was asked %d times", n)
	}
}

func TestAServerThatStallsIsGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	for _, first := range []int{-1, 0, 1000} { // bytes before it stalls; -1: not even a header
		over := make(chan struct{})
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if first >= 0 {
				w.Header().Set("Content-Length", "5000")
				_, _ = w.Write(make([]byte, first))
				w.(http.Flusher).Flush()
			}
			select {
			case <-over:
			case <-r.Context().Done():
			}
		})
		c := s.config(t)
		c.Limits.Idle = 50 * time.Millisecond
		err := lone(t, c, file("x"))
		close(over)
		if !errors.Is(err, ErrStalled) && (first >= 0 || !errors.Is(err, ErrServer)) {
			t.Errorf("after %d bytes: %v", first, err)
		}
		clean(t, c)
	}
}

func TestARunEndsWhenItsTimeIsOver(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil { // a byte at a time, for ever
			_, _ = w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(time.Millisecond):
			}
		}
	})
	c := s.config(t)
	c.Limits.Time = 300 * time.Millisecond
	if err := lone(t, c, file("x")); !errors.Is(err, ErrTime) {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	c.Limits.Time = time.Minute
	c.Tell = func(p Progress) {
		if p.Bytes > 0 {
			stop()
		}
	}
	if _, err := Run(ctx, c, once(c, file("x"))); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	clean(t, c)
}

func TestServersThatLieAboutLengthsAreNotBelieved(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	data := bytes.Repeat([]byte("x"), 10_000)
	partly := func(span string) http.HandlerFunc {
		calls := 0
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"v"`)
			if calls++; r.Header.Get("Range") == "" {
				w.Header().Set("Content-Length", "10000")
				_, _ = w.Write(data[:5000])
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			w.Header().Set("Content-Range", span)
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(data)
		}
	}
	for what, c := range map[string]struct {
		handle http.HandlerFunc
		want   error
	}{
		"less than it says": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10000")
			_, _ = w.Write(data[:10])
		}, ErrServer},
		"more than is taken, and says so": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99999999999999")
			_, _ = w.Write(data)
		}, ErrLimit},
		"more than is taken, without a word": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(data); err != nil {
					return
				}
			}
		}, ErrLimit},
		"another part": {partly("bytes 0-9999/10000"), ErrServer}, "no part": {partly("nonsense"), ErrServer},
		"a part of more":       {partly("bytes 5000-14999/15000"), ErrServer},
		"a part that ends ago": {partly("bytes 5000-4999/10000"), ErrServer},
		"a negative part":      {partly("bytes 5000--1/0"), ErrServer},
		"nothing but errors": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
			ErrServer},
		"no file": {func(w http.ResponseWriter, r *http.Request) {
			http.NotFound(w, r)
		}, ErrAbsent},
		"a login": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, ErrServer},
		"headers without end": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
		}, ErrServer},
		"a part that nobody asked for": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 0-9999/10000")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(data)
		}, ErrServer},
		"a range that is none": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(416) }, ErrServer},
	} {
		s := serve(t, c.handle)
		conf := s.config(t)
		err := lone(t, conf, file("x"))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
		clean(t, conf)
		if n := len(s.requests()); n > 3*maxAttempts {
			t.Errorf("%s: it was asked %d times", what, n)
		}
	}
}

func TestGzipIsNotUnpackedOnTheWay(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, r.Header.Get("Accept-Encoding"), "|", r.Header.Get("User-Agent"))
	})
	c := s.config(t)
	if err := lone(t, c, file("x")); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, c.Folder)[file("x").Path]; got != "|simdeck-test" {
		t.Errorf("the server heard %q", got)
	}
}

func TestAllDownloadsTogetherHaveALimit(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1000)) })
	var items []Item
	for i := range 20 {
		items = append(items, file(fmt.Sprint(i)))
	}
	c := s.config(t)
	c.Limits.Total = 5500
	r, err := Run(t.Context(), c, once(c, items...))
	if !errors.Is(err, ErrLimit) || len(r.Brought) != 5 {
		t.Errorf("%d brought, %v", len(r.Brought), err)
	}
	c = s.config(t)
	c.Limits.Files = 7
	if r, err = Run(t.Context(), c, once(c, items...)); !errors.Is(err, ErrLimit) || r.Files != 7 {
		t.Errorf("%d files, %v", r.Files, err)
	}
}

func TestHostileArchivesLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	bomb := zipOf(t, map[string]string{"model.sdf": "<sdf/>", "zeros": strings.Repeat("\x00", 3<<20)})
	if len(bomb) > 8<<10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	for what, c := range map[string]struct {
		data []byte
		want error
	}{
		"a bomb": {bomb, archive.ErrTooMuch},
		"one that climbs": {zipOf(t, map[string]string{"model.sdf": "<sdf/>", "../../x": "x"}),
			archive.ErrName},
		"an absolute one":     {zipOf(t, map[string]string{"/tmp/x": "x"}), archive.ErrName},
		"no archive":          {[]byte("<html>Not found</html>"), archive.ErrFormat},
		"an empty one":        {zipOf(t, nil), ErrServer},
		"one that ends early": {bomb[:len(bomb)-30], archive.ErrFormat},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Ign-Resource-Version", "1")
			_, _ = w.Write(c.data)
		})
		conf := s.config(t)
		if err := lone(t, conf, crate); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
		clean(t, conf)
		if _, err := os.Stat(filepath.Join(conf.Folder, partial)); err == nil {
			t.Errorf("%s: %s stays", what, partial)
		}
	}
}

func TestNothingIsWrittenThroughALinkInTheFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) })
	c, away := s.config(t), t.TempDir()
	if err := os.Symlink(away, filepath.Join(c.Folder, "raw.githubusercontent.com")); err != nil {
		t.Fatal(err)
	}
	err := lone(t, c, file("x"))
	if left, _ := os.ReadDir(away); err == nil || len(left) != 0 {
		t.Errorf("%v; beyond the link lies %v", err, left)
	}
}

func TestAPathOutsideTheFolderIsNotWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) })
	c := s.config(t)
	c.Folder = filepath.Join(c.Folder, "in")
	it := file("x")
	it.Path = "../out"
	if err := lone(t, c, it); err == nil {
		t.Error("it was written")
	}
	if _, err := os.Stat(filepath.Join(c.Folder, "..", "out")); err == nil {
		t.Error("it is there")
	}
}
