package sweep

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/yamlsrc"
)

// varied is a library whose worlds are as a run wants them.
type varied struct {
	scene.Library
	run *Run
}

// World reads a world and changes what the run changes; what is shared stays as it is.
// Errors are those of the library, and scene.ErrNotFound for an entity that the world does not have.
func (v varied) World(r scene.Resource) (*scene.WorldSpec, error) {
	return v.WorldContext(context.Background(), r)
}

// ModelContext is Model that ends early with ctx.
func (v varied) ModelContext(ctx context.Context, r scene.Resource) (*scene.ModelSpec, error) {
	return scene.ModelContext(ctx, v.Library, r)
}

// WorldContext is World that ends early with ctx.
func (v varied) WorldContext(ctx context.Context, r scene.Resource) (*scene.WorldSpec, error) {
	read, err := scene.WorldContext(ctx, v.Library, r)
	if err != nil {
		return nil, err
	}
	w := *read
	w.Models = slices.Clone(read.Models)
	if g, ok := v.run.Values["gravity"]; ok {
		z, _ := strconv.ParseFloat(g, 64)
		w.Gravity = r3.V(0, 0, z)
	}
	for name, pose := range v.run.under("pose.") {
		p, err := placed(&w, name)
		if err != nil {
			return nil, fmt.Errorf("pose.%s: %w", name, err)
		}
		p.Pose = moved(p.Pose, numbers(pose))
	}
	for name, most := range v.run.under("jitter.") {
		p, err := placed(&w, name)
		if err != nil {
			return nil, fmt.Errorf("jitter.%s: %w", name, err)
		}
		p.Pose = jittered(p.Pose, numbers(most), v.run.Seed, name)
	}
	for name, mu := range v.run.under("friction.") {
		p, err := placed(&w, name)
		if err != nil {
			return nil, fmt.Errorf("friction.%s: %w", name, err)
		}
		p.Model = frictionScaled(p.Model, numbers(mu)[0])
	}
	return &w, nil
}

// placed is the model of a world that goes by a name.
func placed(w *scene.WorldSpec, name string) (*scene.Placed, error) {
	var names []string
	for i := range w.Models {
		if w.Models[i].Name == name {
			return &w.Models[i], nil
		}
		names = append(names, w.Models[i].Name)
	}
	return nil, missing(name, "world "+strconv.Quote(w.Name), names)
}

// missing is the error of a name that nobody has.
func missing(name, where string, names []string) error {
	if near := scene.Suggest(name, names); near != "" {
		return fmt.Errorf("%w: %s has no %q; did you mean %q?", scene.ErrNotFound, where, name, near)
	}
	slices.Sort(names)
	return fmt.Errorf("%w: %s has no %q; there are %s", scene.ErrNotFound, where, name,
		yamlsrc.Clip(strings.Join(names, ", ")))
}

// moved is a pose at another place: x and y, with z and yaw where they are given. Without a yaw it is turned
// as before.
func moved(p r3.Pose, to []float64) r3.Pose {
	z := p.Pos.Z
	if len(to) > 2 {
		z = to[2]
	}
	if len(to) > 3 {
		return r3.PoseRPY(to[0], to[1], z, 0, 0, to[3])
	}
	p.Pos = r3.V(to[0], to[1], z)
	return p
}

// jittered is a pose moved uniformly by at most most[:3] in x, y and z, and turned about the world's z by at
// most most[3]. Every entity has a stream of its own, so that it is moved alike whatever else is.
func jittered(p r3.Pose, most []float64, seed uint64, name string) r3.Pose {
	h := fnv.New64a()
	h.Write([]byte(name))
	from := rand.New(rand.NewPCG(seed, h.Sum64()))
	var by [4]float64
	for i := range most {
		by[i] = most[i] * (2*from.Float64() - 1)
	}
	p.Pos = p.Pos.Add(r3.V(by[0], by[1], by[2]))
	if by[3] != 0 {
		p.Rot = r3.PoseRPY(0, 0, 0, 0, 0, by[3]).Rot.Mul(p.Rot)
	}
	return p
}

// frictionScaled is a model whose collision shapes all have one friction.
func frictionScaled(m *scene.ModelSpec, mu float64) *scene.ModelSpec {
	c := *m
	c.Links = slices.Clone(m.Links)
	for i := range c.Links {
		c.Links[i].Collisions = slices.Clone(c.Links[i].Collisions)
		for k := range c.Links[i].Collisions {
			s := &c.Links[i].Collisions[k].Surface
			s.Mu, s.Mu2, s.Default = mu, mu, false
		}
	}
	return &c
}

// numbers are those of a value, which Parse has checked.
func numbers(text string) (all []float64) {
	for _, word := range strings.Fields(text) {
		f, _ := strconv.ParseFloat(word, 64)
		all = append(all, f)
	}
	return all
}
