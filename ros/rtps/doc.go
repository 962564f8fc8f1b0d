// Package rtps makes this process a participant of a DDS domain (OMG DDSI-RTPS 2.2). It finds other
// participants and their endpoints, matches writers with readers, and moves samples between them, best effort
// or reliably. Facts about Fast DDS and Cyclone DDS beyond the standard stand where they matter.
//
// It has two layers. Core is the protocol: a state machine without goroutine, clock, socket or randomness. It
// takes datagrams and the time, and gives datagrams, samples and the next time to call it. Participant is the
// loop around it, which owns the goroutines; Writer and Reader are its handles. Datagrams travel through a
// Transport: package transport has that of real networks, package netsim that of tests.
//
// The influence of foreign participants is bounded:
//   - memory by Limits;
//   - traffic to addresses that are not validated: 256 KiB at once, then 32 KiB/s (amplification_limit.go).
//     Multicast announcements come on top: six in half a second, then one in 3 s for each interface;
//   - impersonation of a participant that answers (address_validation.go, path_validation.go);
//   - the places of new participants (admission.go), and the memory of reordering (reorder.go);
//   - repetition: a sample goes once to each of few addresses, and again within a limit
//     (destination_coalescing.go);
//   - processing time: submessages beyond a rate are not read (shed.go).
//
// A participant that meets a limit is named in a notice (notice.go).
//
// Package node builds ROS names, services and the graph on top of this one.
package rtps
