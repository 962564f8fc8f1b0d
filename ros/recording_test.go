package ros

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/bag"
	"simdeck/ros/mcap"
	"simdeck/ros/rostest"
	"simdeck/ros/transport"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// watched is a falling box with an IMU, a lidar and a camera.
const watched = `<sdf version="1.9"><world name="w">
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="b"><pose>0 0 1 0 0 0</pose><link name="l"><inertial><mass>2</mass><inertia><ixx>0.013</ixx><iyy>0.013</iyy><izz>0.013</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>
<sensor name="imu" type="imu"><update_rate>50</update_rate></sensor>
<sensor name="scan" type="gpu_lidar"><update_rate>10</update_rate><ray><scan><horizontal><samples>90</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>10</max></range></ray></sensor>
<sensor name="cam" type="camera"><update_rate>20</update_rate><camera><image><width>160</width><height>120</height></image></camera></sensor>
</link></model></world></sdf>`

// slowFolder takes so long for each write.
type slowFolder struct {
	bag.Folder
	takes time.Duration
}

type slowFile struct {
	bag.File
	takes time.Duration
}

func (f slowFolder) OpenFile(name string, flag int, perm fs.FileMode) (bag.File, error) {
	file, err := f.Folder.OpenFile(name, flag, perm)
	return slowFile{file, f.takes}, err
}

func (f slowFile) WriteAt(b []byte, at int64) (int, error) {
	time.Sleep(f.takes)
	return f.File.WriteAt(b, at)
}

// recorded are the messages of a topic: their times, numbers and octets.
type recorded struct {
	times []time.Duration
	all   bytes.Buffer
}

// recordsAsFastAsItCan records a world for 4 s of simulated time onto a disk, by topic.
func recordsAsFastAsItCan(t *testing.T, takes time.Duration, queue int) map[string]*recorded {
	t.Helper()
	lib := rostest.Library(nil)
	const until = 4 * time.Second
	e, err := engine.New(engine.Config{Library: lib, Clients: lib.ForClients(),
		World: scene.Resource{Document: watched}, Start: sim.Playing, RealTime: engine.AsFastAsPossible,
		Until: until})
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(Config{Transport: transport.Mute{}}, e)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	open := func(dir string) (bag.Folder, error) {
		f, err := bag.OpenFolder(dir)
		return slowFolder{f, takes}, err
	}
	r, err := b.Record(bag.Config{Dir: dir, Queue: queue, Leave: bag.OfMachine, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	bridgeEnds, recorderEnds := run(ctx, b.Run), run(ctx, r.Run)
	<-b.Ready()
	engineEnds := run(ctx, e.Run)
	for e.Snapshot().Time < until {
		time.Sleep(time.Millisecond)
	}
	_, err = e.Do(ctx, sim.SetState{State: sim.Quitting})
	if err1, err2 := <-engineEnds, <-bridgeEnds; err != nil || err1 != nil || err2 != nil {
		t.Fatal(err, err1, err2)
	}
	cancel()
	if err := <-recorderEnds; err != nil || r.Lost() > 0 {
		t.Fatalf("%v; %d messages are lost", err, r.Lost())
	}
	file, err := os.ReadFile(dir + "/topics.mcap")
	if err != nil {
		t.Fatal(err)
	}
	f, err := mcap.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*recorded{}
	err = f.Messages(0, func(m *mcap.Message) error {
		topic := f.Channels[m.Channel].Topic
		if all[topic] == nil {
			all[topic] = &recorded{}
		}
		all[topic].times = append(all[topic].times, time.Duration(m.LogTime))
		fmt.Fprintf(&all[topic].all, "%d %d %d %x\n", m.LogTime, m.PublishTime, m.Sequence, m.Data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestARecordingHoldsTheSimulationSoThatItIsCompleteAndEqualRunsAreEqual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := recordsAsFastAsItCan(t, 0, 0)
		for topic, want := range map[string]int{"/clock": 401, "/b/imu": 200, "/b/ground_truth": 201,
			"/tf": 201, "/b/scan": 40, "/b/cam/image_raw": 80} {
			got := first[topic]
			if got == nil {
				t.Errorf("%s is not recorded", topic)
				continue
			}
			if len(got.times) < want {
				t.Errorf("%s has %d messages, want %d", topic, len(got.times), want)
			}
			for i, at := range got.times[1:] {
				if gap := at - got.times[i]; gap > 4*time.Second/time.Duration(want-1)+4*time.Millisecond {
					t.Errorf("%s has a gap of %v before %v", topic, gap, at)
				}
			}
		}
		slow := recordsAsFastAsItCan(t, 30*time.Millisecond, 100<<10)
		if len(slow) != len(first) {
			t.Errorf("a slow disk has %d topics, want %d", len(slow), len(first))
		}
		for topic, want := range first {
			if got := slow[topic]; got == nil || !bytes.Equal(got.all.Bytes(), want.all.Bytes()) {
				t.Errorf("%s differs on a slow disk", topic)
			}
		}
	})
}
