package transport

import (
	"fmt"
	"net"
	"slices"

	"simdeck/ros/rtps/wire"
)

// face is an interface that is up, with its IPv4 addresses.
type face struct {
	index    int
	name     string
	loopback bool
	multi    bool // takes multicast
	addrs    [][4]byte
	bits     []int // of the network of each address
}

// faces lists the interfaces that are up and have an IPv4 address, in the order of their indices.
func faces() ([]face, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("%w: cannot be listed: %w", ErrInterface, err)
	}
	var out []face
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 {
			continue
		}
		f := face{index: i.Index, name: i.Name, loopback: i.Flags&net.FlagLoopback != 0,
			multi: i.Flags&net.FlagMulticast != 0}
		addrs, err := i.Addrs()
		if err != nil {
			continue // it has just gone
		}
		for _, a := range addrs {
			n, ok := a.(*net.IPNet)
			if !ok || n.IP.To4() == nil {
				continue
			}
			ones, _ := n.Mask.Size()
			f.addrs, f.bits = append(f.addrs, [4]byte(n.IP.To4())), append(f.bits, ones)
		}
		if len(f.addrs) > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b face) int { return a.index - b.index })
	return out, nil
}

// chosen picks the interfaces that are asked for, by name or by address. Names that fit nothing are returned
// too.
func chosen(all []face, names []string) (out []face, unknown []string) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(f face) bool { return f.is(name) })
		switch {
		case i < 0:
			unknown = append(unknown, name)
		case !slices.ContainsFunc(out, func(f face) bool { return f.index == all[i].index }):
			out = append(out, all[i])
		}
	}
	return out, unknown
}

// same tells whether nothing about an interface has changed that matters here.
func (f *face) same(o *face) bool {
	return f.index == o.index && f.name == o.name && f.multi == o.multi && slices.Equal(f.addrs, o.addrs) &&
		slices.Equal(f.bits, o.bits)
}

// is tells whether a name or an address means this interface.
func (f *face) is(name string) bool {
	if f.name == name {
		return true
	}
	ip := net.ParseIP(name).To4()
	return ip != nil && slices.Contains(f.addrs, [4]byte(ip))
}

// links makes what each interface announces. Announcements go to the multicast group, where range and
// interface permit it, and to this machine's ports for nodes with smaller range. The first interface also
// sends them to the static peers.
func links(cfg *Config, fs []face, index int, static [][4]byte) []wire.Link {
	var out []wire.Link
	for _, f := range fs {
		if cfg.Range == Localhost && !f.loopback && len(static) == 0 {
			continue
		}
		l := wire.Link{Index: f.index, Name: f.name, Loopback: f.loopback, Bits: slices.Clone(f.bits)}
		for _, a := range f.addrs {
			l.Meta = append(l.Meta, wire.UDPv4(a, uint16(metaPort(cfg.Domain, index))))
			l.User = append(l.User, wire.UDPv4(a, uint16(userPort(cfg.Domain, index))))
		}
		if cfg.Range == Subnet && f.multi {
			l.Announce = append(l.Announce, wire.UDPv4(group, uint16(multicastPort(cfg.Domain))))
		}
		if f.loopback {
			l.Announce = appendProbes(l.Announce, cfg.Domain, [4]byte{127, 0, 0, 1}, index)
		}
		out = append(out, l)
	}
	for _, peer := range static {
		if l := toward(out, peer); l != nil {
			l.Announce = appendProbes(l.Announce, cfg.Domain, peer, -1)
		}
	}
	return out
}

// appendProbes adds the ports at which participants of a host listen, but our own.
func appendProbes(to []wire.Locator, domain uint32, host [4]byte, own int) []wire.Locator {
	for i := range probed {
		if i != own {
			to = append(to, wire.UDPv4(host, uint16(metaPort(domain, i))))
		}
	}
	return to
}

// toward gives the link to an address: the one with the longest matching network prefix, else the first that
// leaves this machine.
func toward(ls []wire.Link, a [4]byte) *wire.Link {
	var best *wire.Link
	for i := range ls {
		if n := ls[i].Prefix(a); n >= 0 && (best == nil || n > best.Prefix(a)) {
			best = &ls[i]
		}
	}
	if best != nil {
		return best
	}
	for i := range ls {
		if !ls[i].Loopback {
			return &ls[i]
		}
	}
	if len(ls) > 0 {
		return &ls[0]
	}
	return nil
}
