package sim

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func chosen(t *testing.T, s *Snapshot, f Filter) string {
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
	w := yard(t, Paused)
	apply(t, w, Spawn{Name: "ball", Resource: Resource{URI: "ball"}, Pose: FramedPose{Pose: at(0, -3, 5)}})
	s := w.Snapshot()
	hull := &scene.Bounds{Kind: scene.HullBounds,
		Points: []r3.Vec{{X: 2, Y: 0, Z: 0.5}, {X: 2.95, Y: 0.1, Z: 0.5}, {X: 2, Y: 0.2, Z: 0.5},
			{X: 2, Y: 0, Z: 0.7}}}
	for name, c := range map[string]struct {
		f    Filter
		want string
	}{
		"everything":          {Filter{}, "ball crate ground rover wall"},
		"search, not match":   {Filter{Name: "a"}, "ball crate wall"},
		"anchors":             {Filter{Name: "^(ball|wall)$"}, "ball wall"},
		"a class":             {Filter{Name: "[[:alpha:]]{5,}$"}, "crate ground rover"},
		"category":            {Filter{Categories: []scene.Category{scene.Robot, scene.Human}}, "rover"},
		"static":              {Filter{Categories: []scene.Category{scene.StaticObject}}, "ground wall"},
		"any tag":             {Filter{Tags: []string{"small", "red"}}, "rover"},
		"all tags":            {Filter{Tags: []string{"small", "red"}, TagsAll: true}, ""},
		"both tags":           {Filter{Tags: []string{"small", "mobile"}, TagsAll: true}, "rover"},
		"name and category":   {Filter{Name: "o", Categories: []scene.Category{scene.Robot}}, "rover"},
		"box":                 {Filter{Region: box(-1, 1, 0.1, 1, 3, 1)}, "crate"},
		"either corner first": {Filter{Region: box(1, 3, 1, -1, 1, 0.1)}, "crate"},
		"the ground is solid": {Filter{Region: box(8, 8, -2, 9, 9, -1)}, "ground"},
		"sphere":              {Filter{Region: ballAround(0, -3, 6, 0.6)}, "ball"},
		// Its corner reaches into the ball's bounding box, not into the ball.
		"exact, not boxes": {Filter{Region: box(0.4, -2.6, 5.4, 1, -2, 6)}, ""},
		"hull":             {Filter{Region: hull}, "wall"},
		"no bounds":        {Filter{Region: &scene.Bounds{}}, "ball crate ground rover wall"},
	} {
		if got := chosen(t, s, c.f); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		remote := *s
		model := *s.Model
		remote.Model = &model
		model.Entities = append([]EntityModel{}, model.Entities...)
		for i := range model.Entities {
			model.Entities[i].Compiled = nil
		}
		if got := chosen(t, &remote, c.f); got != c.want {
			t.Errorf("%s, over a network: %q, want %q", name, got, c.want)
		}
	}
}

func TestFiltersFollowWhatMoves(t *testing.T) {
	w := yard(t, Paused)
	p := r3.PoseRPY(-5, 0, 0, 0, 0, 1.57)
	apply(t, w, SetEntityState{Name: "rover", Pose: &p})
	// The left wheel, and nothing else of it, reaches there.
	if got := chosen(t, w.Snapshot(), Filter{Region: ballAround(-5.25, 0, 0.1, 0.04)}); got != "rover" {
		t.Errorf("chose %q, want rover", got)
	}
}

func TestAFilterThatMeansNothingIsAnError(t *testing.T) {
	s := yard(t, Paused).Snapshot()
	for name, c := range map[string]struct {
		f    Filter
		says string
	}{
		"open bracket":  {Filter{Name: "ab[c"}, "position 3"},
		"open group":    {Filter{Name: "(a"}, "position 1"},
		"nothing to do": {Filter{Name: "*"}, "position 1"},
		"too long":      {Filter{Name: strings.Repeat("a", 5000)}, "5000 bytes"},
		"one corner": {Filter{Region: &scene.Bounds{Kind: scene.BoxBounds, Points: make([]r3.Vec, 1)}},
			"1 points"},
		"no radius": {Filter{Region: ballAround(0, 0, 0, 0)}, "radius"},
		"flat hull": {Filter{Region: &scene.Bounds{Kind: scene.HullBounds, Points: make([]r3.Vec, 4)}},
			"bounds"},
		"too many": {Filter{Region: &scene.Bounds{Kind: scene.HullBounds,
			Points: make([]r3.Vec, 5000)}}, "5000 points"},
		"not a number":   {Filter{Region: ballAround(0, 0, nan(), 1)}, "NaN"},
		"unknown bounds": {Filter{Region: &scene.Bounds{Kind: 9, Points: make([]r3.Vec, 2)}}, "9"},
	} {
		if _, err := c.f.Match(s); err == nil || !strings.Contains(err.Error(), c.says) ||
			!errors.Is(err, ErrFailed) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v, want an error that says %q", name, err, c.says)
		}
		if _, err := c.f.MatchPoses(s); err == nil {
			t.Errorf("%s: accepted for named poses", name)
		}
	}
}

func TestNamedPosesByTagAndRegion(t *testing.T) {
	s := yard(t, Stopped).Snapshot()
	for name, c := range map[string]struct {
		f    Filter
		want int
	}{
		"all": {Filter{}, 2}, "any tag": {Filter{Tags: []string{"indoor", "start"}}, 2},
		"all tags":  {Filter{Tags: []string{"indoor", "start"}, TagsAll: true}, 1},
		"name":      {Filter{Name: "do"}, 1},
		"region":    {Filter{Region: ballAround(-4, 0, 0, 0.5)}, 1},
		"elsewhere": {Filter{Region: ballAround(9, 9, 9, 0.5)}, 0},
	} {
		if got, err := c.f.MatchPoses(s); err != nil || len(got) != c.want {
			t.Errorf("%s: %v, %v; want %d", name, got, err, c.want)
		}
	}
}
