package webots

import (
	"fmt"
	"math"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
)

// floorDepth is the thickness of floors that end somewhere.
const floorDepth = 0.05

var floors = map[string]*builtin{
	"Floor": {
		fields: placed + `"floor" field SFString contactMaterial "default" field SFVec2f size 10 10 field SFVec2f tileSize 0.5 0.5 field SFNode appearance Parquetry { }`,
		body: func(a *args) string {
			return fmt.Sprintf("Solid { %s name IS name contactMaterial IS contactMaterial children [ Shape { appearance IS appearance geometry DEF F Plane { size IS size } } ] boundingObject USE F }",
				a.stand())
		},
	},
	"RectangleArena": {
		fields: placed + `"rectangle arena" field SFString contactMaterial "default" field SFVec2f floorSize 1 1 field SFVec2f floorTileSize 0.5 0.5 field SFNode floorAppearance Parquetry { } field SFFloat wallThickness 0.01 field SFFloat wallHeight 0.1 field SFNode wallAppearance BrushedAluminium { }`,
		body: func(a *args) string {
			x, y := a.pair("floorSize")
			t, h := a.num("wallThickness"), a.num("wallHeight")
			parts := box(r3.V(0, 0, -floorDepth/2), r3.V(x, y, floorDepth), "IS floorAppearance")
			for _, side := range [...]float64{-1, 1} {
				parts += box(r3.V(side*(x+t)/2, 0, h/2), r3.V(t, y, h), "IS wallAppearance")
				parts += box(r3.V(0, side*(y+t)/2, h/2), r3.V(x+2*t, t, h), "IS wallAppearance")
			}
			return solidOf(a.stand(), parts, "contactMaterial IS contactMaterial")
		},
	},
	"CircleArena": {
		fields: placed + `"circle arena" field SFString contactMaterial "default" field SFFloat radius 1 field SFVec2f floorTileSize 0.5 0.5 field SFNode floorAppearance Parquetry { } field SFFloat wallThickness 0.01 field SFFloat wallHeight 0.1 field SFNode wallAppearance BrushedAluminium { } field SFInt32 subdivision 48`,
		body: func(a *args) string {
			r, t, h := a.num("radius"), a.num("wallThickness"), a.num("wallHeight")
			n := int(source.Clamp(a.num("subdivision"), 8, 200))
			parts := piece(r3.V(0, 0, -floorDepth/2),
				fmt.Sprintf("Cylinder { radius %s height %s }", g(r), g(floorDepth)), "IS floorAppearance")
			length := 2 * (r + t) * math.Tan(math.Pi/float64(n))
			for i := range n {
				turn := 2 * math.Pi * float64(i) / float64(n)
				c, s := math.Cos(turn), math.Sin(turn)
				parts += fmt.Sprintf("Pose { translation %s rotation 0 0 1 %s children [ Shape { appearance IS wallAppearance geometry Box { size %s } } ] }\n",
					vec(r3.V((r+t/2)*c, (r+t/2)*s, h/2)), g(turn), vec(r3.V(t, length, h)))
			}
			return solidOf(a.stand(), parts, "contactMaterial IS contactMaterial")
		},
	},
}

