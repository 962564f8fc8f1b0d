package msgs

// Service describes a service whose request struct is Q and whose response struct is S. The endpoints of a
// service carry the names and hashes of its request and response type, not its own.
type Service[Q, S any] struct {
	Name        string         // "simulation_interfaces/srv/SpawnEntity"
	Hash        string         // RIHS01 hash of the service as a whole
	NewRequest  func() Message // a *Q with defaults
	NewResponse func() Message // a *S with defaults
}

// NewService is called by generated code: for each service there is a function that gives its description.
func NewService[Q, S any, PQ Of[Q], PS Of[S]](name, hash string) Service[Q, S] {
	return Service[Q, S]{name, hash, fresh[Q, PQ], fresh[S, PS]}
}

func fresh[T any, P Of[T]]() Message {
	m := P(new(T))
	m.SetDefaults()
	return m
}
