package rtps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"simdeck/ros/rtps/wire"
)

// ErrConfig says that a configuration cannot work; the text says which field.
var ErrConfig = errors.New("rtps: configuration")

// ErrClosed says that a writer, reader or participant was closed.
var ErrClosed = errors.New("rtps: closed")

// Transport is the only way to a network. transport.UDP and netsim.Host satisfy it.
type Transport interface {
	// Links gives the interfaces in use now, with what to announce on each and where announcements go.
	Links() []wire.Link
	// Changed gives a token when Links has changed.
	Changed() <-chan struct{}
	// Send sends one datagram. link is the Link.Index from which a multicast leaves; 0 lets the system
	// choose.
	Send(b []byte, to wire.Locator, link int) error
	// Run gives every datagram that arrives to receive, perhaps from several goroutines, until ctx ends; then
	// it closes the sockets. The octets are valid during the call only.
	Run(ctx context.Context, receive func(b []byte, from wire.Locator)) error
}

// Batcher is a Transport that takes many datagrams at once. SendBatch returns the number of datagrams that it
// has finished, from the first on, and the number of those that the system refused. It is done with fewer
// than all when the others would have to wait and wait is false.
type Batcher interface {
	SendBatch(all []wire.Datagram, wait bool) (done, failed int)
}

// Pauser is a Transport that can wait for much less than a millisecond, which is the least that a timer
// takes. Large samples are spread over time with it.
type Pauser interface {
	Pause(d time.Duration)
}

// Config is the configuration of a participant. The zero value of every field but Transport means the default
// that is told with it.
type Config struct {
	DomainID  uint32        // 0; the same that the transport was opened with
	Transport Transport     // required
	Lease     time.Duration // 20 s: how long others believe in us without hearing anything
	UserData  []byte        // "enclave=/;"
	Name      string        // "/"
	Host      string        // name of the machine, for people; "": not told
	// told to others beside Host
	Properties []wire.Property
	Prefix     wire.GUIDPrefix // 01 7e and ten random octets
	Secret     [16]byte        // random octets that nobody else knows; see address_validation.go
	Limits     Limits
}

// Limits bound what the network can make us keep. The zero value of a field means the default that is told
// with it.
type Limits struct {
	Participants int // 256 remote participants
	Locators     int // 16 addresses per participant or endpoint
	Endpoints    int // 4096 per remote participant
	Discovery    int // 64 MiB of what endpoints say of themselves; one participant may fill a quarter of it
	SampleBytes  int // 64 MiB: largest sample taken or given
	// 128 MiB of samples that have arrived in part or before their turn; one peer may fill half of it
	Reassembly     int
	History        int // 4096 samples in a keep-all writer
	Instances      int // 4096 of a topic with a key, in each reader and writer
	HistoryBytes   int // 64 MiB in a writer, and in the queue of a reader; a single sample is always kept
	Unacknowledged int // 64 MiB in all volatile writers; beyond it each keeps one sample
}

// Defaults of Limits. docs/ros.md has those that users may meet.
const (
	defaultParticipants   = 256
	defaultLocators       = 16
	defaultEndpoints      = 4096
	defaultDiscovery      = 64 << 20
	defaultSampleBytes    = 64 << 20
	defaultReassembly     = 128 << 20
	defaultHistory        = 4096
	defaultInstances      = 4096
	defaultHistoryBytes   = 64 << 20
	defaultUnacknowledged = 64 << 20
)

func (l *Limits) setDefaults() {
	for _, d := range []struct {
		field *int
		value int
	}{
		{&l.Participants, defaultParticipants}, {&l.Locators, defaultLocators},
		{&l.Endpoints, defaultEndpoints}, {&l.Discovery, defaultDiscovery},
		{&l.SampleBytes, defaultSampleBytes}, {&l.Reassembly, defaultReassembly},
		{&l.History, defaultHistory}, {&l.Instances, defaultInstances},
		{&l.HistoryBytes, defaultHistoryBytes},
		{&l.Unacknowledged, defaultUnacknowledged},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
}

// maxDomain is the highest domain whose ports fit into 16 bits (RTPS 2.2 §9.6.1.1).
const maxDomain = 232

// setDefaults fills in what is not said and checks the rest.
func (c *Config) setDefaults() error {
	if c.DomainID > maxDomain {
		return fmt.Errorf("%w: domain %d is beyond %d", ErrConfig, c.DomainID, maxDomain)
	}
	if c.Lease == 0 {
		c.Lease = 20 * time.Second
	}
	if c.Lease < time.Second {
		return fmt.Errorf("%w: a lease of %v is less than 1 s", ErrConfig, c.Lease)
	}
	if c.UserData == nil {
		c.UserData = []byte("enclave=/;")
	}
	if len(c.Host) > 255 {
		return fmt.Errorf("%w: a name of the machine of %d octets, at most 255", ErrConfig, len(c.Host))
	}
	if len(c.UserData) > 8<<10 {
		return fmt.Errorf("%w: %d octets of user data, at most 8192", ErrConfig, len(c.UserData))
	}
	if c.Name == "" {
		c.Name = "/"
	}
	for _, v := range []int{c.Limits.Participants, c.Limits.Locators, c.Limits.Endpoints, c.Limits.Discovery,
		c.Limits.SampleBytes, c.Limits.Reassembly,
		c.Limits.Instances, c.Limits.History, c.Limits.HistoryBytes, c.Limits.Unacknowledged} {
		if v < 0 {
			return fmt.Errorf("%w: a limit is %d: below zero", ErrConfig, v)
		}
	}
	c.Limits.setDefaults()
	return nil
}
