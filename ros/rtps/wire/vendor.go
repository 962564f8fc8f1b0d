package wire

import "fmt"

// VendorID identifies the vendor of the software that sent a message (RTPS 2.2 §9.3.2). Parameters from
// 0x8000 on are the vendor's.
type VendorID uint16

// Vendors that need special treatment, and our own, which nobody was assigned.
const (
	VendorRTI      VendorID = 0x0101
	VendorEProsima VendorID = 0x010f
	VendorCyclone  VendorID = 0x0110
	VendorRustDDS  VendorID = 0x0112
	VendorSimdeck  VendorID = 0x017e
)

// String names the vendor where it is known.
func (v VendorID) String() string {
	switch v {
	case VendorRTI:
		return "RTI Connext"
	case VendorEProsima:
		return "eProsima Fast DDS"
	case VendorCyclone:
		return "Eclipse Cyclone DDS"
	case VendorRustDDS:
		return "RustDDS"
	case VendorSimdeck:
		return "simdeck"
	}
	return fmt.Sprintf("vendor %04x", uint16(v))
}

// ProtocolVersion is the version of the standard that the sender speaks (RTPS 2.2 §9.3.2).
type ProtocolVersion struct{ Major, Minor uint8 }

// Version is the protocol version that we send. Peers take 2.1 to 2.9; Cyclone DDS drops 2.0, and nobody
// takes 3.0.
var Version = ProtocolVersion{2, 2}

// Supported tells whether messages of this version are understood here: 2.1 and later minor versions.
func (v ProtocolVersion) Supported() bool { return v.Major == 2 && v.Minor >= 1 }
