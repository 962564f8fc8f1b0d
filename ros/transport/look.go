package transport

import (
	"net"
	"reflect"
	"slices"

	"golang.org/x/net/ipv4"
)

// look compares the interfaces with those in use and takes over what has changed.
func (u *UDP) look() {
	if u.meta == nil {
		return
	}
	all, err := faces()
	if err != nil {
		return // the next look may do
	}
	fs, _ := chosen(all, u.cfg.Interfaces)
	u.mu.RLock()
	same := !u.again && slices.EqualFunc(fs, u.faces, func(a, b face) bool { return a.same(&b) })
	u.mu.RUnlock()
	if same || !u.apply(fs) {
		return
	}
	select {
	case u.changed <- struct{}{}:
	default:
	}
}

// apply joins the group on new interfaces, leaves what is gone, and makes the links. It tells whether they
// are others than before.
func (u *UDP) apply(fs []face) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.faces, u.again = slices.Clone(fs), false
	there := map[int]bool{}
	for i := range fs {
		f := &fs[i]
		there[f.index] = true
		if u.cfg.Range == Subnet && f.multi {
			f.multi = u.joinGroup(f)
			u.again = u.again || !f.multi
		}
	}
	for i := range u.joined {
		if !there[i] {
			u.leaveGroup(i)
		}
	}
	before := u.links
	u.links = links(&u.cfg, fs, u.index, u.static)
	return !reflect.DeepEqual(before, u.links)
}

// leaveGroup lets an interface go that is down or no longer there. The socket has to leave its group even so.
// Otherwise it cannot join again when the interface is up again, and the system counts it among the few that
// one socket may join.
func (u *UDP) leaveGroup(index int) {
	_ = ipv4.NewPacketConn(u.multi).LeaveGroup(&net.Interface{Index: index}, &net.UDPAddr{IP: group[:]})
	delete(u.joined, index)
	if c, ok := u.casts[index]; ok {
		c.conn.Close()
		delete(u.casts, index)
	}
}

// joinGroup hears the group on an interface and has a socket that sends there, from its present address. It
// is false when the interface refuses.
func (u *UDP) joinGroup(f *face) bool {
	ifi := &net.Interface{Index: f.index, Name: f.name}
	if !u.joined[f.index] {
		if err := ipv4.NewPacketConn(u.multi).JoinGroup(ifi, &net.UDPAddr{IP: group[:]}); err != nil {
			return false
		}
		u.joined[f.index] = true
	}
	old, ok := u.casts[f.index]
	if ok && old.from == f.addrs[0] {
		return true
	}
	conn, err := sendSocket(ifi, f.addrs[0])
	if err != nil {
		return false
	}
	if ok {
		old.conn.Close()
	}
	u.casts[f.index] = cast{conn, f.addrs[0]}
	return true
}
