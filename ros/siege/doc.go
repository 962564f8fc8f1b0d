// Package siege holds what attacks a running simdeck over real sockets: the loads of package netsim, while an
// honest client asks on, and a table of what it cost. It has tests alone, and ships nothing.
package siege
