package docs

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

// sensorParts are the parts of reference/sensors.md that the test writes, by the kind of a sensor.
var sensorParts = map[scene.SensorKind]string{
	scene.Lidar: "lidar", scene.Camera: "camera", scene.DepthCamera: "depth-camera",
	scene.RGBDCamera: "rgbd-camera", scene.IMU: "imu", scene.Contact: "contact",
	scene.ForceTorque: "force-torque", scene.GPS: "gps", scene.Magnetometer: "magnetometer",
	scene.AirPressure: "barometer", scene.Altimeter: "altimeter", scene.AirSpeed: "air-speed",
	scene.Sonar: "sonar", scene.DVL: "dvl", scene.OpticalFlow: "optical-flow",
}

// sensorFile is a file with a sensor of each name that a format has for those that run. It says nothing of
// rates and topics. In each part NAME stands for the name, and I for its number.
type sensorFile struct {
	format, ext      string
	head, body, foot string
	names            string
	parts            map[string]string // by name, in the place of SENSOR in the body; "": of all others
}

var sensorFiles = []sensorFile{
	{format: "SDF", ext: ".sdf", head: `<sdf version="1.12"><world name="sensors">`,
		body: `<model name="NAME"><pose>I 0 1 0 0 0</pose>
			<link name="base"><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>PART</link>
			<link name="arm"><pose>0 0 0.3 0 0 0</pose></link>
			<joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis>JOINT</joint>
			</model>`, foot: `</world></sdf>`,
		names: "ray lidar gpu_ray gpu_lidar camera depth depth_camera rgbd rgbd_camera imu contact force_torque " +
			"gps navsat magnetometer air_pressure altimeter air_speed sonar dvl multibeam_sonar optical_flow",
		parts: map[string]string{"": `<sensor name="s" type="NAME"/>`, "force_torque": "",
			"dvl": `<sensor name="s" type="custom" gz:type="dvl"><gz:dvl>
				<arrangement><beam><tilt>0.5</tilt></beam><beam><tilt>-0.5</tilt></beam><beam><rotation>1</rotation><tilt>0.5</tilt></beam></arrangement>
				<tracking><bottom_mode/></tracking></gz:dvl></sensor>`,
			"optical_flow":    `<sensor name="flow_camera" type="camera"/><sensor name="s" type="custom" gz:type="optical_flow"/>`,
			"multibeam_sonar": `<sensor name="s" type="custom" gz:type="multibeam_sonar"><gz:multibeam_sonar/></sensor>`}},
	{format: "MJCF", ext: ".xml", head: `<mujoco><worldbody>`,
		body: `<body name="NAME" pos="I 0 1"><freejoint/><geom size="0.1"/><body name="arm_NAME" pos="0 0 0.3">
			<joint name="j_NAME"/><geom size="0.1"/><site name="at_NAME"/>PART</body></body>`, foot: `</worldbody><sensor>SENSORS</sensor></mujoco>`,
		names: "rangefinder camera gyro accelerometer touch force torque magnetometer",
		parts: map[string]string{"camera": `<camera name="camera"/>`}},
	{format: "Webots", ext: ".wbt", head: "#VRML_SIM R2025a utf8\nWorldInfo {}\n",
		body: `Robot { name "NAME" translation I 0 1 children [ NAME { name "s" boundingObject Sphere { radius 0.1 } } ]
			physics Physics {} boundingObject Sphere { radius 0.1 } }
			`,
		names: "Lidar DistanceSensor Camera RangeFinder Accelerometer Gyro InertialUnit TouchSensor GPS Compass Altimeter"},
}

// text is the file.
func (f *sensorFile) text() string {
	var all, sensors strings.Builder
	all.WriteString(f.head)
	for i, name := range strings.Fields(f.names) {
		part, ok := f.parts[name]
		if !ok {
			part = f.parts[""]
			fmt.Fprintf(&sensors, `<%s name="%s" site="at_%s"/>`, name, name, name)
		}
		joint := ""
		if name == "force_torque" {
			joint = `<sensor name="s" type="force_torque"/>`
		}
		body := strings.NewReplacer("PART", part, "JOINT", joint).Replace(f.body)
		all.WriteString(strings.NewReplacer("NAME", name, "I", fmt.Sprint(i)).Replace(body))
	}
	return all.String() + strings.ReplaceAll(f.foot, "SENSORS", sensors.String())
}

// sensorFacts are the rows of the tables of a kind of sensor.
type sensorFacts struct {
	read   []string          // rows: where it is read from, and its rate
	topics map[string]string // message by topic
}

// rateText is a rate as the page says it.
func rateText(hz float64) string {
	if hz == 0 {
		return "every step"
	}
	return fmt.Sprintf("%g Hz", hz)
}

