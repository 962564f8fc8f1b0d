// Package rtps makes this process a participant of a DDS domain: it finds other participants and their endpoints, matches writers with
// readers, and moves samples between them, best effort or reliably (OMG DDSI-RTPS 2.2; the facts about Fast DDS and Cyclone DDS that go
// beyond the standard are told where they matter).
//
// It comes in two layers. Core is the protocol: a state machine without goroutine, clock, socket or randomness, to which datagrams and
// the time are given and which gives back datagrams, samples and the next moment at which it wants to be called. Participant is the loop
// around it, which owns the goroutines; Writer and Reader are its handles. Datagrams travel through a Transport: package transport has
// the one of real networks, package netsim the one of tests.
//
// What strangers can do is bounded. They make a participant hold what Limits allow; have it send 256 KiB, and 32 KiB per second after that,
// to addresses that are not their own, whatever they announce (amplification_limit.go), announcements to the multicast group apart: six in half a
// second, then one in 3 s for each interface. They cannot speak for a participant that answers where it is (validated_address.go, path_validation.go, address_validation.go),
// keep a new one out (admission.go), or take what others need to receive (reorder.go). They are sent each sample once at each of few
// addresses, however many readers they have, and again within a limit (destination_coalescing.go). What they say too often is not looked into
// (shed.go), and whom a limit stops is named (notice.go).
//
// Package node builds ROS names, services and the graph on top of this one.
package rtps
