package mjcf

// bodyParts are the elements of a body.
var bodyParts = []string{"body", "freejoint", "inertial", "joint", "geom", "site", "camera", "light", "frame",
	"replicate", "attach", "composite", "flexcomp", "plugin", "include"}
