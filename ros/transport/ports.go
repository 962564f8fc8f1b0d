package transport

// Ports by domain and participant index (RTPS 2.2 §9.6.1.1, with the default parameters). On Linux ports from
// 32768 on are given out to anybody, so domains above 101 may find theirs taken.
const (
	portBase        = 7400
	domainGain      = 250
	participantGain = 2
	metaOffset      = 10
	userOffset      = 11
	// maxIndex is the last participant index that is tried: the next domain begins behind it.
	maxIndex = 119
	// probed is the number of participant indices that peers try on a host beyond multicast.
	probed = 32
)

func multicastPort(domain uint32) int { return portBase + domainGain*int(domain) }

func metaPort(domain uint32, index int) int {
	return multicastPort(domain) + metaOffset + participantGain*index
}

func userPort(domain uint32, index int) int {
	return multicastPort(domain) + userOffset + participantGain*index
}
