package texture

import (
	"image"

	"simdeck/sim/scene"
)

// Of is the texture of an image that was drawn, not read.
func Of(img image.Image) *scene.Texture { return texture(img) }