// byKind are the facts about sensors by their kinds.
type byKind map[scene.SensorKind]*sensorFacts

// addRates takes kinds and rates from a world. It returns the kinds by the names that the file has for them:
// those of the models. A bundle has the list instead in which a sensor called lidar_roof stands.
func addRates(facts byKind, file string, w *scene.WorldSpec) map[string]scene.SensorKind {
	kinds, rates := map[string]scene.SensorKind{}, map[scene.SensorKind]map[float64][]string{}
	for _, m := range w.Models {
		for _, l := range m.Model.Links {
			for _, s := range l.Sensors {
				if s.Name == throughWhich {
					continue
				}
				name := m.Name
				if single, _, listed := strings.Cut(s.Name, "_"); listed && m.Model.Format == "bundle" {
					name = single + "s"
				}
				if kinds[name] = s.Kind; facts[s.Kind] == nil {
					facts[s.Kind] = &sensorFacts{topics: map[string]string{}}
				}
				if rates[s.Kind] == nil {
					rates[s.Kind] = map[float64][]string{}
				}
				rates[s.Kind][s.Rate] = append(rates[s.Kind][s.Rate], name)
			}
		}
	}
	for kind, by := range rates {
		for _, hz := range slices.Sorted(maps.Keys(by)) {
			row := fmt.Sprintf("| %s %s | %s |\n", file, words(by[hz]), rateText(hz))
			facts[kind].read = append(facts[kind].read, row)
		}
	}
	return kinds
}

// throughWhich is the camera of an optical flow sensor, beside it.
const throughWhich = "flow_camera"

// ofEveryRobot are topics that are there without a sensor.
var ofEveryRobot = []string{"robot_description", "ground_truth", "joint_states"}

// addTopics plays a world and takes topics and types from its recording.
func addTopics(t *testing.T, facts byKind, kinds map[string]scene.SensorKind, bin, file string) {
	t.Helper()
	for _, at := range recordingOf(t, bin, file).Information.Topics {
		model, topic, _ := strings.Cut(strings.TrimPrefix(at.Topic.Name, "/"), "/")
		topic = regexp.MustCompile(`^s/|^`+model+`/(.)`).ReplaceAllString(topic, "SENSOR/$1")
		if kind := kinds[model]; kind != 0 && !slices.Contains(ofEveryRobot, topic) &&
			!strings.HasPrefix(topic, throughWhich+"/") {
			facts[kind].topics[topic] = strings.Replace(at.Topic.Type, "/msg/", "/", 1)
		}
	}
}

// bundleWithoutRates is the demo track, which then says nothing of the rates of its sensors.
func bundleWithoutRates(t *testing.T) *scene.WorldSpec {
	t.Helper()
	changed := fstest.MapFS{}
	err := fs.WalkDir(worlds.FS(), "track", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(worlds.FS(), name)
		if path.Ext(name) == ".yaml" {
			data = regexp.MustCompile(`(?m)^ *(rate_hz|sensor_rates):.*$`).ReplaceAll(data, nil)
		}
		changed[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: changed}}}).
		World(scene.Resource{URI: "world://@cache@/track"})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestSensorsOfTheReferenceAreThoseOfTheReaders reads files with a sensor of each name, and plays them.
func TestSensorsOfTheReferenceAreThoseOfTheReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin, dir := filepath.Join(binary(t), "simdeck"), t.TempDir()
	facts := byKind{}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "here", FS: os.DirFS(dir)}}})
	for _, f := range sensorFiles {
		name := "sensors" + f.ext
		if err := os.WriteFile(filepath.Join(dir, name), []byte(f.text()), 0o644); err != nil {
			t.Fatal(err)
		}
		w, err := lib.World(scene.Resource{URI: "world://here/" + name})
		if err != nil {
			t.Fatal(err)
		}
		kinds := addRates(facts, f.format, w)
		for _, name := range strings.Fields(f.names) {
			if kinds[name] == 0 {
				t.Errorf("%s: %s is no sensor that runs", f.format, name)
			}
		}
		addTopics(t, facts, kinds, bin, filepath.Join(dir, name))
	}
	addRates(facts, "bundle", bundleWithoutRates(t))
	for kind, part := range sensorParts {
		f := facts[kind]
		var b strings.Builder
		if len(f.topics) > 0 {
			b.WriteString("| topic | message |\n| --- | --- |\n")
		}
		for _, topic := range slices.Sorted(maps.Keys(f.topics)) {
			fmt.Fprintf(&b, "| `%s` | `%s` |\n", topic, f.topics[topic])
		}
		if len(f.topics) > 0 {
			b.WriteString("\n")
		}
		b.WriteString("| read from | rate where the file gives none |\n| --- | --- |\n" + strings.Join(f.read, ""))
		generated(t, "reference/sensors.md", part, b.String())
	}
}
