package format

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
)

// xmlSidecar reads a sidecar that is XML: the keys of the JSON form as elements, <simulationinfo> around
// them.
//
//	<simulationinfo>
//	  <description>…</description> <category>robot</category> <tags>one two</tags> <asset>model.sdf</asset>
//	  <bounds><box><min>0 0 0</min><max>1 1 1</max></box></bounds>
//	  <convex><parts>12</parts><error>0.05</error></convex>
//	</simulationinfo>
//
// Other bounds are <sphere> with <centre> and <radius>, and <hull> with <point>s.
//
// O3DE's form is an <ObjectStream> with a <Class> that has each of them as a <Class field="…" value="…">.
func xmlSidecar(text string) (s sidecar, unknown []string, err error) {
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{Bytes: 1 << 20, Elements: 10_000})
	if err != nil {
		return s, nil, err
	}
	root := tree.Root
	switch {
	case root.Name == "ObjectStream":
		if root, err = o3deRoot(root); err != nil {
			return s, nil, err
		}
	case strings.EqualFold(root.Name, "simulationinfo"):
		root = plainXML(root)
	default:
		return s, nil, fmt.Errorf("%v: root element <%.40s>; <simulationinfo> is meant", root.Pos, root.Name)
	}
	for _, k := range root.Kids {
		switch k.Name {
		case "description":
			s.Description = strings.Join(strings.Fields(k.Text), " ")
		case "category":
			s.Category = sidecarWord(k.Value())
		case "asset":
			s.Asset = xmlAsset(k)
		case "assetid":
			s.AssetID = xmlAsset(k)
		case "tags":
			s.Tags = append(s.Tags, strings.Fields(k.Text)...)
			for _, tag := range k.All("tag") {
				s.Tags = append(s.Tags, tag.Value())
			}
		case "bounds":
			s.Bounds, err = xmlArea(k)
		case "convex":
			err = s.xmlConvex(k)
		}
		if err != nil {
			return s, nil, err
		}
	}
	return s, knownKeys.inXML(root, nil), nil
}

// numbersOf reads count numbers of an element.
func numbersOf(at, n *xmltree.Node, count int) ([]float64, error) {
	if n == nil {
		return nil, fmt.Errorf("%v: something is missing in <%s>", at.Pos, at.Name)
	}
	words := strings.Fields(n.Text)
	if len(words) != count {
		return nil, fmt.Errorf("%v: <%s> has %d numbers, needs %d", n.Pos, n.Name, len(words), count)
	}
	out := make([]float64, count)
	for i, w := range words {
		f, err := source.ParseFloat(w)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%v: %.40q in <%s> is not a finite number", n.Pos, w, n.Name)
		}
		out[i] = f
	}
	return out, nil
}

func triple(at, n *xmltree.Node, to *[3]float64) error {
	f, err := numbersOf(at, n, 3)
	copy(to[:], f)
	return err
}

func xmlArea(n *xmltree.Node) (*sidecarArea, error) {
	a := &sidecarArea{}
	box, sphere, hull := n.Child("box"), n.Child("sphere"), n.Child("hull")
	switch {
	case box != nil:
		a.Box = &struct {
			Min [3]float64 `json:"min"`
			Max [3]float64 `json:"max"`
		}{}
		return a, errors.Join(triple(box, box.Child("min"), &a.Box.Min),
			triple(box, box.Child("max"), &a.Box.Max))
	case sphere != nil:
		a.Sphere = &sidecarSphere{}
		for _, spelling := range []string{"centre", "center"} {
			if c := sphere.Child(spelling); c != nil {
				if err := triple(sphere, c, &a.Sphere.Centre); err != nil {
					return a, err
				}
			}
		}
		f, err := numbersOf(sphere, sphere.Child("radius"), 1)
		if err == nil {
			a.Sphere.Radius = f[0]
		}
		return a, err
	case hull != nil:
		for _, p := range hull.All("point") {
			var v [3]float64
			if err := triple(hull, p, &v); err != nil {
				return a, err
			}
			a.Hull = append(a.Hull, v)
		}
	}
	return a, nil
}

func (s *sidecar) xmlConvex(n *xmltree.Node) error {
	s.Convex = &struct {
		Parts *int     `json:"parts"`
		Error *float64 `json:"error"`
	}{}
	if k := n.Child("parts"); k != nil {
		f, err := numbersOf(n, k, 1)
		if err != nil {
			return err
		}
		if f[0] != math.Trunc(f[0]) || math.Abs(f[0]) > 1e6 {
			return fmt.Errorf("%v: %g parts; want a whole number", k.Pos, f[0])
		}
		parts := int(f[0])
		s.Convex.Parts = &parts
	}
	if k := n.Child("error"); k != nil {
		f, err := numbersOf(n, k, 1)
		if err != nil {
			return err
		}
		s.Convex.Error = &f[0]
	}
	return nil
}
