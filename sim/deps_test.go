package sim_test

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simdeck/sim/archtest"
)

// Imports of test files are not checked.
var engineArrows = []archtest.Arrow{
	{``, `^simdeck/(ros|ui|worlds)(/|$)|^simdeck$`, ``,
		"the engine runs in tests, in other programs and behind any console: it knows no ROS, no terminal, no shipped world"},
	{``, `^(os|syscall|net|net/http|net/rpc|log|os/.*|golang\.org/x/(net|sys)/.*)$`, ``,
		"the engine does no I/O: files come through an fs.FS, everything else as commands, so that a run can be replayed"},
	{`^simdeck/sim($|/([^f]|format$|format/[^w]|format/webots$))`, `^(charm\.land|github\.com)/`, ``,
		"the engine is the standard library and our own code: its results must not change with somebody's release"},
	{`^simdeck/sim/format/webots/`, `^(charm\.land|github\.com)/`,
		`^github\.com/dop251/goja(/|$)`,
		"templates of PROTO files are programs of JavaScript, whose interpreter is not our own"},
	{`^simdeck/sim/format/webots/template$`, `^simdeck/`, `/sim/asset/vrml$`,
		"a template sees values and texts, and no files"},
	{``, `^(math/rand|crypto/rand)$`, ``,
		"randomness is an argument: only math/rand/v2 with a seed, or a recording does not replay"},
	{`^simdeck/sim/r3$`, `^simdeck/`, ``, "values depend on nothing"},
	{`^simdeck/sim/statecodec$`, `^simdeck/`, `/r3$`, "whatever remembers something uses it"},
	{`^simdeck/sim/shape$`, `^simdeck/`, `/r3$`, "shapes are geometry only"},
	{`^simdeck/sim/transmission$`, `^simdeck/`, `/r3$`, "lengths of strings and forces along them are geometry only"},
	{`^simdeck/sim/dynamics(/|$)`, `^simdeck/`, `/sim/(r3|shape|statecodec|transmission|dynamics/[a-z]+)$`,
		"physics is usable without worlds, files and entities"},
	{`^simdeck/sim/dynamics/`, `^simdeck/sim/dynamics$`, ``,
		"the rooms of the dynamics do not know the world that they serve"},
	{`^simdeck/sim/dynamics/linalg$`, `^simdeck/`, `/sim/r3$`,
		"kernels know numbers, vectors and indices only"},
	{`^simdeck/sim/dynamics/newton$`, `^simdeck/`, `/sim/(r3|dynamics/linalg)$`,
		"a problem of an island knows bodies, axes and rows, and not where they come from"},
	{`^simdeck/sim/dynamics/articulation$`, `^simdeck/`, `/sim/(r3|statecodec|dynamics/(linalg|newton))$`,
		"articulations know links and joints, and neither bodies nor contacts"},
	{`^simdeck/sim/dynamics/collide$`, `^simdeck/`, `/sim/(r3|shape)$`,
		"collision is pure: shapes and poses in, manifolds out"},
	{`^simdeck/sim/scene$`, `^simdeck/`, `/sim/(r3|shape|transmission)$`,
		"a description knows neither who wrote it nor who runs it"},
	{`^simdeck/sim/medium$`, `^simdeck/`, `/sim/(r3|shape|scene)$`,
		"forces of air and water depend on motions that they are told, and on no world"},
	{`^simdeck/sim/model$`, `^simdeck/`, `/sim/(r3|shape|scene|transmission|dynamics(/.*)?|medium|render|sensor)$`,
		"the compiler is pure: descriptions in, rigid bodies out; it knows neither the world nor its entities"},
	{`^simdeck/sim/([^ces]|c[^o]|e[^n]|s[^e]|sensor$)`, `^simdeck/sim/model$`, ``,
		"compiled models stay inside the engine: scenarios, recordings and sweeps speak the vocabulary of package sim"},
	{`^simdeck/sim/control$`, `^simdeck/`,
		`/sim(/(r3|scene|model|medium|dynamics|sensor|trajectory|transmission|vehicle|statecodec))?$`,
		"a controller sees the joints and bodies of its robot, neither the world nor other entities"},
	{`^simdeck/sim/sensing$`, `^simdeck/`,
		`/sim(/(r3|scene|model|medium|dynamics|render|sensor|statecodec))?$`,
		"sensors look at a world through an interface, and nothing in it depends on them"},
	{`^simdeck/sim$`, `^simdeck/`, `/sim/(r3|shape|scene|render|sensor|trajectory|vehicle)$`,
		"the vocabulary is data: it knows neither the engine nor the compiler nor the dynamics, and asks a compiled model through an interface of its own"},
	{`^simdeck/sim/(scenario|record|sweep)$`, `^simdeck/sim/(model|dynamics|control|sensing)(/|$)`, ``,
		"who plays, records and varies what happens speaks the vocabulary, as consoles and the graph do"},
	{`^simdeck/sim($|/([^ers]|r[^e]|s[^w]))`, `^simdeck/sim/engine$`, ``,
		"what the engine is built from does not know it; nor do scenarios, which any backend can play"},
	{`^simdeck/sim`, `^simdeck/sim/scenetest$`, ``, "what tests of the engine stand on is not shipped"},
	{`^simdeck/sim/scenetest$`, `^simdeck/`, `/sim/(r3|scene)$`,
		"every package above descriptions can test with it"},
	{`^simdeck/sim/(asset|render|sensor|trajectory|vehicle|format)(/|$)`, `^simdeck/sim(/dynamics(/.*)?)?$`,
		``,
		"what the engine is built from does not know the engine"},
	{`^simdeck/sim$`, `^simdeck/sim/(format|scenario|record)(/|$)`, ``,
		"readers are passed to the engine as a function, scenarios and recorders drive it from outside"},
	{`^simdeck/sim/format/[a-z]+$`, `^simdeck/sim/format(/|$)`,
		`^simdeck/sim/format/(source|schema|gazebo|ego|traffic|xacro/expr|webots/template)$`,
		"readers do not know each other; only format picks one; source, schema, gazebo, ego and traffic are what they share, xacro has its expressions beside it, and webots its templates"},
}

