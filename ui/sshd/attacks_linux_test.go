package sshd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

var attackedBinary = flag.String("siege", "",
	"a simdeck that is attacked at full length, in a network of its own: ros/interop/netns.sh single go test -siege simdeck -run Siege -v")

// attack is a load on a server; do returns at the end of ctx or of its work, with the number of lost
// sessions.
type attack struct {
	name   string
	logins bool // operators log in meanwhile
	do     func(ctx context.Context, a *attacked) (lost int)
}

// attackers are the hosts that flood: of the network of the operators, who come from another address each
// time.
var attackers = []string{"127.0.9.101", "127.0.9.102", "127.0.9.103", "127.0.9.104", "127.0.9.105",
	"127.0.9.106"}

func attacks(short bool) []attack {
	all := []attack{
		{"none", true, func(context.Context, *attacked) int { time.Sleep(20 * time.Second); return 0 }},
		{"500 silent connections", true, flood(500, 200*time.Millisecond, silent)},
		{"500 half handshakes", true, flood(500, 200*time.Millisecond, halfHandshake)},
		{"wrong keys", true, flood(24, 5*time.Millisecond, wrongKeys)},
		{"connections closed at once", true, flood(12, time.Millisecond, closedAtOnce)},
		{"all of these", true, flood(500, 100*time.Millisecond, silent, halfHandshake, wrongKeys,
			closedAtOnce)},
		{"5,000 inputs of a viewer", false,
			func(ctx context.Context, a *attacked) int { return a.typing(5000) }},
		{"32 viewers, ten of whom never read", true,
			func(ctx context.Context, a *attacked) int { return a.audience(ctx, 22, 10) }},
	}
	if short {
		all = []attack{
			{"floods", true, flood(100, 20*time.Millisecond, silent, halfHandshake, wrongKeys, closedAtOnce)},
			{"500 inputs of a viewer", false,
				func(ctx context.Context, a *attacked) int { return a.typing(500) }},
			{"eight viewers, three of whom never read", false, func(_ context.Context, a *attacked) int {
				ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
				defer stop()
				return a.audience(ctx, 5, 3)
			}},
		}
	}
	return all
}

// flood has attackers do things as often as they can, so many at a time and with a pause after each.
func flood(at int, pause time.Duration,
	things ...func(ctx context.Context, a *attacked, from string)) func(context.Context, *attacked) int {
	return func(ctx context.Context, a *attacked) int {
		var all sync.WaitGroup
		for i := range at {
			do, from := things[i/len(attackers)%len(things)], attackers[i%len(attackers)]
			all.Go(func() {
				for ctx.Err() == nil {
					do(ctx, a, from)
					time.Sleep(pause)
				}
			})
		}
		all.Wait()
		return 0
	}
}

// dial connects from an address of this host, which leaves nothing behind in the kernel when it closes.
func dial(ctx context.Context, a *attacked, from string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 20 * time.Second}
	c, err := d.DialContext(ctx, "tcp", a.addr)
	if err == nil {
		_ = c.(*net.TCPConn).SetLinger(0)
	}
	return c, err
}

// silent says nothing until it is sent away.
func silent(ctx context.Context, a *attacked, from string) { say(ctx, a, from, "") }

// halfHandshake begins a key exchange and says no more.
func halfHandshake(ctx context.Context, a *attacked, from string) {
	say(ctx, a, from, "SSH-2.0-\x1b]0;owned\a\r\n\x00\x00\x01\x00\x08\x14")
}

func say(ctx context.Context, a *attacked, from, what string) {
	c, err := dial(ctx, a, from)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { c.Close() })()
	defer c.Close()
	_, _ = io.WriteString(c, what)
	_, _ = io.Copy(io.Discard, c)
}

// wrongKeys tries to log in with a key that is not in the file.
func wrongKeys(ctx context.Context, a *attacked, from string) {
	if client, err := a.login(ctx, from, "eve"); err == nil {
		client.Close()
		a.broken.Store(true)
	}
}

func closedAtOnce(ctx context.Context, a *attacked, from string) {
	if c, err := dial(ctx, a, from); err == nil {
		c.Close()
	}
}

// login logs in with a key.
func (a *attacked) login(ctx context.Context, from, who string) (*ssh.Client, error) {
	c, err := dial(ctx, a, from)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	conn, channels, requests, err := ssh.NewClientConn(c, a.addr,
		&ssh.ClientConfig{User: "anyone", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
			Auth: []ssh.AuthMethod{ssh.PublicKeys(a.keys[who])}})
	stop()
	if err != nil {
		c.Close()
		return nil, err
	}
	return ssh.NewClient(conn, channels, requests), nil
}

// logIn has operators log in, each from an address that the server does not know, and counts who came to a
// session.
func (a *attacked) logIn(ctx context.Context, times int) (succeeded int) {
	host, port, _ := net.SplitHostPort(a.addr)
	client, err := exec.LookPath("ssh")
	for i := range times {
		from := fmt.Sprintf("127.0.9.%d", i+1)
		ctx, stop := context.WithTimeout(ctx, 20*time.Second)
		if err == nil { // as operators do; without a terminal it is told so, and ends
			out, _ := exec.CommandContext(ctx, client, "-F", "none", "-T", "-i", a.keyFile, "-b", from, "-p",
				port, "-o", "BatchMode=yes",
				"-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no", "-o",
				"UserKnownHostsFile=/dev/null", "anyone@"+host).CombinedOutput()
			if strings.Contains(string(out), "needs a terminal") {
				succeeded++
			}
		} else if c, err := a.login(ctx, from, "alice"); err == nil {
			if s, err := c.NewSession(); err == nil && s.Close() == nil {
				succeeded++
			}
			c.Close()
		}
		stop()
		time.Sleep(100 * time.Millisecond)
	}
	return succeeded
}

