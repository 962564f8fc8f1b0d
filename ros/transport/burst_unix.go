//go:build unix

package transport

import (
	"golang.org/x/sys/unix"

	"simdeck/ros/rtps/wire"
)

// unicast sends the datagrams up to the next multicast, as many as go into one call, and gives how many went.
func (u *UDP) unicast(all []wire.Datagram, wait bool) (int, error) {
	b, n := &u.batch, 0
	for ; n < len(all) && n < maxBatch && !all[n].To.IsMulticast(); n++ {
		d, parts := &all[n], b.parts[n][:0]
		for _, p := range d.Parts {
			if len(p) > 0 {
				parts = append(parts, p)
			}
		}
		b.messages[n].Buffers, b.messages[n].Addr = parts, b.target(d.To)
		if u.tap != nil {
			u.tap.sent(d.Append(nil), u.source(d.To), u.meta.LocalAddr(), d.To)
		}
	}
	flags := 0
	if !wait {
		flags = unix.MSG_DONTWAIT
	}
	sent, err := u.out.WriteBatch(b.messages[:n], flags)
	clear(b.parts[:n]) // sent data are not ours to hold
	return max(0, sent), err
}
