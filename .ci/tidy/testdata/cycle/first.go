package cycle

// pull and push call each other: the cycle spans two stages.
func pull(n int) {
	if n > 0 {
		push()
	}
	low()
}
