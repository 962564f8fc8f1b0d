package readfile

import "testing"

func TestFilesThatClaimToBeEmptyAreReadToTheirEnd(t *testing.T) {
	if text, err := All("/proc/self/status", 1<<20); len(text) == 0 || err != nil {
		t.Errorf("%d bytes of /proc/self/status, %v", len(text), err)
	}
	if text, err := All("/proc/self/status", 10); text != nil || err == nil {
		t.Errorf("%q of /proc/self/status, %v; want that it is too large", text, err)
	}
}
