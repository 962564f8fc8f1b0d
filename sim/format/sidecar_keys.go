package format

import (
	"encoding/json"
	"fmt"
	"strings"

	"simdeck/sim/asset/xmltree"
)

// maxUnknown bounds the notes about keys of a sidecar that are not known.
const maxUnknown = 20

// sidecarKeys are the keys of a sidecar in lower case; nil: what is in them is a value.
type sidecarKeys map[string]sidecarKeys

// knownKeys are those of both forms of a sidecar.
var knownKeys = sidecarKeys{"description": nil, "category": nil, "tags": nil, "asset": nil, "assetid": nil,
	"bounds": {"box": {"min": nil, "max": nil}, "sphere": {"centre": nil, "center": nil, "radius": nil},
		"hull": nil},
	"convex": {"parts": nil, "error": nil}}

// envelopeKeys are those of a JSON document of O3DE.
var envelopeKeys = func() sidecarKeys {
	all := sidecarKeys{"type": nil, "version": nil, "classname": nil, "classdata": knownKeys}
	for key, inside := range knownKeys {
		all[key] = inside
	}
	return all
}()

// inJSON lists the unknown keys of a document that was decoded, with their places.
func (k sidecarKeys) inJSON(text string) []string {
	dec := json.NewDecoder(strings.NewReader(text))
	var unknown []string
	k.object(dec, text, &unknown)
	return unknown
}

// object reads a value, and when it is an object its keys.
func (k sidecarKeys) object(dec *json.Decoder, text string, unknown *[]string) {
	if rest := strings.TrimLeft(text[dec.InputOffset():], " \t\r\n:,"); !strings.HasPrefix(rest, "{") {
		var skipped json.RawMessage
		_ = dec.Decode(&skipped) // it was decoded before
		return
	}
	if _, err := dec.Token(); err != nil {
		return
	}
	for dec.More() {
		token, err := dec.Token()
		key, isKey := token.(string)
		if err != nil || !isKey {
			return
		}
		end := dec.InputOffset()
		inside, known := k[strings.ToLower(key)]
		if !known && len(*unknown) < maxUnknown {
			start := strings.LastIndexByte(text[:max(end-1, 0)], '\n') + 1
			*unknown = append(*unknown, fmt.Sprintf("%d: %.40q is no key of a sidecar",
				1+strings.Count(text[:start], "\n"), key))
		}
		if inside != nil {
			inside.object(dec, text, unknown)
			continue
		}
		var skipped json.RawMessage
		if dec.Decode(&skipped) != nil {
			return
		}
	}
	_, _ = dec.Token()
}

// inXML lists the unknown elements of a sidecar in the plain form, with their places.
func (k sidecarKeys) inXML(n *xmltree.Node, unknown []string) []string {
	for _, kid := range n.Kids {
		inside, known := k[kid.Name]
		if !known && len(unknown) < maxUnknown {
			unknown = append(unknown, fmt.Sprintf("%v: <%.40s> is no element of a sidecar", kid.Pos, kid.Name))
		}
		if inside != nil {
			unknown = inside.inXML(kid, unknown)
		}
	}
	return unknown
}
