package format

import (
	"embed"
	"net/url"
	"path"
	"strings"

	"simdeck/sim/asset"
)

// standIns holds models of the same meaning as those that nearly every world takes from Gazebo's model
// server.
//
//go:embed builtin
var standIns embed.FS

// builtinName is the root of the stand-ins.
const builtinName = "@builtin@"

func builtinRoot() asset.Root { return asset.Root{Name: builtinName, FS: standIns} }

// standIn finds the built-in model for an address that nothing else answers; empty when there is none.
func standIn(uri string) string {
	switch snake(modelName(uri)) {
	case "ground_plane":
		return "builtin/ground_plane/model.sdf"
	case "sun":
		return "builtin/sun/model.sdf"
	}
	return ""
}

// modelName is the name of the model that an address ends in: model://NAME, or on a model server
// https://host/1.0/OWNER/models/NAME with an optional version behind it.
func modelName(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return ""
	}
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	switch strings.ToLower(scheme) {
	case "model":
		return strings.TrimSuffix(rest, "/")
	case "http", "https":
		_, after, ok := strings.Cut(rest, "/models/")
		if !ok {
			return ""
		}
		name, _, _ := strings.Cut(after, "/")
		return name
	}
	return ""
}

// snake is a name as folders are called: "Ground Plane" is ground_plane.
func snake(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(path.Base("/"+name))), " ", "_")
}
