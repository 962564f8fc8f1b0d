package viewers

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/ui/viewers"
	"simdeck/ui/viewers/stream"
	"simdeck/worlds"
)

// served is a server that runs until the test ends, and a browser for it.
func served(t *testing.T) (*viewers.Server, *browser) {
	t.Helper()
	s, err := viewers.Open(viewers.Config{Address: "0", Listen: net.Listen})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { stop(); running.Wait() })
	return s, newBrowser(t, "http://"+s.Addr()+"/")
}

// simulated is an engine that runs until the test ends, or the function that it gives is called, and is shown
// under a name.
func simulated(t *testing.T, s *viewers.Server, name string, world sim.Resource,
	start sim.State) (*engine.Engine, func()) {
	t.Helper()
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: worlds.FS()},
		{Name: "studio", FS: fstest.MapFS{"studio.sdf": {Data: []byte(studio)},
			"quarters.png": {Data: quarters()}}}}})
	e, err := engine.New(engine.Config{Library: lib, Clients: lib.ForClients(), World: world, Start: start})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = e.Run(ctx) })
	running.Go(func() {
		if err := s.Follow(ctx, name, e); err != nil {
			t.Error(err)
		}
	})
	end := func() { stop(); running.Wait() }
	t.Cleanup(end)
	return e, end
}

// falling is a world in which a ball comes to rest.
const falling = `<sdf version="1.9"><world name="falling">
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="ball"><pose>1 2 3 0 0 0</pose><link name="l"><inertial><mass>1</mass><inertia><ixx>.01</ixx><iyy>.01</iyy><izz>.01</izz></inertia></inertial><collision name="c"><geometry><sphere><radius>.25</radius></sphere></geometry></collision></link></model>
</world></sdf>`

const crate = `<sdf version="1.9"><model name="crate"><link name="l"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>`

// studio is a world with a texture, a spot with shadows, a point light, highlights, and glass.
const studio = `<sdf version="1.9"><world name="studio">
<scene><ambient>0.3 0.3 0.3 1</ambient><background>0.2 0.3 0.4 1</background></scene>
<light name="spot" type="spot"><pose>2 2 5 0 0 0</pose><diffuse>0.8 0.8 0.7 1</diffuse><specular>0.5 0.5 0.5 1</specular><direction>-0.3 -0.2 -1</direction><cast_shadows>true</cast_shadows>
<attenuation><range>20</range><constant>1</constant><linear>0.02</linear><quadratic>0</quadratic></attenuation><spot><inner_angle>0.8</inner_angle><outer_angle>1.3</outer_angle><falloff>1</falloff></spot></light>
<light name="lamp" type="point"><pose>-1 -2 2 0 0 0</pose><diffuse>0.1 0.2 0.5 1</diffuse><specular>0 0 0 1</specular><attenuation><range>9</range><constant>0.5</constant><linear>0.2</linear><quadratic>0.05</quadratic></attenuation></light>
<model name="floor"><static>true</static><link name="l"><visual name="v"><geometry><plane><normal>0 0 1</normal><size>12 12</size></plane></geometry><material><diffuse>0.6 0.6 0.6 1</diffuse></material></visual></link></model>
<model name="box"><static>true</static><pose>1 0.5 0.75 0 0 0.3</pose><link name="l"><visual name="v"><geometry><box><size>1.5 1.5 1.5</size></box></geometry><material><diffuse>1 1 1 1</diffuse><pbr><metal><albedo_map>quarters.png</albedo_map></metal></pbr></material></visual></link></model>
<model name="ball"><static>true</static><pose>0 -1 0.5 0 0 0</pose><link name="l"><visual name="v"><geometry><sphere><radius>0.5</radius></sphere></geometry><material><diffuse>0.7 0.1 0.1 1</diffuse><specular>0.8 0.8 0.8 1</specular></material></visual></link></model>
<model name="can"><static>true</static><pose>2.5 -1 0.5 0.4 0 0</pose><link name="l"><visual name="v"><geometry><cylinder><radius>0.3</radius><length>1</length></cylinder></geometry><material><diffuse>0.1 0.6 0.2 1</diffuse><emissive>0.05 0.05 0 1</emissive></material></visual></link></model>
<model name="glass"><static>true</static><pose>0.5 -2 0.6 0 0 1</pose><link name="l"><visual name="v"><geometry><box><size>1.2 0.05 1.2</size></box></geometry><material><diffuse>0.3 0.6 0.9 0.4</diffuse></material></visual></link></model>
</world></sdf>`

