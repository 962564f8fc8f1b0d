package viewers

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/ui/viewers/stream"
)

// sceneOf describes a model for viewers, whose lamps are told apart. links are the places in
// Snapshot.Links of its poses. Files that before has are not made again.
func sceneOf(m *sim.Model, before *assets) (s *stream.Scene, links []int, files *assets) {
	b := builder{scene: &stream.Scene{Name: m.World.Name, Entities: []stream.Entity{}, Items: []stream.Item{},
		Shapes: []stream.Shape{}, Materials: []stream.Material{}}, before: before, files: newAssets(),
		shapes: map[seen]int{}, alike: map[string]int{},
		materials: map[stream.Material]int{}}
	stage := sim.NewStage(m, nil)
	b.light(stage.Illumination())
	b.entities(m, stage)
	return b.scene, b.links, b.files
}

// builder collects a scene.
type builder struct {
	scene         *stream.Scene
	links         []int
	before, files *assets
	shapes        map[seen]int
	alike         map[string]int // shapes by what they are
	materials     map[stream.Material]int
}

// entities adds all entities with the items of the stage, which are in their order.
func (b *builder) entities(m *sim.Model, stage *render.Stage) {
	at := 0
	for i := range m.Entities {
		e := &m.Entities[i]
		first, end := len(b.links), e.FirstLink+len(e.Spec.Links)
		pose := map[int]int{} // by link
		for ; at < len(stage.Items) && stage.Items[at].Link < end; at++ {
			it := &stage.Items[at]
			if len(b.links) >= stream.MostPoses {
				continue
			}
			p, known := pose[it.Link]
			if !known {
				p = len(b.links)
				pose[it.Link], b.links = p, append(b.links, it.Link)
			}
			b.item(p, it)
		}
		b.scene.Entities = append(b.scene.Entities, stream.Entity{Name: e.Name,
			Category: e.Info.Category.String(), Static: e.Static, First: first, Count: len(b.links) - first})
	}
	b.scene.Poses = len(b.links)
}

func (b *builder) item(pose int, it *render.Item) {
	p := b.files.shape(it.Shape, b.before)
	q, _ := it.Pose.Upright().Rot.Unit()
	b.scene.Items = append(b.scene.Items, stream.Item{Pose: pose, Shape: b.shape(seen{p, it.Lamp}),
		At: [7]float32{number(it.Pose.Pos.X), number(it.Pose.Pos.Y), number(it.Pose.Pos.Z),
			number(q.W), number(q.X), number(q.Y), number(q.Z)}})
}

// seen is a shape with the lamp that it shows; 0: none.
type seen struct {
	*prepared
	lamp int
}

// shape is the index of a shape in the scene.
func (b *builder) shape(p seen) int {
	if i, known := b.shapes[p]; known {
		return i
	}
	s := stream.Shape{Mesh: p.mesh.hash, Center: vector(p.center), Radius: number(min(p.radius, farthest)),
		Runs: []stream.Run{}, NoShadow: p.dark}
	for _, r := range p.runs {
		s.Runs = append(s.Runs, stream.Run{First: 3 * r.First, Count: 3 * (r.End - r.First),
			Material: b.material(&r.Paint, p.lamp)})
	}
	key := fmt.Sprint(s.Mesh, s.Runs, s.NoShadow) // entities of several files may look alike
	i, known := b.alike[key]
	if !known {
		i = len(b.scene.Shapes)
		b.alike[key], b.scene.Shapes = i, append(b.scene.Shapes, s)
	}
	b.shapes[p] = i
	return i
}

// material is the index of a paint in the scene.
func (b *builder) material(p *render.Paint, lamp int) int {
	m := stream.Material{Diffuse: color(p.Diffuse), Ambient: color(p.Ambient), Specular: color(p.Specular),
		Emissive: color(p.Emissive), Alpha: number(float64(p.Alpha)),
		Exponent: float32(math.Exp2(float64(p.Gloss))), DoubleSided: p.DoubleSided,
		Translucent: p.Translucent, Texture: b.files.texture(p.Image, b.before), Lamp: lamp}
	i, known := b.materials[m]
	if !known {
		i = len(b.scene.Materials)
		b.materials[m] = i
		b.scene.Materials = append(b.scene.Materials, m)
	}
	return i
}

func color(c [3]float32) stream.Vector {
	return vector(r3.V(float64(c[0]), float64(c[1]), float64(c[2])))
}

func (b *builder) light(i render.Illumination) {
	b.scene.Light = stream.Light{Lamps: []stream.Lamp{}, Ambient: color(i.Ambient),
		Background: color(i.Background), Sky: i.Sky}
	for k := range i.Lights {
		b.scene.Light.Lamps = append(b.scene.Light.Lamps, lampOf(&i.Lights[k]))
	}
}

func lampOf(l *scene.Light) stream.Lamp {
	bright := l.Intensity
	if bright == 0 {
		bright = 1
	}
	times := func(c [4]float32) stream.Vector {
		return vector(r3.V(float64(c[0]), float64(c[1]), float64(c[2])).Scale(bright))
	}
	along, ok := l.Pose.Upright().Rot.Rotate(l.Direction).Unit()
	if !ok {
		along = r3.V(0, 0, -1)
	}
	out := stream.Lamp{Kind: l.Kind, Position: vector(l.Pose.Pos), Direction: vector(along),
		Diffuse: times(l.Colour), Specular: times(l.Specular), Shadows: l.Shadows}
	switch l.Kind {
	case "point", "spot":
		out.Range = number(l.Range)
		out.Fade = stream.Vector{number(l.Constant), number(l.Linear), number(l.Quadratic)}
		out.Inner, out.Outer = number(math.Cos(l.Inner/2)), number(math.Cos(l.Outer/2))
		if out.Falloff = number(l.Falloff); out.Falloff == 0 {
			out.Falloff = 1
		}
	default:
		out.Kind = "directional"
	}
	return out
}
