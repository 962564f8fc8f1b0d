package node

import (
	"errors"
	"fmt"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
)

// Version is a definition in which values of type T are published.
type Version[T any] struct {
	kind msgs.Message
	of   func(*T) msgs.Message
}

// NewVersion is the version of M: of makes the message of a value.
func NewVersion[M, T any, PM msgs.Of[M]](of func(*T) *M) Version[T] {
	return Version[T]{PM(nil), func(v *T) msgs.Message { return PM(of(v)) }}
}

// VersionedPublisher publishes values to a topic in several definitions at once, which may share the name of
// their type. A subscriber gets that of the type hash that it announces. One that announces none, or another,
// gets the first definition of its type's name. A tap of the node gets the first of all.
type VersionedPublisher[T any] struct {
	versions   []Version[T]
	publishers []*publisher // aligned with versions
}

// NewVersionedPublisher makes a publisher of a topic of n in some definitions; the name is expanded and
// remapped. Errors wrap ErrName, or say which definition is there twice.
func NewVersionedPublisher[T any](n *Node, topic string, q QoS,
	versions ...Version[T]) (*VersionedPublisher[T], error) {
	p := &VersionedPublisher[T]{versions: versions}
	byHash := map[string]int{}
	for i, v := range versions {
		if other, taken := byHash[v.kind.TypeHash()]; taken {
			return nil, errors.Join(fmt.Errorf("publisher of %s: definitions %d and %d are one: %s %s", topic,
				other, i, v.kind.TypeName(), v.kind.TypeHash()), p.Close())
		}
		byHash[v.kind.TypeHash()] = i
	}
	for i, v := range versions {
		one, err := openPublisher(n, topic, q, v.kind, p.serves(i))
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.publishers = append(p.publishers, one)
	}
	if len(versions) > 0 {
		p.publishers[0].beTapped(versions[0].kind, q)
	}
	return p, nil
}

// serves chooses the readers of a version; nil: all, where its type's name has no other.
func (p *VersionedPublisher[T]) serves(of int) func(reader []byte) bool {
	own := p.versions[of].kind
	others, first := map[string]bool{}, true
	for i, v := range p.versions {
		if i != of && v.kind.DDSTypeName() == own.DDSTypeName() {
			others[v.kind.TypeHash()] = true
			first = first && i > of
		}
	}
	if len(others) == 0 {
		return nil
	}
	return func(reader []byte) bool {
		hash := rtps.RemoteEndpoint{UserData: reader}.Property("typehash")
		return hash == own.TypeHash() || first && !others[hash]
	}
}

// Publish sends v to whoever subscribes, in each definition that somebody takes; see Publisher.Publish.
func (p *VersionedPublisher[T]) Publish(v *T) error {
	var errs []error
	for i, one := range p.publishers {
		if one.keeps || one.Subscribers() > 0 {
			errs = append(errs, one.publish(p.versions[i].of(v)))
		}
	}
	return errors.Join(errs...)
}

// TimedBy is that of Publisher.
func (p *VersionedPublisher[T]) TimedBy(now func() time.Duration) {
	for _, one := range p.publishers {
		one.TimedBy(now)
	}
}

// Close takes the publishers off the graph. It may be called more than once.
func (p *VersionedPublisher[T]) Close() error {
	var errs []error
	for _, one := range p.publishers {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}
