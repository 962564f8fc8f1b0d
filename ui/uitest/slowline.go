package uitest

import (
	"io"
	"sync"
	"time"
)

// SlowLine is a slow line between clients and a server. Data beyond the rate wait in a queue without end, as
// in the worst of routers.
type SlowLine struct {
	rate  int
	delay time.Duration

	mu   sync.Mutex
	most int
	down int
}

// OpenSlowLine carries what clients and the server say to each other: rate octets a second in each direction,
// each late by delay. accept gives the next client and dial reaches the server for it, so that the sockets
// are the test's own; it ends when accept fails.
func OpenSlowLine[C io.ReadWriteCloser](rate int, delay time.Duration, accept,
	dial func() (C, error)) *SlowLine {
	x := &SlowLine{rate: rate, delay: delay}
	go func() {
		for {
			near, err := accept()
			if err != nil {
				return
			}
			far, err := dial()
			if err != nil {
				near.Close()
				continue
			}
			go x.carry(near, far, false)
			go x.carry(far, near, true)
		}
	}()
	return x
}

type parcel struct {
	b  []byte
	at time.Time
}

func (x *SlowLine) carry(from io.Reader, to io.WriteCloser, down bool) {
	queue, waiting := make(chan parcel, 1<<16), 0
	go func() {
		defer close(queue)
		for {
			b := make([]byte, 4096)
			n, err := from.Read(b)
			if n > 0 {
				x.mu.Lock()
				if waiting += n; down {
					x.most = max(x.most, waiting)
				}
				x.mu.Unlock()
				queue <- parcel{b[:n], time.Now().Add(x.delay)}
			}
			if err != nil {
				return
			}
		}
	}()
	defer to.Close()
	free := time.Now()
	for p := range queue {
		if now := time.Now(); free.Before(now) {
			free = now
		}
		free = free.Add(time.Duration(len(p.b)) * time.Second / time.Duration(x.rate))
		if p.at.Before(free) {
			p.at = free
		}
		time.Sleep(time.Until(p.at))
		if _, err := to.Write(p.b); err != nil {
			return
		}
		x.mu.Lock()
		if waiting -= len(p.b); down {
			x.down += len(p.b)
		}
		x.mu.Unlock()
	}
}

// Came is the number of octets that the clients have got.
func (x *SlowLine) Came() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.down
}

// Waited is the most octets that waited towards a client.
func (x *SlowLine) Waited() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.most
}