// console is a viewer's session.
type console struct {
	client *ssh.Client
	in     io.WriteCloser
	out    io.Reader
	read   atomic.Int64 // octets
	ended  chan struct{}
}

// open opens a viewer's console, which reads what it is sent or does not.
func (a *attacked) open(ctx context.Context, from string, reads bool) (*console, error) {
	client, err := a.login(ctx, from, "bob")
	if err != nil {
		return nil, err
	}
	s, err := client.NewSession()
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	c := &console{client: client, ended: make(chan struct{})}
	var e1, e2 error
	c.in, e1 = s.StdinPipe()
	c.out, e2 = s.StdoutPipe()
	if err := errors.Join(e1, e2, s.RequestPty("xterm-256color", 40, 120, nil), s.Shell()); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	if reads {
		go func() {
			defer close(c.ended)
			buf := make([]byte, 32<<10)
			for {
				n, err := c.out.Read(buf)
				if c.read.Add(int64(n)); err != nil {
					return
				}
			}
		}()
	}
	return c, nil
}

// typing has a viewer type random keys. A viewer that leaves by one of them comes again.
func (a *attacked) typing(keys int) (lost int) {
	random := rand.New(rand.NewPCG(8, 8))
	special := []string{"\r", "\x1b", "\t", "\x7f", "\x12", "\x03", "\x1b[A", "\x1b[B", "\x1b[5~",
		"\x1b[<0;10;10M", "\x1b[<0;30;12m", "\x1b[200~delete\x1b[201~"}
	for typed := 0; typed < keys; {
		c, err := a.open(context.Background(), "127.0.9.200", true)
		if err != nil {
			lost++
			if lost > 20 {
				return lost
			}
			time.Sleep(time.Second) // viewers pay for logins
			continue
		}
		until(a.t, "the console", func() bool { return c.read.Load() > 0 })
	session:
		for ; typed < keys; typed++ {
			key := string(rune(' ' + random.IntN('~'-' '+1)))
			if random.IntN(4) == 0 {
				key = special[random.IntN(len(special))]
			}
			_, _ = io.WriteString(c.in, key) // it may have been left by the last
			select {
			case <-c.ended:
				break session
			case <-time.After(2 * time.Millisecond):
			}
		}
		c.client.Close()
	}
	return lost
}

// audience has viewers look on, some of whom never read; lost counts those that see nothing new, or are
// disconnected.
func (a *attacked) audience(until context.Context, read, never int) (lost int) {
	var all []*console
	for i := range read + never {
		c, err := a.open(context.Background(), "127.0.9.200", i < read)
		if err != nil {
			lost++
			continue
		}
		defer c.client.Close()
		if i < read {
			all = append(all, c)
		}
	}
	<-until.Done()
	for _, c := range all {
		seen := c.read.Load()
		_, _ = io.WriteString(c.in, "?") // help: something new to see also where the world stands still
		for end := time.Now().Add(20 * time.Second); c.read.Load() == seen && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		if c.read.Load() == seen {
			lost++
		}
	}
	return lost
}

// Properties under each attack.
const (
	loginsTried  = 20
	loginsNeeded = 19
	leastFactor  = 0.95 // of real time
	mostMemory   = 400  // MB
	mostLines    = 150  // of the log in a minute
)

func TestSiegeOfStrangersAndViewers(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, opens sockets, measures memory")
	}
	long := *attackedBinary != ""
	if long {
		fmt.Println("attack | login success | rtf | peak memory MB | lost")
	}
	for _, attack := range attacks(!long) {
		t.Run(attack.name, func(t *testing.T) {
			a := newAttacked(t, *attackedBinary)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan int, 1)
			before, began := a.simulated(), time.Now()
			go func() { ended <- attack.do(ctx, a) }()
			succeeded := loginsTried
			if attack.logins {
				time.Sleep(time.Second) // it is under way
				succeeded = a.logIn(t.Context(), loginsTried)
				stop()
			}
			lost := <-ended
			factor := (a.simulated() - before) / time.Since(began).Seconds()
			memory := a.memory()
			logged := "–"
			if attack.logins {
				logged = fmt.Sprintf("%d of %d", succeeded, loginsTried)
			}
			line := fmt.Sprintf("%s | %s | %.2f | %.0f | %d", attack.name, logged, factor, memory, lost)
			if t.Log(line); long {
				fmt.Println(line)
				if factor < leastFactor || memory > mostMemory {
					t.Errorf("real-time factor %.2f, want %v; %.0f MB, want at most %d", factor, leastFactor,
						memory, mostMemory)
				}
			}
			if succeeded < loginsNeeded || lost > 0 || a.broken.Load() {
				t.Errorf("%d of %d logins succeeded, %d sessions were lost, a wrong key was let in: %v",
					succeeded, loginsTried, lost, a.broken.Load())
			}
			a.judge(time.Since(began))
		})
	}
}
