package ros

import "testing"

func TestWithoutABridgeThereIsNoTraffic(t *testing.T) {
	var b *Bridge
	if got := b.Traffic(); got.BytesOut != 0 || got.Publishers != 0 {
		t.Errorf("%+v", got)
	}
}
