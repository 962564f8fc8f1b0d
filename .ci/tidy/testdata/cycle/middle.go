package cycle

type middle[T any] struct{ r right }

func (m *middle[T]) turn(T) {
	f := m.r.turn // a method value
	f()
}
