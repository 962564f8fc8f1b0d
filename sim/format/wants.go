package format

import (
	"context"
	"fmt"
	"path"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// maxWanted bounds the addresses that a resource is found to lack copies of.
const maxWanted = 10_000

// wants are the addresses of networks without a local copy that a resource names, each once, in the order in
// which they were asked for.
type wants struct {
	list []asset.Address
	had  map[string]bool
	of   string // the resource as its user names it; empty: a text, or a client's
}

// add takes an address, of a model on a Fuel server that of its archive.
func (w *wants) add(a asset.Address) {
	if a.Fuel != nil {
		a = a.Fuel.Whole()
	}
	uri := a.String()
	if w.had[uri] || len(w.list) >= maxWanted {
		return
	}
	if w.had == nil {
		w.had = map[string]bool{}
	}
	w.had[uri] = true
	w.list = append(w.list, a)
}

// lack takes an address of a network that has no copy. The error says how to get one.
func (w *wants) lack(uri string, err error) error {
	a, wrong := asset.ParseAddress(uri)
	if wrong != nil {
		return err
	}
	w.add(a)
	what := w.of
	if what == "" || strings.ContainsAny(what, " \t'\"`$\\") {
		what = "WORLD"
	}
	return fmt.Errorf("%w; `simdeck fetch %s` brings one", err, what)
}

// WantBeside remembers a file that another one, itself copied from a network, names by a path. See
// webots.Files.
func (ld *loader) WantBeside(rel string, from asset.Ref) {
	roots := ld.space.Roots()
	if strings.Contains(rel, "://") || path.IsAbs(rel) || from.Root < 0 || from.Root >= len(roots) ||
		!roots[from.Root].Downloads || ld.space.InFuelCopy(from) { // an archive is whole
		return
	}
	a, err := asset.ParseAddress("https://" + path.Join(path.Dir(from.Path), strings.ReplaceAll(rel, `\`, "/")))
	if err == nil && a.Fuel == nil && a.Host == strings.ToLower(strings.SplitN(from.Path, "/", 2)[0]) {
		ld.wanted.add(a)
	}
}

// Wants lists the addresses of networks that a world or model names, with all that it includes, and that have
// no local copy. Those of models on Fuel servers are of their archives. Addresses in
// a file without a copy are not known before there is one. The error is that of reading, which may be for
// want of a copy.
func (l *Library) Wants(ctx context.Context, r scene.Resource) ([]asset.Address, error) {
	ld := newLoader(ctx, l, r)
	_, err := l.world(ld, r)
	if late := ld.Interrupted(); late != nil {
		return nil, late
	}
	return ld.wanted.list, err
}
