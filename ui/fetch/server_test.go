package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is a server of this machine that all names lead to.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // METHOD HOST/PATH RANGE
	names *x509.CertPool
}

// serve starts a server with a certificate for some names.
func serve(t *testing.T, handle http.HandlerFunc) *server {
	t.Helper()
	s := &server{names: x509.NewCertPool()}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		DNSNames:    []string{"fuel.gazebosim.org", "raw.githubusercontent.com", "other.example", "localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	data, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(data)
	if err != nil {
		t.Fatal(err)
	}
	s.names.AddCert(certificate)
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, strings.TrimSpace(r.Host+r.URL.Path+" "+r.Header.Get("Range")))
		s.mu.Unlock()
		handle(w, r)
	}))
	s.EnableHTTP2 = true
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{data}, PrivateKey: key}}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// requests lists the requests so far.
func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// config asks that server whatever host is named, and waits for little.
func (s *server) config(t *testing.T) Config {
	to := s.Listener.Addr().String()
	return Config{Folder: t.TempDir(), Agent: "simdeck-test", Pause: time.Millisecond,
		Limits: Limits{File: 1 << 20, Total: 4 << 20, Files: 100, Redirects: 3, Idle: 20 * time.Second,
			Time: time.Minute},
		TLS: &tls.Config{RootCAs: s.names},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, to)
		}}
}

// once wants some items, as long as their copies are not there.
func once(c Config, items ...Item) func(context.Context) ([]Item, error) {
	return func(context.Context) (missing []Item, err error) {
		for _, it := range items {
			if _, err := os.Stat(filepath.Join(c.Folder, it.Path)); err != nil {
				missing = append(missing, it)
			}
		}
		return missing, nil
	}
}

// file is a plain file of a server, crate a model.
func file(name string) Item {
	return Item{URL: "https://raw.githubusercontent.com/" + name, Path: "raw.githubusercontent.com/" + name}
}

var crate = Item{URL: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Crate/tip/Crate.zip",
	Path: "fuel.gazebosim.org/openrobotics/models/crate", Archive: true,
	Index: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Crate"}

// zipOf is an archive of files by names.
func zipOf(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tree is the content of a folder: texts by paths. Folders that are empty end in a slash.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if !e.IsDir() {
			data, err := os.ReadFile(name)
			all[filepath.ToSlash(rel)] = string(data)
			return err
		}
		if inside, err := os.ReadDir(name); err != nil || len(inside) == 0 {
			all[filepath.ToSlash(rel)+"/"] = ""
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
