package transport

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrConfig says that a setting cannot work; the text says which.
var ErrConfig = errors.New("transport: configuration")

// ErrPorts says that no pair of ports of the domain is free.
var ErrPorts = errors.New("transport: no free ports")

// ErrInterface says that an interface is not there or cannot be used.
var ErrInterface = errors.New("transport: network interface")

// Range says how far discovery reaches (REP 2014, ROS_AUTOMATIC_DISCOVERY_RANGE).
type Range uint8

// Subnet is the zero value: everybody whom multicast reaches. Localhost is this machine only; Off opens no
// socket at all.
const (
	Subnet Range = iota
	Localhost
	Off
)

// String gives the name that the environment variable uses.
func (r Range) String() string { return [...]string{"SUBNET", "LOCALHOST", "OFF"}[min(r, Off)] }

// RangeOf is the range of a name that the environment variable uses; Subnet of any other.
func RangeOf(name string) Range {
	for _, r := range []Range{Localhost, Off} {
		if r.String() == name {
			return r
		}
	}
	return Subnet
}

// Config says where to listen and whom to tell. The zero value is ROS 2's default.
type Config struct {
	Domain      uint32
	Interfaces  []string // names or addresses; nil = all that are up, the loopback interface included
	StaticPeers []string // host names or IPv4 addresses that are told by unicast as well
	Range       Range
	Tap         io.Writer // gets every datagram in pcap format; nil = nobody does
}

// maxDomain is the highest domain whose ports fit into 16 bits (RTPS 2.2 §9.6.1.1).
const maxDomain = 232

// FromEnv reads the settings that ROS 2 nodes obey: ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE,
// ROS_STATIC_PEERS and the older ROS_LOCALHOST_ONLY, which wins when it is 1. lookup is os.Getenv or a
// stand-in.
func FromEnv(lookup func(string) string) (Config, error) {
	var c Config
	if v := strings.TrimSpace(lookup("ROS_DOMAIN_ID")); v != "" {
		d, err := strconv.ParseUint(v, 10, 32)
		if err != nil || d > maxDomain {
			return c, fmt.Errorf("%w: ROS_DOMAIN_ID is %q, needs a number from 0 to %d", ErrConfig, v,
				maxDomain)
		}
		c.Domain = uint32(d)
	}
	switch v := strings.ToUpper(strings.TrimSpace(lookup("ROS_AUTOMATIC_DISCOVERY_RANGE"))); v {
	case "", "SUBNET", "SYSTEM_DEFAULT":
	case "LOCALHOST":
		c.Range = Localhost
	case "OFF":
		c.Range = Off
	default:
		return c, fmt.Errorf("%w: ROS_AUTOMATIC_DISCOVERY_RANGE is %q, needs SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT",
			ErrConfig, v)
	}
	switch v := strings.TrimSpace(lookup("ROS_LOCALHOST_ONLY")); v {
	case "", "0":
	case "1":
		c.Range = Localhost
		return c, nil // ROS ignores the static peers then
	default:
		return c, fmt.Errorf("%w: ROS_LOCALHOST_ONLY is %q, needs 0 or 1", ErrConfig, v)
	}
	for p := range strings.SplitSeq(lookup("ROS_STATIC_PEERS"), ";") {
		if p = strings.TrimSpace(p); p != "" {
			c.StaticPeers = append(c.StaticPeers, p)
		}
	}
	return c, nil
}