// quarters is a texture of four colors.
func quarters() []byte {
	m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		c := [4]color.NRGBA{{200, 40, 40, 255}, {40, 180, 40, 255}, {40, 60, 220, 255}, {230, 220, 60, 255}}
		m.SetNRGBA(i%64, i/64, c[i%64/32+i/64/32*2])
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// world is a script's world by name.
func world(name string) string {
	return fmt.Sprintf(`[...(window.simdeck?.worlds.values() ?? [])].find(w => w.name === %q)`, name)
}

const loaded = `window.simdeck && [...simdeck.worlds.values()].every(w => w.scene && w.poses) && simdeck.worlds.size > 0 &&
	[...simdeck.renderer.meshes.values()].every(m => m) && [...simdeck.renderer.textures.values()].every(m => m) &&
	simdeck.renderer.meshes.size > 0`

func TestThePageDrawsAWorldAsTheConsolesCameraDoes(t *testing.T) {
	for name, eye := range map[string]r3.Pose{"bench": r3.PoseRPY(-4, -6, 3.5, 0, 0.35, 0.9),
		"armcell": r3.PoseRPY(2.5, -2.2, 2, 0, 0.4, 2.4), "hills": r3.PoseRPY(-8, -8, 8, 0, 0.4, 0.8),
		"studio": r3.PoseRPY(-4, -3, 3, 0, 0.45, 0.65)} {
		t.Run(name, func(t *testing.T) {
			s, b := served(t)
			at := "world://@cache@/" + name
			if name == "studio" {
				at = "studio.sdf"
			}
			e, _ := simulated(t, s, name, sim.Resource{URI: at}, sim.Paused)
			b.open()
			b.until("the whole world", loaded)
			const width, height, fov = 640, 480, 1.2
			camera := render.Camera{Lens: render.LensOf(width, height, fov), Pose: eye, Near: 0.05, Far: 1000}
			snapshot := e.Snapshot()
			var want render.Image
			stage := sim.NewStage(snapshot.Model, snapshot.Lamps)
			(&render.Renderer{}).Render(stage, snapshot.Poses(nil), &camera, render.Colours, &want)
			b.run(script(eye, width, height, fov, world(name)), nil)
			b.until("textures", `(simdeck.draw(), [...simdeck.renderer.textures.values()].every(m => m))`)
			if name == "studio" {
				b.until("the texture of the box", `simdeck.renderer.textures.size === 1`)
			}
			shown, off := apart(b.picture(), &want)
			b.run(`simdeck.renderer.shadows = false`, nil)
			_, dark := apart(b.picture(), &want)
			t.Logf("%.1f of 255 in the mean, %.1f %% of pixels differ; %.1f %% without shadows",
				shown, 100*off, 100*dark)
			if shown > 4 || off > 0.05 || dark <= off {
				t.Errorf("%.1f of 255 in the mean, %.1f %% of pixels differ by more than 24, %.1f %% without shadows",
					shown, 100*off, 100*dark)
			}
			b.quiet()
		})
	}
}

// TestThePageShowsTheLightOfLamps looks at a traffic signal whose lamps are switched.
func TestThePageShowsTheLightOfLamps(t *testing.T) {
	s, b := served(t)
	e, _ := simulated(t, s, "crossing", sim.Resource{URI: "world://@cache@/crossing"}, sim.Paused)
	b.open()
	b.until("the whole world", loaded)
	eye := r3.Pose{Pos: r3.V(-3.2, 4.6, 3.05), Rot: r3.FromRPY(0, 0, math.Pi)}
	b.run(script(eye, 320, 240, 1, world("crossing")), nil)
	for _, k := range []struct {
		phase      string
		red, green bool
	}{{"red", true, false}, {"green", false, true}, {"red", true, false}} {
		c := sim.SetSignal{Name: "light_west", Phase: k.phase, Hold: true}
		if _, err := e.Do(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		lights, _ := json.Marshal(e.Snapshot().Lamps)
		b.until("the lamps at "+k.phase,
			fmt.Sprintf(`JSON.stringify((%s).glow) === %q`, world("crossing"), lights))
		red, green, m := 0, 0, b.picture()
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				switch r, g, _, _ := m.At(x, y).RGBA(); {
				case r>>8 > 200 && g>>8 < 100:
					red++
				case g>>8 > 200 && r>>8 < 100:
					green++
				}
			}
		}
		if (red > 50) != k.red || (green > 50) != k.green {
			t.Errorf("at %s there are %d bright red pixels and %d bright green ones", k.phase, red, green)
		}
	}
	b.quiet()
}

