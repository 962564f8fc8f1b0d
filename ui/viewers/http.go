package viewers

import (
	"embed"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

//go:embed page
var embedded embed.FS

// pageFiles are the files of the page. Requests name one of them, or a hash.
var pageFiles = func() map[string]*asset {
	kinds := map[string]string{"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
		"css": "text/css; charset=utf-8", "svg": "image/svg+xml"}
	files := map[string]*asset{}
	entries, _ := fs.ReadDir(embedded, "page")
	for _, e := range entries {
		data, _ := fs.ReadFile(embedded, "page/"+e.Name())
		files[e.Name()] = newAsset(kinds[e.Name()[strings.LastIndexByte(e.Name(), '.')+1:]], data)
	}
	return files
}()

// policy lets the page load what this server has, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// handler answers requests for the page, the files of scenes and the WebSocket.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		send(w, r, pageFiles["index.html"], "no-cache")
	})
	mux.HandleFunc("GET /{file}", func(w http.ResponseWriter, r *http.Request) {
		send(w, r, pageFiles[r.PathValue("file")], "no-cache")
	})
	scene := func(w http.ResponseWriter, r *http.Request) {
		send(w, r, s.file(r.PathValue("hash")), "private, max-age=86400, immutable")
	}
	mux.HandleFunc("GET /mesh/{hash}", scene)
	mux.HandleFunc("GET /texture/{hash}", scene)
	mux.HandleFunc("GET /stream", s.accept)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !s.called(r.Host) {
			http.Error(w, fmt.Sprintf("this host is not called %q: name it with --viewers-names", r.Host),
				http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// called reports whether a browser may use an address. A name that is not ours may be another site's, which
// has it lead here (DNS rebinding); an IP address cannot be.
func (s *Server) called(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if _, err := netip.ParseAddr(host); err == nil || strings.EqualFold(host, "localhost") {
		return true
	}
	return slices.ContainsFunc(s.c.Names, func(n string) bool { return strings.EqualFold(n, host) })
}

// origins are the patterns of pages that may open the WebSocket, besides our own.
func (s *Server) origins() (all []string) {
	for _, n := range s.c.Names {
		all = append(all, n, n+":*")
	}
	return all
}

// file is a file of a scene that is shown now.
func (s *Server) file(hash string) *asset {
	s.mu.Lock()
	worlds := slices.Clone(s.worlds)
	s.mu.Unlock()
	for _, w := range worlds {
		if a := w.file(hash); a != nil {
			return a
		}
	}
	return nil
}

// send answers with a file; nil: there is none.
func send(w http.ResponseWriter, r *http.Request, a *asset, keep string) {
	if a == nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	tag := strconv.Quote(a.hash)
	h.Set("ETag", tag)
	h.Set("Cache-Control", keep)
	h.Set("Content-Type", a.kind)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(a.data)))
	w.Write(a.data)
}
