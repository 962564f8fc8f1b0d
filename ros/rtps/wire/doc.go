// Package wire holds the bytes of the Real-Time Publish-Subscribe protocol (OMG DDSI-RTPS 2.2,
// formal/14-09-01, and 2.5): one file per element of a datagram. Every element has a Parse function, which
// returns the value, its length in octets and an error, and an Append method. Parsing takes both byte orders,
// trusts no length and allocates only for the discovery data; what it returns may point into the datagram.
// Appending writes little-endian.
//
// The package knows no clock, socket or state: package rtps puts the elements to use.
package wire
