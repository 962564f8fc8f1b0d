package rtps

import "time"

// pacer spreads large samples over time, so that they do not overrun the receiver's socket buffer: Fast DDS
// keeps the default 208 KiB. The receiver's own rate is not known. The pacer's rate follows the share of
// repetitions: a small share is the price of not pausing, a large one is waste.
type pacer struct {
	debt int // octets sent ahead of time
	last time.Time
	rate int64 // octets per second: more than an int of 32 bits holds

	local   bool
	crowded bool // the receiver has more readers than a process needs
	// octets of large samples sent for the first time and again, since the rate was last looked at
	fresh, again int
}

const (
	// paceBurst is the number of octets that may leave at once. With the datagram beyond it, it fits into the
	// system's default buffer.
	paceBurst = 128 << 10
	// judgeFrom and judgeAt are the octets after which the rate is looked at: with a sample's end, or at
	// once.
	judgeFrom = 256 << 10
	judgeAt   = 4 << 20
	// crowdRate is the rate to a receiver with a crowd of readers, in octets per second.
	crowdRate = 8 << 20
)

// pacerLimits are the rate limits for a kind of receiver, in octets per second and in percent of repetitions.
type pacerLimits struct {
	first, least, most int64
	few, many          int // below few percent the rate grows, above many it falls
}

// limits: on this host nothing but the receiver's buffer loses datagrams, and a repair costs little.
// Elsewhere others are on the line.
func (p *pacer) limits() pacerLimits {
	if p.local {
		return pacerLimits{first: 512 << 20, least: 128 << 20, most: 4 << 30, few: 10, many: 40}
	}
	return pacerLimits{first: 96 << 20, least: 8 << 20, most: 1 << 30, few: 2, many: 10}
}

// begin sets the rate for a new receiver.
func (p *pacer) begin(local bool) {
	p.local = local
	p.rate = p.limits().first
}

// pace is the rate at which the debt is paid off.
func (p *pacer) pace() int64 {
	if p.crowded {
		return min(p.rate, crowdRate)
	}
	return p.rate
}

// settle pays the debt off for the time that has passed and tells whether more may be sent now.
func (p *pacer) settle(now time.Time) bool {
	if p.debt > 0 {
		if paid := now.Sub(p.last); paid >= time.Second {
			p.debt = 0
		} else if paid > 0 {
			p.debt = max(0, p.debt-int(int64(paid)*p.pace()/int64(time.Second)))
		}
	}
	p.last = now
	return p.debt < paceBurst
}

// resume is the time at which half a burst may be sent again.
func (p *pacer) resume() time.Time {
	over := p.debt - paceBurst/2
	return p.last.Add(time.Duration(int64(over) * int64(time.Second) / p.pace()))
}

// judge sets the rate by what had to be sent again. arrived tells that a whole sample has got there.
func (p *pacer) judge(arrived bool) {
	sent := p.fresh + p.again
	if sent < judgeFrom || sent < judgeAt && !arrived {
		return
	}
	l := p.limits()
	switch share := p.again * 100 / sent; {
	case share < l.few:
		p.rate = min(p.rate*5/4, l.most)
	case share > l.many:
		p.rate = max(p.rate*3/4, l.least)
	}
	p.fresh, p.again = 0, 0
}
