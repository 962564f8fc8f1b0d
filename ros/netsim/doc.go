// Package netsim is a network in memory: hosts with addresses, multicast, and faults that come from a seed.
// Tests of package rtps and of what is built on it run over it, under testing/synctest, so that minutes of a
// lossy network take milliseconds and every run is the same.
package netsim
