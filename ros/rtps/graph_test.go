package rtps

import (
	"testing"

	"simdeck/ros/rtps/wire"
)

func TestWhoTellsNoTypeHashIsTakenForHumbleWhereThereIsAHumble(t *testing.T) {
	for _, c := range []struct {
		vendor   wire.VendorID
		userData string
		want     bool
	}{
		{wire.VendorEProsima, "typehash=RIHS01_00;", true},
		{wire.VendorEProsima, "", false},
		{wire.VendorCyclone, "clientid=1;", false},
		{wire.VendorRTI, "typehash=;", false},
		{wire.VendorRustDDS, "", true},
	} {
		if got := (RemoteEndpoint{Vendor: c.vendor, UserData: []byte(c.userData)}).typed(); got != c.want {
			t.Errorf("%v with user data %q: typed is %v", c.vendor, c.userData, got)
		}
	}
}