// script makes the page look as a camera of the simulator does.
func script(eye r3.Pose, width, height int, fov float64, of string) string {
	m := eye.Rot.Mat()
	right, up, back := m.Col(1).Neg(), m.Col(2), m.Col(0).Neg()
	numbers := fmt.Sprint([]float64{right.X, right.Y, right.Z, 0, up.X, up.Y, up.Z, 0,
		back.X, back.Y, back.Z, 0, eye.Pos.X, eye.Pos.Y, eye.Pos.Z, 1})
	fovy := 2 * math.Atan(math.Tan(fov/2)*float64(height)/float64(width))
	return fmt.Sprintf(`(() => {
		const canvas = document.getElementById('canvas'), w = %s;
		canvas.style.width = '%dpx'; canvas.style.height = '%dpx';
		w.camera.fixed = new Float32Array(%s); w.camera.fovy = %v;
	})()`, of, width, height, strings.ReplaceAll(numbers, " ", ","), fovy)
}

// apart is the mean difference of two pictures, and the share of pixels that differ by more than 24 of 255.
func apart(got image.Image, want *render.Image) (mean, off float64) {
	sum, far := 0.0, 0
	for y := range want.Height {
		for x := range want.Width {
			r, g, b, _ := got.At(x, y).RGBA()
			most := 0.0
			for k, c := range [3]uint32{r, g, b} {
				d := math.Abs(float64(c>>8) - float64(want.RGB[3*(y*want.Width+x)+k]))
				sum, most = sum+d, max(most, d)
			}
			if most > 24 {
				far++
			}
		}
	}
	n := float64(want.Width * want.Height)
	return sum / n / 3, float64(far) / n
}

func TestWhatMovesComesAndGoesIsSeenAlsoByALatePage(t *testing.T) {
	const name = "<img src=x onerror=alert(1)>"
	s, b := served(t)
	e, end := simulated(t, s, name, sim.Resource{Document: falling}, sim.Playing)
	near := func(entity string, x, y, z float64) string {
		return fmt.Sprintf(`(p => p && Math.hypot(p[0] - %v, p[1] - %v, p[2] - %v) < 0.02)(%s?.positionOf(%q))`,
			x, y, z, world(name), entity)
	}
	b.open()
	b.until("the ball at rest", near("ball", 1, 2, 0.25))
	b.open()
	b.until("the ball at rest on a page that came late", near("ball", 1, 2, 0.25))
	b.until("the name of the world as text", fmt.Sprintf(`!document.querySelector('img') &&
		[...document.querySelectorAll('#worlds button')].some(e => e.textContent === %q)`, name))
	do := func(c sim.Command) {
		if _, err := e.Do(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	do(sim.Spawn{Name: "crate", Resource: sim.Resource{Document: crate},
		Pose: sim.FramedPose{Pose: r3.PoseRPY(5, 5, 0.5, 0, 0, 0)}})
	b.until("the crate", near("crate", 5, 5, 0.5))
	do(sim.Delete{Names: []string{"crate"}})
	b.until("its end", world(name)+`.indices.has('crate') === false`)
	end()
	b.until("the end of the simulation", `simdeck.worlds.size === 0 && document.getElementById('labels').children.length === 0 &&
		document.getElementById('notice').textContent === 'No simulation is running.'`)
	b.quiet()
}

func TestSeveralWorldsStandSideBySideAndAClickSelects(t *testing.T) {
	s, b := served(t)
	simulated(t, s, "one", sim.Resource{Document: falling}, sim.Paused)
	simulated(t, s, "two", sim.Resource{URI: "world://@cache@/bench"}, sim.Paused)
	b.open()
	b.until("both worlds", loaded+` && simdeck.shown().length === 2 && simdeck.views?.length === 2`)
	b.until("pictures beside each other", `simdeck.views[0].rect[0] + simdeck.views[0].rect[2] < simdeck.views[1].rect[0] + 1`)
	b.run(world("two")+`.selected = null`, nil)
	// A click in the middle of a followed robot hits it.
	b.run(fmt.Sprintf(`simdeck.follow(%s, 'rover')`, world("two")), nil)
	b.until("the robot in the middle", fmt.Sprintf(`(w => Math.hypot(...w.positionOf('rover').map((x, k) => x - w.camera.target[k])) < 0.01)(%s)`,
		world("two")))
	var at struct{ X, Y float64 }
	b.run(fmt.Sprintf(`(() => { simdeck.select(%s, null); simdeck.draw(); const r = simdeck.views[1].rect, box = document.getElementById('canvas').getBoundingClientRect();
		return {x: box.left + r[0] + r[2] / 2, y: box.top + box.height - r[1] - r[3] / 2}; })()`, world("two")), &at)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left",
			"buttons": 1, "clickCount": 1}, nil)
	}
	b.until("the selection", world("two")+`.selected === 'rover'`)
	b.quiet()
}

