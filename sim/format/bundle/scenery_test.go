package bundle

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// furnished is a bundle whose scenery is read.
type furnished struct {
	parts
	world *scene.WorldSpec
}

func (f furnished) Scenery(uri string, _ asset.Ref) (*scene.WorldSpec, error) {
	if f.world == nil {
		return nil, scene.ErrMissingAssets
	}
	return f.world, nil
}

func TestSceneryAddsWhatItHolds(t *testing.T) {
	files := site()
	files["world.yaml"] += "scenery: things.xml\n"
	things := &scene.WorldSpec{Models: []scene.Placed{{Name: "cone"}}, Lights: make([]scene.Light, 1),
		NamedPoses: []scene.NamedPose{{Name: "gate"}}}
	w, err := World("site/world.yaml", asset.Ref{}, []byte(files["world.yaml"]), furnished{files, things})
	if err != nil {
		t.Fatal(err)
	}
	bare, err := World("site/world.yaml", asset.Ref{}, []byte(site()["world.yaml"]), site())
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Models) != len(bare.Models)+1 || len(w.Lights) != len(bare.Lights)+1 ||
		len(w.NamedPoses) != len(bare.NamedPoses)+1 {
		t.Errorf("%d models, %d lights, %d poses", len(w.Models), len(w.Lights), len(w.NamedPoses))
	}
	if last := w.Models[len(w.Models)-1]; last.Name != w.Site.Ego {
		t.Errorf("the vehicle is not the last model: %s", last.Name)
	}
}

func TestSceneryThatCannotBeIsRefused(t *testing.T) {
	files := site()
	files["world.yaml"] += "scenery: things.xml\n"
	for want, things := range map[string]*scene.WorldSpec{
		`has a model "ego"`:    {Models: []scene.Placed{{Name: "ego"}}},
		`has a model "ground"`: {Models: []scene.Placed{{Name: "ground"}}},
		`has a pose "start"`:   {NamedPoses: []scene.NamedPose{{Name: "start"}}},
		"world.yaml:11:10":     nil,
	} {
		_, err := World("site/world.yaml", asset.Ref{}, []byte(files["world.yaml"]), furnished{files, things})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if things == nil && !errors.Is(err, scene.ErrMissingAssets) {
			t.Errorf("%v is no missing asset", err)
		}
	}
	w, err := World("site/world.yaml", asset.Ref{}, []byte(files["world.yaml"]), files)
	if err != nil || !w.Notes.Has(scene.Unsupported) {
		t.Errorf("where no SDF is read: %v, notes %v", err, w.Notes)
	}
}
