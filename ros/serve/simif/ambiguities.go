package simif

// SpecAmbiguity is our decision where simulation_interfaces is silent or contradicts itself.
type SpecAmbiguity struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// SpecAmbiguities are all of them, each held by a test of its name. GetSimulatorFeatures
// lists them in custom_info.
func SpecAmbiguities() []SpecAmbiguity {
	return []SpecAmbiguity{
		{"STOPPED to PAUSED", "allowed: starts paused at time zero"},
		{"step while not PAUSED, also from STOPPED", "OPERATION_FAILED with a message"},
		{"PAUSED while steps run", "they end, as with STOPPED; OK"},
		{"steps = 0", "OK, nothing happens"},
		{"when StepSimulation answers",
			"when the last step is done; /clock moved by exactly steps x step size"},
		{"second stepping request while one runs",
			"INCORRECT_STATE; a goal of simulate_steps is aborted with it"},
		{"name filter", "POSIX ERE search; a bad expression is OPERATION_FAILED that names the position"},
		{"box corners", "sent greater first; both orders accepted"},
		{"frame of bounds", "the entity's canonical link"},
		{"frame of twist and acceleration", "header.frame_id"},
		{"state after ResetSimulation", "as before: playing goes on playing, paused stays paused"},
		{"reset scope", "bit field, any combination"},
		{"already in the target state", "101 and nothing changes"},
		{"frame of SetEntityState afterwards",
			"the pose is resolved once, when the call is handled: the entity does not follow the frame, and its own frames stay"},
		{"what PAUSED stops", "all that moves, animations too; services are answered"},
		{"what an entity is", "every model of the world and every spawned one"},
		{"which entities were spawned",
			"filters know two tags: simdeck:spawned and, of what the world brought, simdeck:world"},
		{"a batch of which some fail", "those that succeed stay"},
		{"arrays of different lengths in the draft of SpawnEntities",
			"nothing is spawned: OPERATION_FAILED for each; an empty array gives each the default"},
		{"all-zero quaternion in a request", "identity"},
		{"a world that cannot be loaded",
			"an error; the world that stands goes on where it was, in the state that it had"},
		{"service prefix", "the node's namespace; clients find servers by type"},
	}
}
