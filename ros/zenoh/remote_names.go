package zenoh

import "simdeck/ros/zenoh/wire"

// remoteNames are the keys, tokens and subscribers that a router has declared.
type remoteNames struct {
	keys   map[uint16]string
	tokens map[uint32]string
	subs   map[uint32]string
	text   int // octets of all
}

// declareKey gives a key a number; false beyond the limits.
func (r *remoteNames) declareKey(id uint16, key string) bool {
	r.forgetKey(id)
	if len(r.keys) >= maxKeys || r.text+len(key) > maxText {
		return false
	}
	if r.keys == nil {
		r.keys = map[uint16]string{}
	}
	r.keys[id] = key
	r.text += len(key)
	return true
}

func (r *remoteNames) forgetKey(id uint16) {
	r.text -= len(r.keys[id])
	delete(r.keys, id)
}

// table is that of tokens or of subscribers, with its limit.
func (r *remoteNames) table(what wire.What) (*map[uint32]string, int) {
	if what == wire.DeclareToken {
		return &r.tokens, maxTokens
	}
	return &r.subs, maxRemote
}

// declare notes a token or subscriber, and gives the key that had its number; false beyond the limits.
func (r *remoteNames) declare(what wire.What, id uint32, key string) (was string, ok bool) {
	t, most := r.table(what)
	was = (*t)[id]
	if was == "" && len(*t) >= most || r.text+len(key)-len(was) > maxText {
		return "", false
	}
	if *t == nil {
		*t = map[uint32]string{}
	}
	(*t)[id] = key
	r.text += len(key) - len(was)
	return was, true
}

// undeclare forgets a token or subscriber, and gives its key; "" of an unknown one.
func (r *remoteNames) undeclare(what wire.What, id uint32) string {
	t, _ := r.table(what)
	key := (*t)[id]
	delete(*t, id)
	r.text -= len(key)
	return key
}
