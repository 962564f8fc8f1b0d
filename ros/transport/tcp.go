package transport

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
)

// TCP connects to Zenoh routers.
type TCP struct{}

// Dial connects to an endpoint as Zenoh writes it: "tcp/localhost:7447". Metadata and settings behind
// ? and # are for other protocols.
func (TCP) Dial(ctx context.Context, endpoint string) (io.ReadWriteCloser, error) {
	address, ok := strings.CutPrefix(endpoint, "tcp/")
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	if !ok {
		return nil, fmt.Errorf("%w: endpoint %q, want tcp/HOST:PORT", ErrConfig, endpoint)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", address)
}
