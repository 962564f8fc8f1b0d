package viewers

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"simdeck/sim"
	"simdeck/sim/r3"
)

// crowdOf is the variable by which a benchmark starts itself as a crowd of viewers of an address.
const crowdOf = "SIMDECK_TEST_VIEWERS_OF"

const crowd = 20

func TestMain(m *testing.M) {
	if address := os.Getenv(crowdOf); address != "" {
		gather(address)
		return
	}
	os.Exit(m.Run())
}

// gather connects a crowd that reads until its standard input ends. It prints the number of bytes that one
// of them got.
func gather(address string) {
	var got [crowd]int
	for i := range crowd {
		conn, _, err := websocket.Dial(context.Background(), "ws://"+address+"/stream", nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		conn.SetReadLimit(1 << 26)
		conn.Write(context.Background(), websocket.MessageText, []byte(`{"watch":[1]}`))
		go func() {
			for {
				kind, data, err := conn.Read(context.Background())
				if err != nil {
					return
				}
				if kind == websocket.MessageBinary {
					got[i] += len(data)
				}
			}
		}()
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	fmt.Println(got[0])
}

// cpu is the processor time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkTwentyViewersOfAThousandMovingBodies shows 20 frames a second of bodies that fly, spin and bounce,
// to browsers of another process. It reports the share of a core that the server takes, and the bytes in a
// second to one viewer.
func BenchmarkTwentyViewersOfAThousandMovingBodies(b *testing.B) {
	s, err := Open(Config{Address: "0", Listen: net.Listen})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	defer func() { stop(); <-ended }()
	w, err := s.Begin("hall")
	if err != nil {
		b.Fatal(err)
	}
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("body%03d", i)
	}
	m := boxes(1, names...)
	shown, vel, spin := snapshot(m, 0), make([]r3.Vec, len(names)), make([]r3.Vec, len(names))
	rng := rand.New(rand.NewPCG(1, 2))
	vec := func(size float64) r3.Vec {
		return r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(2 * size)
	}
	for i := range vel {
		vel[i], spin[i] = vec(3), vec(6)
		shown.Links[i].Pose.Pos = vec(20)
	}
	w.Show(shown, time.Now())
	child := exec.Command(os.Args[0])
	child.Env, child.Stderr = append(os.Environ(), crowdOf+"="+s.Addr()), os.Stderr
	in, _ := child.StdinPipe()
	out, _ := child.StdoutPipe()
	if err := child.Start(); err != nil {
		b.Fatal(err)
	}
	defer child.Wait()
	var word string
	if _, err := fmt.Fscan(out, &word); err != nil {
		b.Fatal(err)
	}
	for range 10 {
		time.Sleep(period)
		w.Show(shown, time.Now())
	}
	const dt = 0.05
	var busy time.Duration
	frames := 0
	for b.Loop() {
		next := *shown
		next.Links = append([]sim.LinkState(nil), shown.Links...)
		for i := range next.Links {
			p := &next.Links[i].Pose
			vel[i].Z -= 9.81 * dt
			p.Pos, p.Rot = p.Pos.AddScaled(dt, vel[i]), p.Rot.Turn(spin[i].Scale(dt))
			if p.Pos.Z < 0 {
				p.Pos.Z, vel[i], spin[i] = 0, vec(1).Add(r3.V(0, 0, 5)), vec(6)
			}
		}
		shown = &next
		began := cpu()
		w.Show(shown, time.Now())
		time.Sleep(period)
		busy += cpu() - began
		frames++
	}
	in.Close()
	var bytes int
	if _, err := fmt.Fscan(out, &bytes); err != nil {
		b.Fatal(err)
	}
	took := float64(frames) * period.Seconds()
	b.ReportMetric(100*busy.Seconds()/took, "%core")
	b.ReportMetric(float64(bytes)/took/1000, "kB/s")
	b.ReportMetric(float64(s.Viewers()), "viewers")
}
