package cycle

type right struct{}

func (r right) turn() { new(left).begin() }