var boxes = map[string]*builtin{
	"WoodenBox":    crate("wooden box", paint(0.72, 0.55, 0.36)),
	"CardboardBox": crate("cardboard box", paint(0.7, 0.55, 0.38)),
	"PlasticCrate": crate("plastic crate", paint(0.3, 0.4, 0.7)),
	"SolidBox": {
		fields: placed + `"box" field SFVec3f size 1 1 1 field SFString contactMaterial "default" field SFNode appearance PBRAppearance { metalness 0 } field SFNode physics NULL field SFBool castShadows TRUE field SFBool locked FALSE`,
		body: func(a *args) string {
			return solidOf(a.stand(), box(r3.Vec{}, a.size("size"), "IS appearance"),
				"contactMaterial IS contactMaterial physics IS physics")
		},
	},
	"Wall": {
		fields: placed + `"wall" field SFVec3f size 1 0.2 2.4 field SFNode appearance Roughcast { } field SFBool castShadows TRUE`,
		body: func(a *args) string {
			s := a.size("size")
			return solidOf(a.stand(), box(r3.V(0, 0, s.Z/2), s, "IS appearance"), "")
		},
	},
	"OilBarrel": drum("oil barrel", 0.305, 0.88, "OldSteel { colorOverride 0.4 0.6 0.9 }"),
	"PipeSection": {
		fields: placed + `"pipe section" field SFFloat height 0.2 field SFFloat radius 0.05 field SFFloat thickness 0.003 field SFInt32 subdivision 24 field SFNode appearance BrushedAluminium { } field SFNode physics NULL field SFBool locked FALSE`,
		body: func(a *args) string {
			parts := piece(r3.Vec{}, fmt.Sprintf("Cylinder { radius %s height %s }", g(a.num("radius")),
				g(a.num("height"))), "IS appearance")
			return solidOf(a.stand(), parts, "physics IS physics")
		},
		note: "a closed cylinder of the same size stands in",
	},
	"SoccerBall":   ball("soccer ball", 0.113, 0.6, paint(0.95, 0.95, 0.95)),
	"PingPongBall": ball("ping pong ball", 0.02, 0.0027, paint(1, 0.9, 0.8)),
	"TennisBall":   ball("tennis ball", 0.0325, 0.058, paint(0.8, 0.9, 0.2)),
}

// crate is a box that stands at its centre; without a mass it stays where it is.
func crate(name, looks string) *builtin {
	return &builtin{
		fields: strings.Replace(placed, "translation 0 0 0", "translation 0 0 0.3", 1) + `"` + name +
			`" field SFVec3f size 0.6 0.6 0.6 field SFFloat mass 0 field SFBool locked FALSE field SFColor color 1 1 1 field SFNode appearance NULL`,
		body: func(a *args) string {
			return solidOf(a.stand(), box(r3.Vec{}, a.size("size"), looks), heavy(a.num("mass")))
		},
	}
}

func drum(name string, radius, height float64, looks string) *builtin {
	return &builtin{
		fields: placed + `"` + name + fmt.Sprintf(`" field SFFloat height %s field SFFloat radius %s field SFNode appearance %s field SFNode physics NULL field SFBool locked FALSE`,
			g(height), g(radius), looks),
		body: func(a *args) string {
			parts := piece(r3.Vec{}, fmt.Sprintf("Cylinder { radius %s height %s }", g(a.num("radius")),
				g(a.num("height"))), "IS appearance")
			return solidOf(a.stand(), parts, "physics IS physics")
		},
	}
}

func ball(name string, radius, mass float64, looks string) *builtin {
	return &builtin{
		fields: placed + `"` + name + fmt.Sprintf(`" field SFFloat radius %s field SFFloat mass %s field SFString contactMaterial "default" field SFNode appearance NULL field SFBool locked FALSE`,
			g(radius), g(mass)),
		body: func(a *args) string {
			parts := piece(r3.Vec{}, fmt.Sprintf("Sphere { radius %s }", g(a.num("radius"))), looks)
			return solidOf(a.stand(), parts, "contactMaterial IS contactMaterial "+heavy(a.num("mass")))
		},
	}
}

