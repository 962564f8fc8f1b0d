package format

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// cache keeps values in the order in which they came, as long as their weights together stay within a limit.
type cache[K comparable, V any] struct {
	limit, weight int
	values        map[K]weighed[V]
	order         []K
}

type weighed[V any] struct {
	value  V
	weight int
}

func (c *cache[K, V]) get(k K) (V, bool) {
	w, ok := c.values[k]
	return w.value, ok
}

func (c *cache[K, V]) put(k K, v V, weight int) {
	if c.values == nil {
		c.values = map[K]weighed[V]{}
	}
	if old, known := c.values[k]; known {
		c.weight -= old.weight
	} else {
		c.order = append(c.order, k)
	}
	c.values[k] = weighed[V]{v, weight}
	c.weight += weight
	for c.weight > c.limit && len(c.order) > 0 {
		c.weight -= c.values[c.order[0]].weight
		delete(c.values, c.order[0])
		c.order = c.order[1:]
	}
}

// modelKey is the place and the content of a model file.
type modelKey struct {
	ref    asset.Ref
	text   bool // given as text: has no place
	client bool // it was read for one, whose notes are others
	sum    [32]byte
	args   string
}

// maxLookups bounds what is remembered of one resource; a larger one is not kept.
const maxLookups = 10_000

// lookup is an address as it was answered.
type lookup struct {
	uri   string
	from  asset.Ref
	ref   asset.Ref
	found bool
}

// reading is a file as it was read.
type reading struct {
	ref  asset.Ref
	size int64
	time time.Time
}

func readingOf(s *asset.Space, ref asset.Ref) reading {
	info, err := s.Stat(ref)
	if err != nil {
		return reading{ref: ref, size: -1}
	}
	return reading{ref, info.Size(), info.ModTime()}
}

// kept is a compiled model and what it was made from.
type kept struct {
	spec    *scene.ModelSpec
	lookups []lookup
	reads   []reading
}

func (ld *loader) keyOf(f file) modelKey {
	args := ""
	for _, name := range slices.Sorted(maps.Keys(f.args)) {
		args += fmt.Sprintf("%q=%q ", name, f.args[name])
	}
	return modelKey{f.ref, f.source == "", ld.client, sha256.Sum256(f.data), args}
}

// recall is the model compiled from the same text before, if all that it names is still as it was.
func (l *Library) recall(f file, ld *loader) *scene.ModelSpec {
	l.mu.Lock()
	k, ok := l.models.get(ld.keyOf(f))
	l.mu.Unlock()
	if !ok || k.spec.Source != f.source {
		return nil
	}
	for _, look := range k.lookups {
		if ref, err := ld.space.Resolve(look.uri, look.from); (err == nil) != look.found || look.found &&
			ref != look.ref {
			return nil
		}
	}
	for _, r := range k.reads {
		if now := readingOf(ld.space, r.ref); now.size != r.size || !now.time.Equal(r.time) {
			return nil
		}
	}
	return k.spec
}

func (l *Library) remember(f file, ld *loader, spec *scene.ModelSpec) {
	if len(ld.lookups) >= maxLookups || len(ld.reads) >= maxLookups {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.models.put(ld.keyOf(f), &kept{spec, ld.lookups, ld.reads}, 1)
}
