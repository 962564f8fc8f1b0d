package rtps

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// An announcement can name any address and carry any GUID. A datagram that cannot be sent blindly validates
// an address: one with our random prefix, or discovery from that address on-link. Before that the
// amplification limit holds (amplification_limit.go) and no endpoint is matched. Afterwards other addresses
// cannot speak for the participant while it answers (path_validation.go), except with the secret number that
// was sent to it alone (secretStep).

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

// Address validation follows RFC 9000 §8: a token that goes to one address comes back only from somebody who
// hears that address. The token is the sequence number at which the writer of participant messages begins to
// count for a participant. An ACKNACK with the right number validates two addresses: the destination of the
// number, and the source of the answer. The two differ on hosts with several interfaces in one network. A new
// address gets a new number.

const (
	// secretBits is the size of a number. It is small, since readers of Fast DDS count up to it one by one;
	// guesses are limited instead.
	secretBits = 16
	// guessBurst and guessRate limit the numbers that are checked from addresses that are not validated: at
	// once, and per second, of all participants together.
	guessBurst, guessRate = 128, 1
	// blindTime is the time that a new participant has to validate its address. Before it is over, nobody at
	// an address that the participant has not announced is taken for it.
	blindTime = 2 * time.Second
)

// addressValidation decides which addresses a participant speaks from (RFC 9000 §8), and limits what is sent
// to any other.
type addressValidation struct {
	core    *Core
	spend   tokenBucket // of octets to addresses that are not validated, all together
	guesses tokenBucket // of numbers that validate an address
}

// secretStep gives the next step of the secret numbering for a participant.
func (v *addressValidation) secretStep(p *peer) wire.SequenceNumber {
	p.epoch++
	b := append(append([]byte(nil), v.core.cfg.Secret[:]...), p.guid.Prefix[:]...)
	sum := sha256.Sum256(binary.LittleEndian.AppendUint32(b, p.epoch))
	return wire.SequenceNumber(binary.LittleEndian.Uint32(sum[:])>>(32-secretBits)) + 1
}

// counts reports that the samples for a reader are counted from a secret number on.
func (p *readerProxy) counts(c *Core) bool { return p.writer == c.sedp.builtin.messages }

// unshift turns the sequence numbers of an ACKNACK into the writer's own. ok is false where they are
// impossible. proven reports that the number validates the reader's address.
func (p *readerProxy) unshift(a *wire.AckNack) (ok, proven bool) {
	base := a.State.Base - p.shift
	switch {
	case p.shift == 0:
		return true, false
	case a.State.Base <= 1: // it has not heard from us yet
		a.State.Base = 0
		return a.State.Empty(), false
	case base < 1 || base > p.writer.last+1:
		return false, false
	}
	a.State.Base = base
	return true, base == p.writer.last+1
}

// validate takes an answer from an address: a right number validates that address and the one that is sent
// to. Right and wrong answers both count as guesses.
func (v *addressValidation) validate(p *peer, from wire.Locator, right bool, now time.Time) bool {
	if v.core.net.at(p, from) && (len(p.meta) != 1 || v.core.net.at(p, p.meta[0])) {
		return true
	}
	if !v.guesses.spend(1, guessBurst, guessRate, now) || !right {
		return false
	}
	v.completeValidation(p, from)
	if len(p.meta) == 1 {
		v.completeValidation(p, p.meta[0])
	}
	return true
}

// completeValidation adds an address to the validated ones of a participant.
func (v *addressValidation) completeValidation(p *peer, at wire.Locator) {
	if slices.Contains(p.validated, at.IPv4()) || len(p.validated) >= maxValidatedAddresses {
		return
	}
	p.validated = append(p.validated, at.IPv4())
	p.near = p.near || v.core.net.isLocal(at)
	v.core.spdp.reroute(p)
}

// canValidate reports that a participant can still validate its address: it answers participant messages, and
// blindTime is not over.
func (v *addressValidation) canValidate(p *peer, now time.Time) bool {
	return p.data.Builtin&wire.BuiltinMessageReader != 0 && now.Sub(p.since) < blindTime
}