var furniture = map[string]*builtin{
	"Table": {
		fields: placed + `"table" field SFVec3f size 1 1.8 0.74 field SFVec2f feetSize 0.1 0.1 field SFFloat feetPadding 0 field SFFloat frameThickness 0.05 field SFNode trayAppearance VarnishedPine { } field SFNode legAppearance VarnishedPine { } field SFNode appearance NULL field SFFloat mass 0 field SFNode physics NULL`,
		body: func(a *args) string {
			s, t, pad := a.size("size"), a.num("frameThickness"), a.num("feetPadding")
			fx, fy := a.pair("feetSize")
			parts := box(r3.V(0, 0, s.Z-t/2), r3.V(s.X, s.Y, t), "IS trayAppearance")
			for _, x := range [...]float64{-1, 1} {
				for _, y := range [...]float64{-1, 1} {
					parts += box(r3.V(x*((s.X-fx)/2-pad), y*((s.Y-fy)/2-pad), (s.Z-t)/2), r3.V(fx, fy, s.Z-t),
						"IS legAppearance")
				}
			}
			return solidOf(a.stand(), parts, "")
		},
	},
	"Cabinet": {
		fields: placed + `"cabinet" field SFFloat depth 0.5 field SFFloat innerThickness 0.02 field SFFloat outerThickness 0.03 field MFFloat rowsHeights [ 0.24 0.2 0.2 0.4 0.4 ] field MFFloat columnsWidths [ 0.4 0.17 0.17 0.4 ] field MFString layout [ ] field SFFloat mass 0 field MFNode handle [ ] field SFNode primaryAppearance PaintedWood { } field SFNode secondaryAppearance PaintedWood { }`,
		body: func(a *args) string {
			width, height := 2*a.num("outerThickness"), 2*a.num("outerThickness")
			for _, w := range a.list("columnsWidths") {
				width += w
			}
			for _, h := range a.list("rowsHeights") {
				height += h
			}
			d := a.num("depth")
			return solidOf(a.stand(), box(r3.V(d/2, 0, height/2), r3.V(d, width, height),
				"IS primaryAppearance"), "")
		},
		note: "a closed box of the same size stands in: without doors, drawers and shelves",
	},
	"Door": {
		fields: placed + `"door" field SFVec3f size 0.2 1 2.4 field SFFloat doorThickness 0.05 field SFBool canBeOpen TRUE field SFBool hasStaticParent FALSE field SFBool jointAtLeft TRUE field SFFloat position 0 field SFVec3f frameSize 0.05 0.05 0.05 field SFNode doorHandle NULL field SFNode doorAppearance PaintedWood { } field SFNode frameAppearance PaintedWood { } field SFNode wallAppearance Roughcast { } field SFBool castShadows TRUE field SFBool selfCollision FALSE`,
		body: func(a *args) string {
			s := a.size("size")
			post := math.Min(0.05, s.Y/10)
			parts := box(r3.V(0, 0, s.Z-post/2), r3.V(s.X, s.Y, post), "IS frameAppearance")
			for _, side := range [...]float64{-1, 1} {
				parts += box(r3.V(0, side*(s.Y-post)/2, s.Z/2), r3.V(s.X, post, s.Z), "IS frameAppearance")
			}
			if math.Abs(a.num("position")) < 0.1 {
				t := math.Min(math.Max(a.num("doorThickness"), 0.01), math.Max(s.X, 0.01))
				parts += box(r3.V(0, 0, s.Z/2), r3.V(t, s.Y-2*post, s.Z), "IS doorAppearance")
			}
			return solidOf(a.stand(), parts, "")
		},
		note: "its frame, and where it is closed a leaf that does not open, stand in",
	},
	"Window": {
		fields: placed + `"window" field SFVec3f size 0.2 0.8 2.4 field SFFloat windowThickness 0.05 field SFFloat bottomWallHeight 0.8 field SFFloat windowHeight 1.4 field SFVec3f frameSize 0.02 0.05 0.02 field SFNode frameAppearance PaintedWood { } field SFNode bottomWallAppearance Roughcast { } field SFNode topWallAppearance Roughcast { } field SFNode windowSillAppearance NULL field MFNode glassAppearance [ ] field SFFloat bottomWallThickness 0`,
		body: func(a *args) string {
			s := a.size("size")
			low := source.Clamp(a.num("bottomWallHeight"), 0.01, 0.9*s.Z)
			high := source.Clamp(a.num("windowHeight"), 0.01, 0.99*(s.Z-low))
			parts := box(r3.V(0, 0, low/2), r3.V(s.X, s.Y, low), "IS bottomWallAppearance")
			parts += box(r3.V(0, 0, low+high/2),
				r3.V(math.Max(0.01, math.Min(s.X, a.num("windowThickness"))), s.Y, high),
				"PBRAppearance { baseColor 0.7 0.85 0.95 transparency 0.7 roughness 0.1 metalness 0 }")
			parts += box(r3.V(0, 0, (low+high+s.Z)/2), r3.V(s.X, s.Y, s.Z-low-high), "IS topWallAppearance")
			return solidOf(a.stand(), parts, "")
		},
		note: "a wall with a pane that does not open stands in",
	},
}
