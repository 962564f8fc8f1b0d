package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// datagrams is the file of what went over the network in the folder of a trace.
const datagrams = "rtps.pcap"

// OpenTrace makes the file that every datagram is written into; nil when no
// trace is asked for, or there is no network. One that is there is left alone,
// with an error.
func (o Options) OpenTrace() (io.WriteCloser, error) {
	if o.Trace == "" || o.ROS.Off {
		return nil, nil
	}
	if err := os.MkdirAll(o.Trace, 0o755); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(o.Trace, datagrams), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w: %s holds a trace already; name another folder", ErrUsage, o.Trace)
	}
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return file, nil
}
