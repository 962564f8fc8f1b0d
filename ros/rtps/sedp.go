package rtps

import (
	"reflect"
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// maxEndpointData bounds what one endpoint may say of itself: we keep it.
	maxEndpointData = 32 << 10
	// maxMatches bounds the endpoints of one participant that one of ours is matched with. A process may well hold hundreds of nodes, each with
	// a reader of /clock.
	maxMatches = 512
)

// onEndpoint takes in an SEDP sample: an endpoint of a peer is new, has changed or is gone (RTPS 2.2 §8.5.4).
func (c *Core) onEndpoint(w *writerProxy, a *arrival, writer bool) {
	if a.qos.Status&(wire.StatusDisposed|wire.StatusUnregistered) != 0 || a.content == wire.ContentKey {
		g := a.qos.KeyHash
		if len(a.payload) > 0 {
			k, _, err := wire.ParseKey(a.payload)
			if err != nil {
				c.stats.Malformed++
				return
			}
			g = k.GUID
		}
		if e := c.remotes[g]; e != nil && e.peer == w.peer && e.Writer == writer {
			c.dropEndpoint(e)
		}
		return
	}
	if len(a.payload) > maxEndpointData {
		c.stats.Refused++
		return
	}
	d, _, err := wire.ParseEndpointData(a.payload, writer)
	if err != nil {
		c.stats.Malformed++
		return
	}
	if d.GUID.Prefix != w.peer.guid.Prefix || d.GUID.Entity.IsBuiltin() || writer != d.GUID.Entity.IsWriter() ||
		!writer && !d.GUID.Entity.IsReader() {
		c.stats.Refused++
		return
	}
	c.learn(w.peer, d, writer, a.now)
}

// learn takes over what a peer says of one of its endpoints.
func (c *Core) learn(p *peer, d wire.EndpointData, writer bool, now time.Time) {
	e := &remoteEndpoint{peer: p, data: d, RemoteEndpoint: RemoteEndpoint{GUID: d.GUID, Writer: writer, Vendor: p.vendor,
		Topic: d.Topic, Type: d.Type, QoS: qosFromWire(d.QoS), UserData: d.UserData}}
	if len(d.Unicast) > c.cfg.Limits.Locators {
		e.data.Unicast = d.Unicast[:c.cfg.Limits.Locators]
	}
	old := c.remotes[d.GUID]
	switch {
	case old != nil && reflect.DeepEqual(old.data, e.data):
		return
	case old != nil:
		c.dropEndpoint(old)
	}
	size, most := e.size(), c.cfg.Limits.Discovery
	switch {
	case len(p.endpoints) >= c.cfg.Limits.Endpoints:
		c.refuse(p, p.from, c.cfg.Limits.Endpoints, "readers and writers of one participant", "", now)
		return
	case p.known+size > most/4:
		c.refuse(p, p.from, most/4, "octets of what one participant says of its readers and writers", "", now)
		return
	case c.known+size > most:
		c.refuse(p, p.from, most, "octets of what all participants say of their readers and writers", "", now)
		return
	}
	c.known += size
	p.known += size
	p.endpoints[d.GUID] = e
	c.remotes[d.GUID] = e
	c.changed()
	for _, l := range slices.Clone(c.locals) {
		c.matchRemote(l, e, now)
	}
}

// dropEndpoint forgets a remote endpoint.
func (c *Core) dropEndpoint(e *remoteEndpoint) {
	delete(c.remotes, e.GUID)
	delete(e.peer.endpoints, e.GUID)
	c.known -= e.size()
	e.peer.known -= e.size()
	for _, l := range c.locals {
		switch l := l.(type) {
		case *localWriter:
			if p := l.proxies[e.GUID]; p != nil {
				l.unmatch(c, p)
			}
		case *localReader:
			if p := l.proxies[e.GUID]; p != nil {
				l.unmatch(c, p)
			}
		}
	}
	c.changed()
}

// matchLocal joins a new local endpoint with all that is there already.
func (c *Core) matchLocal(l endpoint, now time.Time) {
	d := l.describe()
	var fits []*remoteEndpoint
	for _, e := range c.remotes {
		if e.Writer != l.isWriter() && e.Topic == d.Topic {
			fits = append(fits, e)
		}
	}
	slices.SortFunc(fits, func(a, b *remoteEndpoint) int { return a.GUID.Compare(b.GUID) })
	for _, e := range fits {
		c.matchRemote(l, e, now)
	}
	for _, o := range slices.Clone(c.locals) {
		switch o := o.(type) {
		case *localReader:
			if w, ok := l.(*localWriter); ok {
				c.matchIntraProcess(w, o, now)
			}
		case *localWriter:
			if r, ok := l.(*localReader); ok {
				c.matchIntraProcess(o, r, now)
			}
		}
	}
	c.changed()
}

// matchRemote joins a local endpoint with a remote one when topic, type and quality of service fit. Type hashes play no part in it.
func (c *Core) matchRemote(l endpoint, e *remoteEndpoint, now time.Time) {
	if l.isWriter() == e.Writer {
		return
	}
	switch l := l.(type) {
	case *localWriter:
		if l.cfg.Topic != e.Topic || l.cfg.Type != e.Type || l.proxies[e.GUID] != nil {
			return
		}
		if policy := mismatch(l.cfg.QoS, e.QoS, nil, e.data.QoS.Representations); policy != "" {
			c.incompatible(&l.stats.IncompatibleQoS, &l.stats.LastIncompatible, e.GUID, policy)
			return
		}
		if n := l.served(e.peer); n >= maxMatches {
			c.refuse(e.peer, e.peer.from, maxMatches, "readers of one participant on one topic", e.Topic, now)
			return
		}
		l.match(c, &readerProxy{peer: e.peer, remote: e, guid: e.GUID, reliable: e.QoS.Reliability == Reliable,
			keeps: e.QoS.Durability >= TransientLocal, typed: e.typed()}, now)
	case *localReader:
		if l.cfg.Topic != e.Topic || l.cfg.Type != e.Type || l.proxies[e.GUID] != nil {
			return
		}
		if policy := mismatch(e.QoS, l.cfg.QoS, e.data.QoS.Representations, nil); policy != "" {
			c.incompatible(&l.stats.IncompatibleQoS, &l.stats.LastIncompatible, e.GUID, policy)
			return
		}
		if n := l.heard(e.peer); n >= maxMatches {
			c.refuse(e.peer, e.peer.from, maxMatches, "writers of one participant on one topic", e.Topic, now)
			return
		}
		l.match(c, &writerProxy{peer: e.peer, remote: e, guid: e.GUID, reliable: l.cfg.QoS.Reliability == Reliable,
			keeps: e.QoS.Durability >= TransientLocal}, now)
	}
}

func (c *Core) incompatible(count *uint64, last *Incompatible, g wire.GUID, policy string) {
	*count++
	*last = Incompatible{Remote: g, Policy: policy}
	c.changed()
}
