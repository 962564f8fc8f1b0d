// Package transport carries RTPS datagrams over the machine's UDP sockets: unicast to and from everybody,
// discovery's multicast on every interface (OMG DDSI-RTPS 2.2 §9.6). It is the only package under ros that
// opens sockets. Package rtps uses it through the interface rtps.Transport and knows nothing of sockets.
package transport
