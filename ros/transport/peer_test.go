package transport

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
)

// peer is the other side of ros/interop/throughput.py: a node that answers, echoes and streams on demand. The
// rclpy node there does the same, so that the two can be compared.
type peer struct {
	node *node.Node
	data *node.Publisher[stdmsgs.UInt8MultiArray]
	tick *node.Publisher[rosgraphmsgs.Clock]
	pong *node.Publisher[stdmsgs.UInt8MultiArray]
	acks chan uint32
}

// peerMain serves until it is told to end, and gives the exit code. With "match" it only measures how long a
// match takes.
func peerMain(domain, what string) int {
	d, err := strconv.ParseUint(domain, 10, 32)
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if what == "match" {
			err = match(ctx, uint32(d))
		} else {
			err = serve(ctx, uint32(d))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		return 1
	}
	return 0
}

func newPeer(domain uint32, name string) (*node.Node, error) {
	u, err := Open(Config{Domain: domain})
	if err != nil {
		return nil, err
	}
	return node.New(node.Config{Name: name, Domain: domain, Transport: u})
}

// match joins, waits until a subscription is matched, and prints how long that took from before the first
// socket.
func match(ctx context.Context, domain uint32) error {
	begin := time.Now()
	n, err := newPeer(domain, "latecomer")
	if err != nil {
		return err
	}
	s, err := node.NewSubscription(n, "/known", node.DefaultQoS(),
		func(context.Context, *stdmsgs.String, node.Origin) {})
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	n.Go(func(ctx context.Context) {
		defer stop()
		w := n.Watch()
		for s.Publishers() == 0 {
			select {
			case <-w.C():
			case <-ctx.Done():
				return
			}
		}
		fmt.Println(time.Since(begin).Seconds())
	})
	return n.Run(ctx)
}

func serve(ctx context.Context, domain uint32) error {
	n, err := newPeer(domain, "simdeck_peer")
	if err != nil {
		return err
	}
	p := &peer{node: n, acks: make(chan uint32, 1000)}
	if err := p.open(); err != nil {
		return err
	}
	return n.Run(ctx)
}

func (p *peer) open() (err error) {
	q := node.DefaultQoS()
	if p.pong, err = node.NewPublisher[stdmsgs.UInt8MultiArray](p.node, "/simdeck/pong", q); err != nil {
		return err
	}
	if p.data, err = node.NewPublisher[stdmsgs.UInt8MultiArray](p.node, "/simdeck/data",
		node.QoS{Reliability: q.Reliability, Depth: 1000}); err != nil {
		return err
	}
	if p.tick, err = node.NewPublisher[rosgraphmsgs.Clock](p.node, "/simdeck/clock", q); err != nil {
		return err
	}
	if _, err = node.NewSubscription(p.node, "/simdeck/ping", q,
		func(_ context.Context, m *stdmsgs.UInt8MultiArray, _ node.Origin) {
			p.pong.Publish(m)
		}); err != nil {
		return err
	}
	if _, err = node.NewSubscription(p.node, "/simdeck/ack", q,
		func(_ context.Context, m *stdmsgs.UInt32, _ node.Origin) {
			p.acks <- m.Data
		}); err != nil {
		return err
	}
	if _, err = node.NewSubscription(p.node, "/simdeck/go", q,
		func(ctx context.Context, m *stdmsgs.String, _ node.Origin) {
			p.execute(ctx, m.Data)
		}); err != nil {
		return err
	}
	_, err = p.node.Serve(node.ServerConfig{Name: "/simdeck/trigger",
		Lines: []node.Line{node.NewLine(stdsrvs.TriggerService(),
			func(context.Context, node.Caller, *stdsrvs.TriggerRequest) *stdsrvs.TriggerResponse {
				return &stdsrvs.TriggerResponse{Success: true}
			}, nil)}})
	return err
}

// execute does what the measuring side asks for: "stream SIZE COUNT WINDOW" or "clock COUNT".
func (p *peer) execute(ctx context.Context, order string) {
	words := strings.Fields(order)
	numbers := make([]int, 0, 3)
	for _, w := range words[1:] {
		n, _ := strconv.Atoi(w)
		numbers = append(numbers, n)
	}
	switch words[0] {
	case "stream":
		p.stream(ctx, numbers[0], numbers[1], numbers[2])
	case "clock":
		p.clock(ctx, numbers[0])
	}
}

// stream publishes count messages, never more than window ahead of what the other side says it has.
func (p *peer) stream(ctx context.Context, size, count, window int) {
	m := &stdmsgs.UInt8MultiArray{Data: make([]byte, size)}
	for len(p.acks) > 0 { // of the last stream
		<-p.acks
	}
	for sent, acked := 0, 0; sent < count; sent++ {
		for sent-acked >= window {
			select {
			case n := <-p.acks:
				acked = int(n)
			case <-ctx.Done():
				return
			}
		}
		p.data.Publish(m)
	}
}

// clock publishes a thousand times per second.
func (p *peer) clock(ctx context.Context, count int) {
	every := time.NewTicker(time.Millisecond)
	defer every.Stop()
	var m rosgraphmsgs.Clock
	for range count {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		m.Clock.Nanosec += 1000000
		p.tick.Publish(&m)
	}
}
