// Package siege attacks a running simdeck over real sockets: the loads of package netsim, an honest client,
// and a table of the cost. It has tests alone, and ships nothing.
package siege
