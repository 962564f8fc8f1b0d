package engine

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func chosen(t *testing.T, s *sim.Snapshot, f sim.Filter) string {
	t.Helper()
	list, err := f.Match(s)
	if err != nil {
		t.Fatalf("%+v: %v", f, err)
	}
	var names []string
	for _, i := range list {
		names = append(names, s.Model.Entities[i].Name)
	}
	return strings.Join(names, " ")
}

func box(x0, y0, z0, x1, y1, z1 float64) *scene.Bounds {
	return &scene.Bounds{Kind: scene.BoxBounds, Points: []r3.Vec{r3.V(x1, y1, z1), r3.V(x0, y0, z0)}}
}

func ballAround(x, y, z, r float64) *scene.Bounds {
	return &scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{r3.V(x, y, z), r3.V(r, 0, 0)}}
}

func TestFiltersChoose(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "ball", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: at(0, -3, 5)}})
	s := w.Snapshot()
	hull := &scene.Bounds{Kind: scene.HullBounds,
		Points: []r3.Vec{{X: 2, Y: 0, Z: 0.5}, {X: 2.95, Y: 0.1, Z: 0.5}, {X: 2, Y: 0.2, Z: 0.5},
			{X: 2, Y: 0, Z: 0.7}}}
	for name, c := range map[string]struct {
		f    sim.Filter
		want string
	}{
		"everything":          {sim.Filter{}, "ball crate ground rover wall"},
		"search, not match":   {sim.Filter{Name: "a"}, "ball crate wall"},
		"anchors":             {sim.Filter{Name: "^(ball|wall)$"}, "ball wall"},
		"a class":             {sim.Filter{Name: "[[:alpha:]]{5,}$"}, "crate ground rover"},
		"category":            {sim.Filter{Categories: []scene.Category{scene.Robot, scene.Human}}, "rover"},
		"static":              {sim.Filter{Categories: []scene.Category{scene.StaticObject}}, "ground wall"},
		"any tag":             {sim.Filter{Tags: []string{"small", "red"}}, "rover"},
		"all tags":            {sim.Filter{Tags: []string{"small", "red"}, TagsAll: true}, ""},
		"both tags":           {sim.Filter{Tags: []string{"small", "mobile"}, TagsAll: true}, "rover"},
		"name and category":   {sim.Filter{Name: "o", Categories: []scene.Category{scene.Robot}}, "rover"},
		"box":                 {sim.Filter{Region: box(-1, 1, 0.1, 1, 3, 1)}, "crate"},
		"either corner first": {sim.Filter{Region: box(1, 3, 1, -1, 1, 0.1)}, "crate"},
		"the ground is solid": {sim.Filter{Region: box(8, 8, -2, 9, 9, -1)}, "ground"},
		"sphere":              {sim.Filter{Region: ballAround(0, -3, 6, 0.6)}, "ball"},
		// Its corner reaches into the ball's bounding box, not into the ball.
		"exact, not boxes": {sim.Filter{Region: box(0.4, -2.6, 5.4, 1, -2, 6)}, ""},
		"hull":             {sim.Filter{Region: hull}, "wall"},
		"no bounds":        {sim.Filter{Region: &scene.Bounds{}}, "ball crate ground rover wall"},
	} {
		if got := chosen(t, s, c.f); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		remote := *s
		model := *s.Model
		remote.Model = &model
		model.Entities = append([]sim.EntityModel{}, model.Entities...)
		for i := range model.Entities {
			model.Entities[i].Compiled = nil
		}
		if got := chosen(t, &remote, c.f); got != c.want {
			t.Errorf("%s, over a network: %q, want %q", name, got, c.want)
		}
	}
}

func TestFiltersFollowWhatMoves(t *testing.T) {
	w := yard(t, sim.Paused)
	p := r3.PoseRPY(-5, 0, 0, 0, 0, 1.57)
	apply(t, w, sim.SetEntityState{Name: "rover", Pose: &p})
	// The left wheel, and nothing else of it, reaches there.
	if got := chosen(t, w.Snapshot(), sim.Filter{Region: ballAround(-5.25, 0, 0.1, 0.04)}); got != "rover" {
		t.Errorf("chose %q, want rover", got)
	}
}

func TestAFilterThatMeansNothingIsAnError(t *testing.T) {
	s := yard(t, sim.Paused).Snapshot()
	for name, c := range map[string]struct {
		f    sim.Filter
		says string
	}{
		"open bracket":  {sim.Filter{Name: "ab[c"}, "position 3"},
		"open group":    {sim.Filter{Name: "(a"}, "position 1"},
		"nothing to do": {sim.Filter{Name: "*"}, "position 1"},
		"too long":      {sim.Filter{Name: strings.Repeat("a", 5000)}, "5000 bytes"},
		"one corner": {sim.Filter{Region: &scene.Bounds{Kind: scene.BoxBounds, Points: make([]r3.Vec, 1)}},
			"1 points"},
		"no radius": {sim.Filter{Region: ballAround(0, 0, 0, 0)}, "radius"},
		"flat hull": {sim.Filter{Region: &scene.Bounds{Kind: scene.HullBounds, Points: make([]r3.Vec, 4)}},
			"bounds"},
		"too many": {sim.Filter{Region: &scene.Bounds{Kind: scene.HullBounds,
			Points: make([]r3.Vec, 5000)}}, "5000 points"},
		"not a number":   {sim.Filter{Region: ballAround(0, 0, nan(), 1)}, "NaN"},
		"unknown bounds": {sim.Filter{Region: &scene.Bounds{Kind: 9, Points: make([]r3.Vec, 2)}}, "9"},
	} {
		if _, err := c.f.Match(s); err == nil || !strings.Contains(err.Error(), c.says) ||
			!errors.Is(err, sim.ErrFailed) && !errors.Is(err, sim.ErrUnsupported) {
			t.Errorf("%s: %v, want an error that says %q", name, err, c.says)
		}
		if _, err := c.f.MatchPoses(s); err == nil {
			t.Errorf("%s: accepted for named poses", name)
		}
	}
}

func TestNamedPosesByTagAndRegion(t *testing.T) {
	s := yard(t, sim.Stopped).Snapshot()
	for name, c := range map[string]struct {
		f    sim.Filter
		want int
	}{
		"all": {sim.Filter{}, 2}, "any tag": {sim.Filter{Tags: []string{"indoor", "start"}}, 2},
		"all tags":  {sim.Filter{Tags: []string{"indoor", "start"}, TagsAll: true}, 1},
		"name":      {sim.Filter{Name: "do"}, 1},
		"region":    {sim.Filter{Region: ballAround(-4, 0, 0, 0.5)}, 1},
		"elsewhere": {sim.Filter{Region: ballAround(9, 9, 9, 0.5)}, 0},
	} {
		if got, err := c.f.MatchPoses(s); err != nil || len(got) != c.want {
			t.Errorf("%s: %v, %v; want %d", name, got, err, c.want)
		}
	}
}
