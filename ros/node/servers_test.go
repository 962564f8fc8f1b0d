package node

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/stdsrvs"
)

// flagServer runs a node that serves /flag and answers with its own name.
func (b *bench) flagServer(name string,
	answer func(context.Context, Caller, *setRequest) *setResponse) (stop func()) {
	b.t.Helper()
	n := b.node(name)
	if _, err := n.Serve(ServerConfig{Name: "flag",
		Lines: []Line{NewLine(stdsrvs.SetBoolService(), answer, failed)}}); err != nil {
		b.t.Fatal(err)
	}
	return b.start(n)
}

func says(text string) func(context.Context, Caller, *setRequest) *setResponse {
	return func(context.Context, Caller, *setRequest) *setResponse { return &setResponse{Message: text} }
}

// flags are the servers of /flag that a node sees.
func flags(n *Node) (found []RemoteServer) {
	for _, s := range n.Servers() {
		if s.Name == "/flag" {
			found = append(found, s)
		}
	}
	return found
}

func TestOneOfSeveralServersOfAServiceCanBeCalled(t *testing.T) {
	onBench(t, func(b *bench) {
		stop := b.flagServer("left", says("left"))
		b.flagServer("right", says("right"))
		c := b.client("c")
		b.until("both servers with their nodes", func() bool {
			found := flags(c.node)
			return len(found) == 2 && !slices.ContainsFunc(found,
				func(s RemoteServer) bool { return s.Node == "" })
		})
		found := flags(c.node)
		for i, want := range []string{"left", "right"} {
			s := found[i]
			if s.Node != "/"+want || s.Type != "std_srvs/srv/SetBool" ||
				s.RequestHash != (*setRequest)(nil).TypeHash() ||
				s.ResponseHash != (*setResponse)(nil).TypeHash() {
				t.Errorf("server %d is %+v", i, s)
			}
			for range 3 {
				if r, err := c.CallServer(b.soon(), s.ID, &setRequest{}); err != nil || r.Message != want {
					t.Errorf("%s answers %+v, %v", want, r, err)
				}
			}
		}
		stop()
		b.until("the left one to be gone", func() bool { return len(flags(c.node)) == 1 })
		if _, err := c.CallServer(b.soon(), found[0].ID, &setRequest{}); !errors.Is(err, ErrNoServer) ||
			errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the call of a server that has left gives %v", err)
		}
		if r, err := c.Call(b.soon(), &setRequest{}); err != nil || r.Message != "right" {
			t.Errorf("the other one answers %+v, %v", r, err)
		}
	})
}

func TestACallEndsWhenItsServerLeaves(t *testing.T) {
	onBench(t, func(b *bench) {
		asked, never := make(chan struct{}), make(chan struct{})
		p := b.node("server")
		s, err := p.Serve(ServerConfig{Name: "flag", Lines: []Line{NewLine(stdsrvs.SetBoolService(),
			func(context.Context, Caller, *setRequest) *setResponse {
				close(asked)
				<-never
				return &setResponse{}
			}, failed)}})
		if err != nil {
			t.Fatal(err)
		}
		b.start(p)
		go func() {
			<-asked
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		c := b.client("c")
		if _, err := c.Call(b.soon(), &setRequest{}); !errors.Is(err, ErrLeft) {
			t.Errorf("the call ends with %v", err)
		}
		close(never)
	})
}

func TestAWatchTellsOfServersAndOfTheNamesOfNodes(t *testing.T) {
	onBench(t, func(b *bench) {
		c := b.client("c")
		w, closed := c.node.Watch(), c.node.Watch()
		defer w.Close()
		closed.Close()
		closed.Close()
		for len(closed.C()) > 0 {
			<-closed.C()
		}
		stop := b.flagServer("server", says("x"))
		await := func(what string, ok func() bool) {
			for end := time.After(20 * time.Second); !ok(); {
				select {
				case <-w.C():
				case <-end:
					t.Fatalf("no token came with %s", what)
				}
			}
		}
		await("a server", func() bool { return len(flags(c.node)) == 1 })
		await("its node's name", func() bool {
			f := flags(c.node)
			return len(f) == 1 &&
				f[0].Node == "/server"
		})
		stop()
		await("its end", func() bool { return len(flags(c.node)) == 0 })
		if len(closed.C()) > 0 {
			t.Error("a closed watch goes on")
		}
	})
}
