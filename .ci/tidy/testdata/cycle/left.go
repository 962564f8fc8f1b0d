package cycle

type left struct{ middle[int] }

func (l *left) begin() { l.turn(0) } // the method of the embedded type