func TestTheEngineImportsOnlyWhatTheHouseAllows(t *testing.T) {
	archtest.Check(t, "simdeck/sim", engineArrows)
}

func TestOnlyTheLoopOfTheEngineLooksAtTheClock(t *testing.T) {
	clock := regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTicker|NewTimer)\b`)
	// A template that is stopped fails as a whole; its clock is an argument in tests. A playback is paced as the
	// engine is, and its world does what the recording says, whose hashes it compares.
	driver := map[string]bool{"engine/engine.go": true, "engine/pacing.go": true,
		"format/webots/template/budget.go": true, "record/playback.go": true}
	eachLine(t, ".", func(file, where, line string) {
		if clock.MatchString(line) && !driver[file] {
			t.Errorf("%s: the clock is read only in the files listed here: elsewhere time is an argument, "+
				"or two runs of one seed differ: %s", where, line)
		}
	})
}

func TestOnlySeededRandomnessIsUsed(t *testing.T) {
	use := regexp.MustCompile(`\brand\.([A-Z]\w*)`)
	seeded := map[string]bool{"New": true, "NewPCG": true, "PCG": true, "Rand": true, "Source": true}
	eachLine(t, ".", func(_, where, line string) {
		for _, m := range use.FindAllStringSubmatch(line, -1) {
			if !seeded[m[1]] {
				t.Errorf("%s: rand.%s draws from a stream that nobody seeded: make one with rand.New(rand.NewPCG(seed, …))",
					where, m[1])
			}
		}
	})
}

// eachLine calls f with every line of code (comments cut off) of every file under dir except tests: path,
// file:line, text.
func eachLine(t *testing.T, dir string, f func(file, where, line string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		for n := 1; lines.Scan(); n++ {
			code, _, _ := strings.Cut(lines.Text(), "//")
			f(filepath.ToSlash(name), fmt.Sprintf("%s:%d", name, n), strings.TrimSpace(code))
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}
