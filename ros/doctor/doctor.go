// Package doctor looks at what may keep ROS 2 nodes on this machine from
// hearing each other: interfaces, ports, multicast, and who is there. It sends
// nothing but what any node does, and one empty message per interface.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/transport"
)

// Finding is the result of one check.
type Finding struct {
	Area string // "network"
	What string
	Bad  bool   // it keeps something from working; else Fix, if any, is advice
	Said string // observation, one line
	Fix  string // remedy; empty: none
}

// Times to wait for others.
const (
	echoWithin = 500 * time.Millisecond // for what this machine sent to itself
	peersTell  = 3 * time.Second        // nodes announce themselves at once, and answer an announcement
)

// Examine looks at a network, and at the signs of this machine that nodes are hidden from it.
func Examine(ctx context.Context, c attach.Config, h Host) []Finding {
	all := examine(ctx, c, h)
	for i := range all {
		all[i].Area = "network"
	}
	return all
}

func examine(ctx context.Context, c attach.Config, h Host) []Finding {
	domain := Finding{What: "domain",
		Said: fmt.Sprintf("%d, range %s, discovery on UDP %d", c.Network.Domain, c.Network.Range,
			groupPort(c.Network.Domain))}
	switch {
	case c.Network.Range == transport.Off:
		domain.Fix = "ROS_AUTOMATIC_DISCOVERY_RANGE is OFF: discovery is disabled; unset it"
		return []Finding{domain}
	case c.Network.Domain > 101:
		domain.Fix = "Linux uses ports from 32768 on for other programs; use a domain up to 101"
	}
	ear := c.Transport
	if ear == nil {
		n := c.Network
		n.StaticPeers = nil // they hear of the node that looks for others
		udp, err := transport.Open(n)
		if err != nil {
			return []Finding{domain, {What: "sockets", Bad: true, Said: err.Error(), Fix: unbound(err)}}
		}
		domain.Said += fmt.Sprintf(", participant %d of this machine", udp.Index())
		ear = udp
	}
	all := append([]Finding{domain}, surroundings(h, ear.Links())...)
	all = append(all, hears(ctx, ear, group(c.Network.Domain))...)
	return append(all, peers(ctx, c)...)
}

// groupPort is the port of a domain's announcements (RTPS 2.2, 9.6.1.1).
func groupPort(domain uint32) uint32 { return 7400 + 250*domain }

// group is the multicast address of discovery (RTPS 2.2, 9.6.1.4.1).
func group(domain uint32) wire.Locator {
	return wire.UDPv4([4]byte{239, 255, 0, 1}, uint16(groupPort(domain)))
}

// probe is an RTPS message without anything in it, which everybody ignores; its sender's prefix tells it from
// others.
func probe() []byte {
	return wire.Header{Prefix: wire.GUIDPrefix{'s', 'i', 'm', 'd', 'e', 'c', 'k', ' ', 'd', 'o', 'c',
		't'}}.Append(nil)
}

// hears sends a message on each interface to all, and looks on which this machine hears it.
func hears(ctx context.Context, ear rtps.Transport, group wire.Locator) []Finding {
	links := ear.Links()
	if len(links) == 0 {
		return []Finding{{What: "interfaces", Bad: true, Said: "none is up with an IPv4 address",
			Fix: "bring one up (ip link set lo up), or choose another by --interface"}}
	}
	ctx, stop := context.WithCancel(ctx)
	var mu sync.Mutex
	heard := map[[4]byte]bool{}
	ended := make(chan error, 1)
	go func() {
		ended <- ear.Run(ctx, func(b []byte, from wire.Locator) {
			if string(b) == string(probe()) {
				mu.Lock()
				heard[from.IPv4()] = true
				mu.Unlock()
			}
		})
	}()
	failed := map[int]error{}
	for _, l := range links {
		failed[l.Index] = ear.Send(probe(), group, l.Index)
	}
	wait(ctx, echoWithin)
	stop()
	var all []Finding
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		all = append(all, Finding{What: "sockets", Bad: true, Said: err.Error()})
	}
	for _, l := range links {
		all = append(all, echo(l, slices.ContainsFunc(l.Meta,
			func(at wire.Locator) bool { return heard[at.IPv4()] }), failed[l.Index]))
	}
	return all
}

// unbound is advice for a failure to open sockets.
func unbound(err error) string {
	switch {
	case errors.Is(err, transport.ErrPorts):
		return "another --domain, or end some of the nodes here"
	case errors.Is(err, transport.ErrInterface):
		return "ip -4 addr lists what there is; without --interface all are used"
	}
	return "--no-ros runs without a network"
}

// echo says whether what was sent on an interface came back.
func echo(l wire.Link, heard bool, err error) Finding {
	var addresses []string
	for _, m := range l.Meta {
		a := m.IPv4()
		addresses = append(addresses, fmt.Sprintf("%d.%d.%d.%d", a[0], a[1], a[2], a[3]))
	}
	f := Finding{What: "multicast " + l.Name,
		Said: strings.Join(addresses, ", ") + ": multicast works"}
	if heard && err == nil {
		return f
	}
	f.Said = strings.Join(addresses, ", ") + ": multicast does not work"
	if err != nil {
		f.Said = strings.Join(addresses, ", ") + ": " + err.Error()
	}
	switch {
	case l.Loopback: // as most systems have it
		f.Said += "; nodes of this machine are found one by one"
	case err != nil:
		f.Bad, f.Fix = true, fmt.Sprintf("ip link set %s multicast on; ip route add 239.0.0.0/8 dev %s",
			l.Name, l.Name)
	default:
		f.Bad, f.Fix = true, "a firewall or the network blocks multicast: allow UDP to 239.255.0.1, or name the hosts: --peers HOST,…"
	}
	return f
}

// peers looks who is there.
func peers(ctx context.Context, c attach.Config) []Finding {
	g, err := attach.Open(c)
	if err != nil {
		return []Finding{{What: "peers", Bad: true, Said: err.Error()}}
	}
	var all []Finding
	err = g.Run(ctx, func(ctx context.Context) error {
		wait(ctx, peersTell)
		graph := g.Node().Graph()
		own := g.Node().FullName()
		others := slices.DeleteFunc(slices.Compact(graph.Nodes),
			func(name string) bool { return name == own || strings.HasPrefix(name, "/_") })
		f := Finding{What: "peers", Said: fmt.Sprintf("%d participants with %d nodes%s", graph.Participants,
			len(others), names(others))}
		if graph.Participants == 0 {
			f.Said = "No other participants within " + peersTell.String()
			f.Fix = "if there should be some: use the same ROS_DOMAIN_ID there, and --peers HOST where multicast is blocked"
		}
		all = append(all, f)
		var sims []string
		for _, s := range attach.Simulators(g.Node().Servers()) {
			line := ""
			for _, l := range s.Lines() {
				line += " " + l.String()
			}
			sims = append(sims, s.Title()+line)
		}
		if len(sims) > 0 {
			all = append(all, Finding{What: "simulators", Said: strings.Join(sims, ", ")})
		}
		return nil
	})
	if err != nil {
		all = append(all, Finding{What: "peers", Bad: true, Said: err.Error()})
	}
	return all
}

// names are some names in brackets.
func names(list []string) string {
	const most = 6
	switch n := len(list); {
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf(" (%s and %d more)", strings.Join(list[:most], ", "), n-most)
	}
	return " (" + strings.Join(list, ", ") + ")"
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
