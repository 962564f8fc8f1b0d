package rtps

import (
	"slices"

	"simdeck/ros/rtps/wire"
)

// An announcement can name any address and carry any GUID. An address is validated by a datagram that cannot
// be sent blindly: one that names this participant's random prefix, or a discovery message from the announced
// address in a network of this host. Before, the amplification limit holds (amplification_limit.go) and no
// endpoint is matched. Afterwards nobody at another address speaks for the participant while it answers
// (path_validation.go), except with the secret number that was sent to it alone (address_validation.go).

const (
	// maxValidatedAddresses bounds the validated addresses of one participant.
	maxValidatedAddresses = 4
)

// validatedAddress is an IPv4 address from which a participant sends.
type validatedAddress = [4]byte

// verified reports that the peer has a validated address.
func (p *peer) verified() bool { return len(p.validated) > 0 }

// at reports that an address of a peer is validated. All addresses of this host count as one.
func (n *network) at(p *peer, l wire.Locator) bool {
	if slices.Contains(p.validated, l.IPv4()) {
		return true
	}
	return p.near && n.isLocal(l)
}

// announced reports that a peer has announced an address as its own.
func (p *peer) announced(a [4]byte) bool {
	is := func(l wire.Locator) bool { return l.IPv4() == a }
	return slices.ContainsFunc(p.data.Meta, is) || slices.ContainsFunc(p.data.User, is)
}

// sameHost reports that an address and one that the peer has announced are both of this host. Such a peer may
// send from any address of the host.
func (n *network) sameHost(p *peer, l wire.Locator) bool {
	return n.isLocal(l) && slices.ContainsFunc(p.data.Meta, n.isLocal)
}

// validateAddress validates the source address of a datagram that only the peer can have sent. The source of
// its announcement is validated too where the peer has announced that address.
func (v *addressValidation) validateAddress(p *peer, from wire.Locator) {
	if v.core.net.at(p, from) || len(p.validated) >= maxValidatedAddresses {
		return
	}
	first := !p.verified()
	p.validated = append(p.validated, from.IPv4())
	if first && p.from != from && p.announced(p.from.IPv4()) {
		p.validated = append(p.validated, p.from.IPv4())
	}
	p.near = p.near || v.core.net.isLocal(from)
	v.core.spdp.reroute(p)
}

// heard reports that the sender is validated; from others only announcements are taken. In a network of this
// host the announced address is enough.
func (v *addressValidation) heard(m *message) bool {
	p := m.peer
	if p == nil {
		return false
	}
	if !p.verified() && p.announced(m.from.IPv4()) &&
		(v.core.net.covered(m.from) || v.core.net.isLocal(m.from)) {
		v.validateAddress(p, m.from)
	}
	return p.verified()
}

// isUnvalidated reports that a datagram of a known participant comes from an address that is not validated.
// The sender is spoofed, has a further address, or has moved: a challenge finds out.
func (v *addressValidation) isUnvalidated(p *peer, m *message) bool {
	if !p.verified() || v.core.net.at(p, m.from) || p.announced(m.from.IPv4()) {
		return false
	}
	v.core.stats.Unvalidated++
	v.sendChallenge(p, m.now)
	return true
}
