package format

import (
	"bytes"

	"simdeck/sim/format/traffic"
	"simdeck/sim/scene"
)

// isTraffic reports whether a text that was sent declares traffic. Files of it are parts of bundles and
// scenarios, and no models by themselves.
func isTraffic(f file) bool {
	return extension(f.name) == "" && !bytes.HasPrefix(bytes.TrimSpace(f.data), []byte("<")) &&
		traffic.Is(f.data)
}

// trafficModel reads the one actor or signal that a text declares. Places without a height are at zero.
func trafficModel(f file) (*scene.ModelSpec, error) {
	d, err := traffic.Parse(f.name, f.data)
	if err == nil {
		err = d.Settle(func(_, _ float64) float64 { return 0 })
	}
	if err != nil {
		return nil, err
	}
	return d.Model()
}
