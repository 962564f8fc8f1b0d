package wire

// InfoSource names the participant from which the submessages that follow come, when the sender relays them
// (RTPS 2.2 §8.3.7.8, §9.4.5.10).
type InfoSource struct {
	Version ProtocolVersion
	Vendor  VendorID
	Prefix  GUIDPrefix
}

// ParseInfoSource reads an INFO_SRC submessage.
func ParseInfoSource(b []byte) (InfoSource, int, error) {
	_, c, n, err := parseBody(b, IDInfoSource, "INFO_SRC")
	if err != nil {
		return InfoSource{}, 0, err
	}
	c.u32() // unused
	i := InfoSource{Version: ProtocolVersion{c.u8(), c.u8()}}
	i.Vendor = VendorID(c.u8())<<8 | VendorID(c.u8())
	i.Prefix = c.prefix()
	return i, n, c.err("INFO_SRC")
}

// Append adds the submessage.
func (i InfoSource) Append(b []byte) []byte {
	start := len(b)
	b = appendU32(begin(b, IDInfoSource, 0), 0)
	b = append(b, i.Version.Major, i.Version.Minor, byte(i.Vendor>>8), byte(i.Vendor))
	return finish(append(b, i.Prefix[:]...), start, 0)
}
