package zenoh

import "time"

// Bounds of a session.
const (
	// Lease is the time of silence after which either side is taken for gone.
	Lease = 10 * time.Second
	// handshakeMayTake is the time from a connection to an open session.
	handshakeMayTake = 5 * time.Second
	// keepAlives are sent per lease.
	keepAlives = 4

	maxKey       = 4096     // octets of a key
	maxKeys      = 16 << 10 // declared by the router
	maxTokens    = 64 << 10
	maxRemote    = 16 << 10 // subscribers of others
	maxText      = 32 << 20 // octets of all keys that a router makes us keep
	maxQueries   = 4096     // of others that are not answered yet
	maxMessage   = 64 << 20 // octets of a message in fragments
	bestEffortMB = 4        // MiB that wait until best-effort values are dropped
	reliableMB   = 64       // MiB that wait until reliable values are dropped
	declaredMB   = 128      // MiB that wait until the link is given up
)
