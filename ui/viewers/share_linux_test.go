package viewers

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// Viewers of one address that take all places make room for one of another.
func TestAnotherAddressFindsAPlaceAmongManyViewers(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := served(t, Config{Listen: net.Listen})
	var all []*looker
	for range mostViewers {
		all = append(all, look(t, s))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	conn, _, err := websocket.Dial(ctx, "ws://"+s.Addr()+"/stream", &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatalf("a viewer of another address: %v", err)
	}
	defer conn.CloseNow()
	if _, _, err := conn.Read(ctx); err != nil {
		t.Errorf("it hears nothing: %v", err)
	}
	for end := time.Now().Add(time.Minute); s.Viewers() > mostViewers; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d viewers are connected", s.Viewers())
		}
	}
	_ = all
}
