package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// internet is two servers of this machine behind a proxy, which simdeck takes for the Internet.
type internet struct {
	mu    sync.Mutex
	asked []string // HOST/PATH
	env   []string // that leads there
}

// requests lists the requests since the last call.
func (i *internet) requests() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := i.asked
	i.asked = nil
	return all
}

// dialUp starts an internet with some files, by HOST/PATH.
func dialUp(t *testing.T, files map[string][]byte) *internet {
	t.Helper()
	i := &internet{}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		IsCA:     true,
		NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		DNSNames: []string{"fuel.gazebosim.org", "raw.githubusercontent.com"}}
	data, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	trusted := filepath.Join(t.TempDir(), "trusted.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: data})
	if err := os.WriteFile(trusted, text, 0o600); err != nil {
		t.Fatal(err)
	}
	servers := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		i.asked = append(i.asked, r.Host+r.URL.Path)
		i.mu.Unlock()
		file, ok := files[r.Host+r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("X-Ign-Resource-Version", "4")
		_, _ = w.Write(file)
	}))
	servers.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{data}, PrivateKey: key}}}
	servers.StartTLS()
	t.Cleanup(servers.Close)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		far, err := net.Dial("tcp", servers.Listener.Addr().String())
		if r.Method != http.MethodConnect || err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer far.Close()
		near, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer near.Close()
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(far, near) }()
		_, _ = io.Copy(near, far)
	}))
	t.Cleanup(proxy.Close)
	i.env = []string{"HTTPS_PROXY=" + proxy.URL, "NO_PROXY=", "SSL_CERT_FILE=" + trusted, "SSL_CERT_DIR=/nowhere"}
	return i
}

// zipped is an archive.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(files[name]))
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

func TestFetchTakesWorldsOffline(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	const hall = `<sdf version="1.9"><model name="hall"><static>1</static><link name="l"><visual name="v"><geometry>
<mesh><uri>model://hall/meshes/t.stl</uri></mesh></geometry></visual></link>
<include><uri>https://fuel.ignitionrobotics.org/1.0/zoo/models/Door</uri></include></model></sdf>`
	const door = `<sdf version="1.9"><model name="door"><static>1</static><link name="l"><collision name="c"><geometry>
<box><size>1 0.1 2</size></box></geometry></collision></link></model></sdf>`
	const triangle = "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid t\n"
	const library = "raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/"
	net := dialUp(t, map[string][]byte{
		"fuel.gazebosim.org/1.0/zoo/models/Big Hall/tip/Big Hall.zip": zipped(t, map[string]string{"model.sdf": hall,
			"meshes/t.stl": triangle}),
		"fuel.gazebosim.org/1.0/zoo/models/Door/tip/Door.zip": zipped(t, map[string]string{"model.sdf": door}),
		library + "things/protos/Thing.proto": []byte("#VRML_SIM R2023b utf8\nEXTERNPROTO \"Part.proto\"\n" +
			"PROTO Thing [] { Solid { children [ Part {} ] } }"),
		library + "things/protos/Part.proto": []byte("#VRML_SIM R2023b utf8\nPROTO Part [] { Shape { geometry Mesh { url \"t.stl\" } } }"),
		library + "things/protos/t.stl":      []byte(triangle),
	})
	dir, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"depot.sdf": `<sdf version="1.9"><world name="depot">
<include><uri>https://fuel.gazebosim.org/1.0/zoo/models/Big%20Hall</uri></include></world></sdf>`,
		"half.sdf": `<sdf version="1.9"><world name="half"><include><uri>https://fuel.gazebosim.org/1.0/zoo/models/Door</uri></include>
<include><uri>https://fuel.gazebosim.org/1.0/zoo/models/Gone/2</uri></include></world></sdf>`,
		"office.wbt": "#VRML_SIM R2023b utf8\nEXTERNPROTO \"https://" + library + "things/protos/Thing.proto\"\nWorldInfo {}\nThing {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	simdeck := func(home string, args ...string) (said string, code int) {
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		defer stop()
		cmd := exec.CommandContext(ctx, os.Args[0], args...)
		cmd.Dir = dir
		cmd.Env = append([]string{asMain + "=simdeck", "HOME=" + home, "PATH=" + os.Getenv("PATH")},
			net.env...)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	for _, c := range []struct {
		home, args string
		code       int
		says       string
		asks       int
	}{
		{home, "check depot.sdf", 0, "simdeck fetch " + filepath.Join(dir, "depot.sdf"), 0},
		{home, "fetch depot.sdf --dry-run", 0, "Big%20Hall.zip", 0},
		{home, "fetch depot.sdf office.wbt", 0, "fuel.gazebosim.org/zoo/models/big hall/4", 5},
		{home, "check --strict depot.sdf", 0, "depot", 0},
		{home, "check --strict office.wbt", 0, "office", 0},
		{home, "fetch depot.sdf office.wbt", 0, "", 0},
		{home, "fetch --verify", 0, "6 files in", 0},
		{t.TempDir(), "fetch depot.sdf office.wbt --to mirror", 0, "6 files", 5},
		{t.TempDir(), "check --strict depot.sdf office.wbt --assets mirror", 0, "depot", 0},
		{home, "fetch half.sdf", 3, "Gone.zip", 1},
		{t.TempDir(), "run half.sdf --fetch --no-ros --rtf 0 --duration 10ms", 0, "--fetch: https://fuel.gazebosim.org/1.0/zoo/models/Gone/2/Gone.zip", 2},
		{t.TempDir(), "run depot.sdf --no-ros --rtf 0 --duration 10ms", 0, "", 0},
		{home, "fetch https://fuel.gazebosim.org/1.0/zoo/models/Gone", 3, "Gone", 1},
		{t.TempDir(), "fetch https://fuel.gazebosim.org/1.0/zoo/models/Big%20Hall", 0, "3 files", 2},
	} {
		said, code := simdeck(c.home, strings.Fields(c.args)...)
		asked := net.requests()
		if code != c.code || !strings.Contains(said, c.says) || len(asked) != c.asks {
			t.Errorf("simdeck %s: exit %d, want %d; want %q in it; asked %q, want %d\n%s", c.args, code, c.code, c.says,
				asked, c.asks, said)
		}
	}
}
