package transport

import (
	"errors"
	"net"
	"reflect"
	"testing"
)

func TestANameOfManyStandsForAllItsAddresses(t *testing.T) {
	names := map[string][]net.IP{
		"tasks.worker": {net.ParseIP("10.0.1.7"), net.ParseIP("fd00::7"), net.ParseIP("10.0.1.8"),
			net.ParseIP("10.0.1.7")},
		"one": {net.ParseIP("10.0.1.9")},
		"six": {net.ParseIP("fd00::9")},
	}
	lookup := func(host string) ([]net.IP, error) {
		if ips, ok := names[host]; ok {
			return ips, nil
		}
		return nil, errors.New("no such host")
	}
	got, err := resolve([]string{"one", "tasks.worker"}, lookup)
	if want := [][4]byte{{10, 0, 1, 9}, {10, 0, 1, 7}, {10, 0, 1, 8}}; err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, host := range []string{"six", "nowhere"} {
		if _, err := resolve([]string{host}, lookup); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", host, err)
		}
	}
}
