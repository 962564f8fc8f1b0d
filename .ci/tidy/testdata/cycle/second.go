package cycle

func push() { pull(1) }
