package node

import (
	"log/slog"
	"sync"
)

// maxNotices bounds what a hostile network can make a node remember and say.
const maxNotices = 256

// notices say a thing once per subject.
type notices struct {
	mu   sync.Mutex
	said map[string]bool
}

func (s *notices) warn(log *slog.Logger, subject, text string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := text + "\x00" + subject
	if s.said[key] || len(s.said) >= maxNotices {
		return
	}
	if s.said == nil {
		s.said = map[string]bool{}
	}
	s.said[key] = true
	log.Warn(text, args...)
}

// WarnOnce warns of something once per subject, of some hundred subjects at
// most: a client, say, that asks again and again. args are those of slog.
func (n *Node) WarnOnce(subject, text string, args ...any) {
	n.notices.warn(n.log, subject, text, args...)
}
