package gazebo

import "strings"

// ScriptColour is the diffuse colour of the material scripts that Gazebo Classic ships and old worlds use by
// name.
func ScriptColour(name string) ([4]float32, bool) {
	switch strings.TrimPrefix(name, "Gazebo/") {
	case "Grey", "Gray":
		return [4]float32{0.7, 0.7, 0.7, 1}, true
	case "DarkGrey", "DarkGray":
		return [4]float32{0.175, 0.175, 0.175, 1}, true
	case "White":
		return [4]float32{1, 1, 1, 1}, true
	case "Black", "FlatBlack":
		return [4]float32{0, 0, 0, 1}, true
	case "Red", "RedBright":
		return [4]float32{1, 0, 0, 1}, true
	case "Green":
		return [4]float32{0, 1, 0, 1}, true
	case "Blue":
		return [4]float32{0, 0, 1, 1}, true
	case "Yellow":
		return [4]float32{1, 1, 0, 1}, true
	case "Orange":
		return [4]float32{1, 0.5, 0, 1}, true
	case "Purple":
		return [4]float32{1, 0, 1, 1}, true
	case "Turquoise":
		return [4]float32{0, 1, 1, 1}, true
	case "Wood", "WoodFloor", "WoodPallet":
		return [4]float32{0.6, 0.45, 0.3, 1}, true
	}
	return [4]float32{}, false
}
