//go:build unix

package engine_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// The sizes at which loading is compared, and how much more work the larger may be: 8 times is linear, 64
// quadratic.
const (
	fewLinks, manyLinks = 1500, 12_000
	mostGrowth          = 24
)

// repeated is a text for each number up to n, from a format that takes the number, a number below it, and
// half of it.
func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("%i", fmt.Sprint(i), "%p", fmt.Sprint(max(0, i-1)), "%h",
			fmt.Sprint(max(0, (i-1)/2)),
			"%x", fmt.Sprint(float64(i%200)/5), "%y", fmt.Sprint(float64(i/200)/5)).Replace(format))
	}
	return b.String()
}

const (
	sdfShape  = `<inertial><mass>1</mass><inertia><ixx>.01</ixx><iyy>.01</iyy><izz>.01</izz></inertia></inertial><collision name="c"><geometry><box><size>.15 .1 .1</size></box></geometry></collision>`
	sdfLink   = `<link name="l%i"><pose>%x %y 5 0 0 0</pose>` + sdfShape + `</link>`
	sdfHung   = `<axis><xyz>0 1 0</xyz></axis></joint>`
	urdfLink  = `<link name="l%i"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><box size=".15 .1 .1"/></geometry></collision></link>`
	mjcfShape = `<geom type="box" size=".07 .05 .05"/>`
)

// wide are worlds that grow with a number, by what grows in them.
var wide = map[string]func(n int) string{
	"links on fixed joints": func(n int) string {
		return sdfModel(repeated(n, sdfLink) + afterFirst(n,
			`<joint name="j%i" type="fixed"><parent>l%p</parent><child>l%i</child></joint>`))
	},
	"a tree of joints": func(n int) string {
		return sdfModel(repeated(n, sdfLink) + afterFirst(n,
			`<joint name="j%i" type="revolute"><parent>l%h</parent><child>l%i</child>`+sdfHung))
	},
	"a chain of joints": func(n int) string {
		return sdfModel(repeated(n, sdfLink) + afterFirst(n,
			`<joint name="j%i" type="revolute"><parent>l%p</parent><child>l%i</child>`+sdfHung))
	},
	"a chain of links without mass": func(n int) string {
		return sdfModel(repeated(n, `<link name="l%i"/>`) + `<link name="end">` + sdfShape + `</link>` +
			afterFirst(n, `<joint name="j%i" type="revolute"><parent>l%p</parent><child>l%i</child>`+sdfHung))
	},
	"models": func(n int) string {
		return sdfWorld(repeated(n, `<model name="m%i"><pose>%x %y 5 0 0 0</pose><link name="l">`+sdfShape+
			`</link></model>`))
	},
	"models that joints tie": func(n int) string {
		return sdfWorld(repeated(n, `<model name="m%i"><pose>%x %y 5 0 0 0</pose><link name="l">`+sdfShape+
			`</link></model>`) +
			afterFirst(n, `<joint name="t%i" type="fixed"><parent>m%p::l</parent><child>m%i::l</child></joint>`))
	},
	"a tree of URDF": func(n int) string {
		return `<robot name="r">` + repeated(n, urdfLink) +
			afterFirst(n, `<joint name="j%i" type="continuous"><origin xyz="0.2 0 0"/><parent link="l%h"/><child link="l%i"/><axis xyz="0 1 0"/></joint>`) +
			`</robot>`
	},
	"bodies of MJCF with two joints": func(n int) string {
		return mjcfStar(repeated(n/2, `<body name="b%i" pos="%x %y 5"><joint axis="0 1 0"/><joint axis="1 0 0"/>`+
			mjcfShape+`</body>`), "")
	},
	"joints of MJCF that follow each other": func(n int) string {
		return mjcfStar(repeated(n, `<body name="b%i" pos="%x %y 5"><joint name="j%i" axis="0 1 0"/>`+
			mjcfShape+`</body>`),
			`<equality>`+afterFirst(n, `<joint joint1="j%i" joint2="j%p"/>`)+`</equality>`)
	},
	"keyframes of MJCF": func(n int) string {
		return mjcfStar(repeated(n, `<body name="b%i" pos="%x %y 5"><joint axis="0 1 0"/>`+mjcfShape+
			`</body>`), `<keyframe>`+repeated(n, `<key name="k%i"/>`)+`</keyframe>`)
	},
	"solids of Webots": func(n int) string {
		return "#VRML_SIM R2023b utf8\nWorldInfo { }\n" + repeated(n,
			`Solid { translation %x %y 5 name "s%i" boundingObject Box { size .1 .1 .1 } physics Physics { mass 1 } }`+
				"\n")
	},
}

func sdfWorld(inside string) string {
	return `<sdf version="1.9"><world name="w">` + inside + `</world></sdf>`
}
func sdfModel(inside string) string { return sdfWorld(`<model name="m">` + inside + `</model>`) }

func mjcfStar(bodies, beside string) string {
	return `<mujoco><worldbody><body name="hub"><freejoint/>` + mjcfShape + bodies + `</body></worldbody>` +
		beside + `</mujoco>`
}

// afterFirst is the output of repeated for all numbers but the first.
func afterFirst(n int, format string) string {
	return repeated(n, format)[len(repeated(1, format)):]
}

// loadingWork is the CPU time, the shorter of two, until a world is loaded, checked as simdeck check does,
// and shown.
func loadingWork(t *testing.T, text string) time.Duration {
	t.Helper()
	least := time.Hour
	for range 2 {
		before := processorWork(t)
		lib, c := format.NewLibrary(format.Config{}),
			sim.LoadWorld{Resource: scene.Resource{Document: text}, IgnoreMissingAssets: true}
		w, err := engine.NewWorld(engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			t.Fatal(err)
		}
		spec, err := lib.World(c.Resource)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range spec.Models {
			engine.Lint(m.Model)
		}
		w.Snapshot()
		least = min(least, processorWork(t)-before)
	}
	return least
}

func processorWork(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestLoadingTakesNoMoreThanInProportionToWhatIsLoaded(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for name, world := range wide {
		t.Run(name, func(t *testing.T) {
			few, many := loadingWork(t, world(fewLinks)), loadingWork(t, world(manyLinks))
			t.Logf("%d: %v, %d: %v", fewLinks, few, manyLinks, many)
			if many > mostGrowth*few {
				t.Errorf("%d take %v and %d take %v, which is %.1f times as long; in proportion it is %d times",
					fewLinks, few, manyLinks, many, many.Seconds()/few.Seconds(), manyLinks/fewLinks)
			}
		})
	}
}
