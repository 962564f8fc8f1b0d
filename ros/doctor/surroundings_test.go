package doctor

import (
	"os"
	"strings"
	"testing"

	"simdeck/ros/rtps/wire"
)

func TestSettingsAndNetworksThatHideNodesAreToldByTheirSigns(t *testing.T) {
	link := func(name string, addresses ...[4]byte) wire.Link {
		l := wire.Link{Name: name, Loopback: name == "lo"}
		for _, a := range addresses {
			l.Meta = append(l.Meta, wire.UDPv4(a, 7410))
		}
		return l
	}
	lo := link("lo", [4]byte{127, 0, 0, 1})
	bridge, lan := link("eth0", [4]byte{172, 17, 0, 2}), link("eth1", [4]byte{192, 168, 1, 5})
	wsl := map[string]string{"/proc/sys/kernel/osrelease": "5.15.167.4-microsoft-standard-WSL2\n"}
	docker := map[string]string{"/.dockerenv": ""}
	for name, c := range map[string]struct {
		env, files map[string]string
		links      []wire.Link
		what       string
		bad        bool
		said, fix  string
	}{
		"nothing":     {links: []wire.Link{lo, bridge}},
		"no networks": {files: docker, links: []wire.Link{lo}},
		"a discovery server": {env: map[string]string{"ROS_DISCOVERY_SERVER": ";10.0.0.9:11811"},
			links: []wire.Link{lan}, what: "discovery server", bad: true, said: `";10.0.0.9:11811"`,
			fix: "unset it"},
		"zenoh": {env: map[string]string{"RMW_IMPLEMENTATION": "rmw_zenoh_cpp"}, links: []wire.Link{lan},
			what: "middleware", bad: true, said: "speak Zenoh", fix: "rmw_fastrtps_cpp"},
		"another middleware": {env: map[string]string{"RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp"},
			links: []wire.Link{lan}},
		"a bridge of Docker's": {files: docker, links: []wire.Link{lo, bridge}, what: "container",
			said: "172.17.0.2", fix: "--network host"},
		"a bridge of Podman's": {files: map[string]string{"/run/.containerenv": ""}, links: []wire.Link{bridge},
			what: "container", said: "172.17.0.2", fix: "--network host"},
		"a container in the host's network": {files: docker, links: []wire.Link{lo, bridge, lan}},
		"WSL": {files: wsl, links: []wire.Link{lo, link("eth0", [4]byte{172, 28, 96, 4})}, what: "WSL",
			said: "172.28.96.4", fix: "networkingMode=mirrored"},
		"WSL in the network of Windows": {files: wsl, links: []wire.Link{lo, lan}},
		"an address beside the range":   {files: docker, links: []wire.Link{link("eth0", [4]byte{172, 32, 0, 1})}},
	} {
		all := surroundings(Host{
			Getenv: func(name string) string { return c.env[name] },
			ReadFile: func(path string) ([]byte, error) {
				if text, ok := c.files[path]; ok {
					return []byte(text), nil
				}
				return nil, os.ErrNotExist
			}}, c.links)
		if c.what == "" {
			if len(all) != 0 {
				t.Errorf("%s: %+v, want nothing", name, all)
			}
			continue
		}
		if len(all) != 1 || all[0].What != c.what || all[0].Bad != c.bad || !strings.Contains(all[0].Said,
			c.said) ||
			!strings.Contains(all[0].Fix, c.fix) {
			t.Errorf("%s: %+v, want %q: %q → %q", name, all, c.what, c.said, c.fix)
		}
	}
	if all := surroundings(Host{}, []wire.Link{bridge}); len(all) != 0 {
		t.Errorf("without a way to the machine: %+v", all)
	}
}
