package cycle

// low from a test: no call of the package.
func ofATest() { run() }
