package rtps

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

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
// impossible; proven says that the number validates the reader's address.
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
