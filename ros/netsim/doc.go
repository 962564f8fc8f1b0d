// Package netsim is a network in memory: hosts with addresses, multicast, and faults that come from a seed.
// Tests of package rtps and of its users run over it, under testing/synctest. Minutes of a lossy network take
// milliseconds, and every run is the same.
package netsim