// photograph is the file for a picture of the page, for the manual; empty: none is written.
var photograph = flag.String("picture", "", "write a picture of the page into this file: make pictures")

func TestThePageFitsItsWindowAndListsEntities(t *testing.T) {
	s, b := served(t)
	simulated(t, s, "armcell", sim.Resource{URI: "world://@cache@/armcell"}, sim.Paused)
	b.open()
	b.until("the first world", loaded)
	simulated(t, s, "playground", sim.Resource{URI: "world://@cache@/playground"}, sim.Paused)
	b.until("both worlds", loaded+` && simdeck.views?.length === 2`)
	for _, width := range []int{360, 1100} {
		b.call("Emulation.setDeviceMetricsOverride",
			map[string]any{"width": width, "height": 560, "deviceScaleFactor": 1, "mobile": false}, nil)
		b.until("a page as wide as its window", fmt.Sprintf(`document.documentElement.scrollWidth === %d &&
			document.getElementById('canvas').width === %[1]d`, width))
	}
	b.run(fmt.Sprintf(`(simdeck.select(%s, 'arm'), Object.assign(simdeck.active.camera, {yaw: -1.2, distance: 5}),
		document.getElementById('filter').value = 'a', simdeck.list())`, world("armcell")), nil)
	b.until("filtered entities", `[...document.querySelectorAll('#entities li')].length > 3 &&
		[...document.querySelectorAll('#entities span')].every(e => e.textContent.includes('a')) &&
		document.querySelector('#entities .selected').textContent.startsWith('arm')`)
	b.run(`new Promise(done => setTimeout(done, 500))`, nil)
	var shot struct{ Data []byte }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	m, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil || m.Bounds().Dx() != 1100 || m.Bounds().Dy() != 560 {
		t.Fatalf("%v: %v", m.Bounds(), err)
	}
	if *photograph != "" {
		if err := os.WriteFile(*photograph, shot.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.quiet()
}

// stall connects to the server as a viewer does, and reads nothing any more.
func stall(t *testing.T, address string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "GET /stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
	watch := `{"watch":[1]}`
	c.Write(append([]byte{0x81, 0x80 | byte(len(watch)), 0, 0, 0, 0}, watch...))
}

func TestAViewerThatStallsTakesNoFrameFromAPage(t *testing.T) {
	s, b := served(t)
	simulated(t, s, "bench", sim.Resource{URI: "world://@cache@/playground"}, sim.Playing)
	for range 10 {
		stall(t, s.Addr())
	}
	b.open()
	b.until("motion", `window.simdeck && `+world("bench")+`?.frames > 100`)
	for s.Viewers() < 11 {
		time.Sleep(time.Millisecond)
	}
	var before int
	b.run(world("bench")+`.frames`, &before)
	b.until("more of it", fmt.Sprintf(`%s.frames > %d`, world("bench"), before+100))
	b.quiet()
}

func TestThePageHoldsTheSameBitsAsTheServer(t *testing.T) {
	_, b := served(t)
	b.open()
	rng := rand.New(rand.NewPCG(7, 7))
	vec := func(size float64) r3.Vec {
		return r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(2 * size)
	}
	poses, spin, vel := make([]r3.Pose, 100), make([]r3.Vec, 100), make([]r3.Vec, 100)
	for i := range poses {
		poses[i] = r3.Pose{Pos: vec(50), Rot: r3.Identity().Turn(vec(3))}
		spin[i], vel[i] = vec(6), vec(4)
	}
	e := stream.Encoder{Budget: 250} // some steps are coarse
	e.Reset(poses)
	h := stream.Header{World: 300, Scene: 1 << 31, Seq: math.MaxUint32 - 50, Time: 90 * time.Minute}
	frames := []string{base64.StdEncoding.EncodeToString(e.Keyframe(nil, h))}
	for i := range 200 {
		for k := range poses {
			switch {
			case k%10 == i%13: // stands still
			case rng.IntN(200) == 0:
				poses[k] = r3.Pose{Pos: vec(1e5), Rot: r3.Identity().Turn(vec(3))}
			default:
				poses[k].Pos = poses[k].Pos.AddScaled(0.05, vel[k])
				poses[k].Rot = poses[k].Rot.Turn(spin[k].Scale(0.05))
			}
		}
		h.Seq++
		frame, _ := e.Delta(nil, h, poses)
		frames = append(frames, base64.StdEncoding.EncodeToString(frame))
	}
	frames = append(frames, base64.StdEncoding.EncodeToString(e.Keyframe(nil, h)))
	var differ []int
	b.until("the page", `document.readyState === 'complete'`)
	b.run(fmt.Sprintf(`(async () => {
		const {Decoder} = await import('/stream.js'), followed = new Decoder(), fresh = new Decoder();
		const frames = %q.split(' ').map(s => Uint8Array.from(atob(s), c => c.charCodeAt(0)));
		for (const f of frames.slice(0, -1)) followed.decode(f);
		fresh.decode(frames.at(-1));
		if (followed.count !== 100 || followed.header.seq !== fresh.header.seq || followed.header.time !== 5400) return [-1];
		const all = Array.from({length: 700}, (_, i) => i);
		return all.filter(i => followed.now[i] !== fresh.now[i] || followed.before[i] !== fresh.before[i]);
	})()`, strings.Join(frames, " ")), &differ)
	if len(differ) > 0 {
		t.Errorf("numbers %v differ after 200 frames", differ)
	}
}

// headset is a WebXR device, of which Chromium has none: two eyes side by side, at rest, and a thumbstick
// that is pushed forward.
const headset = `(() => {
	const eye = x => ({projectionMatrix: new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0]),
		transform: {matrix: new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 1.6, 0, 1])}});
	window.XRWebGLLayer = class {
		constructor(session, gl) { this.framebuffer = null; session.gl = gl; }
		getViewport(view) { return {x: view === session.eyes[0] ? 0 : 200, y: 0, width: 200, height: 200}; }
	};
	const session = {eyes: [eye(-0.03), eye(0.03)], frames: 0,
		inputSources: [{handedness: 'left', gamepad: {axes: [0, 0, 0, -1]}}],
		updateRenderState() {}, requestReferenceSpace: async () => ({}), end() { this.onend(); },
		requestAnimationFrame(f) {
			requestAnimationFrame(now => {
				f(now, {getViewerPose: () => ({transform: {matrix: session.eyes[0].transform.matrix}, views: session.eyes})});
				const gl = session.gl, pixels = new Uint8Array(400 * 200 * 4);
				gl.readPixels(0, 0, 400, 200, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
				const seen = left => { const colors = new Set(); for (let y = 0; y < 200; y += 4) for (let x = left; x < left + 200; x += 4) {
					const i = 4 * (400 * y + x); colors.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]); } return colors.size; };
				window.vr.from ??= simdeck.vr.at[0];
				Object.assign(window.vr, {frames: ++session.frames, left: seen(0), right: seen(200), error: gl.getError()});
			});
		}};
	window.vr = {frames: 0};
	WebGL2RenderingContext.prototype.makeXRCompatible = async () => {};
	Object.defineProperty(navigator, 'xr', {value: {isSessionSupported: async kind => kind === 'immersive-vr',
		requestSession: async () => session}});
})()`

func TestAHeadsetShowsTheWorldToBothEyesAndWalks(t *testing.T) {
	s, b := served(t)
	simulated(t, s, "bench", sim.Resource{URI: "world://@cache@/bench"}, sim.Paused)
	b.before = headset
	b.open()
	b.until("the world", loaded)
	b.until("the button", `!document.getElementById('xr').hidden`)
	b.run(`document.getElementById('xr').click()`, nil)
	b.until("pictures for both eyes", `vr.frames > 5 && vr.error === 0 && vr.left > 5 && vr.right > 5`)
	b.until("steps forward", `simdeck.vr.at[0] > vr.from + 0.5 && Math.abs(simdeck.vr.at[1]) < 0.1`)
	b.run(`document.getElementById('xr').click()`, nil)
	b.until("the page as it was", `!simdeck.vr && document.getElementById('xr').textContent === 'Enter VR'`)
	b.quiet()
}
