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

// modelName is the name of the model that an address ends in: model://NAME, or one of a Fuel server.
func modelName(uri string) string {
	if a, err := asset.ParseAddress(uri); err == nil {
		if a.Fuel != nil && a.Fuel.File == "" && a.Fuel.Kind == "models" {
			return a.Fuel.Name
		}
		return ""
	}
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok || !strings.EqualFold(scheme, "model") {
		return ""
	}
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	return strings.TrimSuffix(rest, "/")
}

// snake is a name as folders are called: "Ground Plane" is ground_plane.
func snake(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(path.Base("/"+name))), " ", "_")
}
