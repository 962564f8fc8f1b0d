package source

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// AddedMass is the added mass of a symmetric matrix, by its six rows: three linear, three angular. Where it
// cannot be one, why says so.
func AddedMass(m [6][6]float64) (a *scene.AddedMass, why string) {
	quarter := func(row, col int) r3.Mat {
		c := func(k int) r3.Vec { return r3.V(m[row][col+k], m[row+1][col+k], m[row+2][col+k]) }
		return r3.Columns(c(0), c(1), c(2))
	}
	for i := range m {
		for k := range m {
			far := math.Abs(m[i][k] - m[k][i])
			if !(math.Abs(m[i][k]) <= 1e12) || far > 1e-6*max(1, math.Abs(m[i][k])) {
				return nil, fmt.Sprintf("it is not symmetric, or not finite: %g and %g", m[i][k], m[k][i])
			}
		}
	}
	if !semidefinite(m) {
		return nil, "it is below zero along some motion"
	}
	return &scene.AddedMass{Linear: quarter(0, 0), Mixed: quarter(0, 3), Angular: quarter(3, 3)}, ""
}

// semidefinite reports that a symmetric matrix has no negative eigenvalue, by its LDLᵀ.
func semidefinite(m [6][6]float64) bool {
	size := 0.0
	for i := range m {
		size = max(size, math.Abs(m[i][i]))
	}
	for k := range m {
		m[k][k] += 1e-9 * size // rows of zeros are allowed
		if m[k][k] < 0 {
			return false
		}
		for i := k + 1; i < len(m); i++ {
			if m[k][k] == 0 {
				if m[i][k] != 0 {
					return false
				}
				continue
			}
			f := m[i][k] / m[k][k]
			for j := k + 1; j < len(m); j++ {
				m[i][j] -= float64(f * m[k][j])
			}
		}
	}
	return true
}
