// Package zenoh is a session of Zenoh with a router, as a client of it.
//
// It has two layers, as package rtps has. Core is the protocol: a state machine without goroutine, clock or
// socket. It takes batches and the time, and gives batches and events. Session is the loop around it: it
// connects by a Dialer, again and again with growing pauses, and owns the goroutines.
//
// Declarations outlive a link: after each new one the router is told of them again.
//
// The constants of limits.go bound the influence of a router: the memory for its keys, tokens, subscribers
// and queries. They bound fragments, and messages that the router does not take, too.
package zenoh
