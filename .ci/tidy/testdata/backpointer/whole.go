// Package backpointer has parts that point back to their whole, and parts that do not.
package backpointer

type whole struct {
	a direct
	b *pointed
	c []inSlice
	d map[string]*inMap
	e alone
	f copied
	g *whole
}

type direct struct{ w *whole }
type pointed struct{ all []*whole }
type inSlice struct{ byName map[string]*whole }
type inMap struct{ w *whole }
type alone struct{ n int }
type copied struct{ last func(*whole) }
