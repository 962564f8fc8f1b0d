package rtps

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// Whoever repeats what was sent to one address only is there, or hears what goes there. So the writer of participant messages counts its samples
// for each participant from a number on that is hard to guess, and an ACKNACK that has it right is a proof: of the address to which the
// number went, and of the one from which the answer comes, which is another one on hosts with several interfaces in one network. A new
// address gets a new number.

const (
	// secretBits is how large a number is. Readers of Fast DDS count up to it, one by one, so it is small: guesses are bounded instead.
	secretBits = 16
	// From addresses that are not a participant's no more than so many numbers are looked at, at once and per second, from all together.
	guessBurst, guessRate = 128, 1
	// blindTime is how long a participant must have gone without a proof before one that names us is taken instead, from an address that it has not
	// announced.
	blindTime = 2 * time.Second
)

// addressValidation decides which addresses a participant speaks from (RFC 9000 §8), and limits what is sent to any other.
type addressValidation struct {
	core    *Core
	spend   tokenBucket // of octets to addresses that are not validated, all together
	guesses tokenBucket // of numbers that validate an address
}

// secretStep gives by how much the numbering for a participant moves on.
func (v *addressValidation) secretStep(p *peer) wire.SequenceNumber {
	p.epoch++
	b := append(append([]byte(nil), v.core.cfg.Secret[:]...), p.guid.Prefix[:]...)
	sum := sha256.Sum256(binary.LittleEndian.AppendUint32(b, p.epoch))
	return wire.SequenceNumber(binary.LittleEndian.Uint32(sum[:])>>(32-secretBits)) + 1
}

// counts tells whether a reader's samples are counted from a secret number on.
func (p *readerProxy) counts(c *Core) bool { return p.writer == c.sedp.builtin.messages }

// unshift turns an ACKNACK into our own numbers. It is false when it has them wrong; proven tells that it shows where the reader is.
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

// validate notes that a participant has shown that it is where we send to, and sends from an address. right tells that it has the number right:
// both count as a guess.
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

// completeValidation adds an address to those that a participant speaks from.
func (v *addressValidation) completeValidation(p *peer, at wire.Locator) {
	if slices.Contains(p.validated, at.IPv4()) || len(p.validated) >= maxValidatedAddresses {
		return
	}
	p.validated = append(p.validated, at.IPv4())
	p.near = p.near || v.core.net.isLocal(at)
	v.core.spdp.reroute(p)
}

// canValidate tells whether a participant could prove itself and has had no time to: until then nobody at an address that it has not announced
// is taken for it.
func (v *addressValidation) canValidate(p *peer, now time.Time) bool {
	return p.data.Builtin&wire.BuiltinMessageReader != 0 && now.Sub(p.since) < blindTime
}
