package rtps

import (
	"slices"

	"simdeck/ros/rtps/wire"
)

// An announcement can name anybody's address, and carry anybody's GUID. So an address counts as a participant's only once a datagram came
// from there that could not be sent blindly: one that names our own random prefix, or one of the discovery protocol from the very address
// that was announced, in a network that we are in. Until then little is sent there (see amplification_limit.go), nothing of it is matched, and afterwards
// nobody at another address can speak for the participant as long as it answers where it is (see path_validation.go),
// unless he knows what was said to it alone (see address_validation.go).

const (
	// maxValidatedAddresses bounds the addresses that a participant speaks from.
	maxValidatedAddresses = 4
)

// validatedAddress is an address that a participant speaks from.
type validatedAddress = [4]byte

// verified tells whether the peer has shown that it is where it says.
func (p *peer) verified() bool { return len(p.validated) > 0 }

// at tells whether an address is one that the peer speaks from. All addresses of this host are one.
func (n *network) at(p *peer, l wire.Locator) bool {
	if slices.Contains(p.validated, l.IPv4()) {
		return true
	}
	return p.near && n.isLocal(l)
}

// announced tells whether a peer has announced an address as its own.
func (p *peer) announced(a [4]byte) bool {
	is := func(l wire.Locator) bool { return l.IPv4() == a }
	return slices.ContainsFunc(p.data.Meta, is) || slices.ContainsFunc(p.data.User, is)
}

// sameHost tells whether an address is of this host, like one that the peer has announced: it may speak from any of them.
func (n *network) sameHost(p *peer, l wire.Locator) bool {
	return n.isLocal(l) && slices.ContainsFunc(p.data.Meta, n.isLocal)
}

// validateAddress notes that a datagram could only come from the peer itself: the address is one that it speaks from. The one of its announcement is too if
// it has announced what it came from.
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

// heard tells whether the sender has shown itself; what others say is not minded, but for announcements. In a network that we are in the
// address that it announced is enough.
func (v *addressValidation) heard(m *message) bool {
	p := m.peer
	if p == nil {
		return false
	}
	if !p.verified() && p.announced(m.from.IPv4()) && (v.core.net.covered(m.from) || v.core.net.isLocal(m.from)) {
		v.validateAddress(p, m.from)
	}
	return p.verified()
}

// isUnvalidated tells whether a datagram in a known participant's name comes from where it is not known to be. Either somebody pretends, or it has
// another address too, or it has moved: it is asked.
func (v *addressValidation) isUnvalidated(p *peer, m *message) bool {
	if !p.verified() || v.core.net.at(p, m.from) || p.announced(m.from.IPv4()) {
		return false
	}
	v.core.stats.Unvalidated++
	v.sendChallenge(p, m.now)
	return true
}
