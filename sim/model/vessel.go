package model

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/scene"
)

// Degrees of freedom of a vessel, as Fossen counts them.
const (
	Surge = iota
	Sway
	Heave
	Roll
	Pitch
	Yaw
	vesselFreedoms
)

// leastOwn is the part of what thrusters do in a freedom that must be its own, beside freedoms before it.
const leastOwn = 1e-3

// ThrusterAllocation shares forces, N, and torques about the centre of mass, N·m, among the thrusters of a
// vessel, in the frame of its base. The sum of squares is the least. Freedoms that they do not have all
// together are controlled in the order of their use, and the others are left alone.
func (m *Model) ThrusterAllocation(by *scene.Propulsion) (shares [][6]float64, rotors []int,
	controlled [6]bool) {
	effects, rotors := m.wrenches(by.Thrusters)
	order := []int{Surge, Yaw}
	if by.Heaves {
		order = append(order, Heave)
	}
	if by.Sways {
		order = append(order, Sway)
	}
	shares, controlled = allocate(effects, append(order, Pitch, Roll))
	return shares, rotors, controlled
}

// allocate shares forces and torques among what has effects on them, by one of each. The sum of squares is
// the least. Freedoms that are not had all together are controlled in an order, and others are left alone.
func allocate(effects [][6]float64, order []int) (shares [][6]float64, controlled [6]bool) {
	var rows [][]float64 // by freedoms that are controlled: orthonormal, by effects
	var own [][6]float64 // by those: the freedoms of which its row is made
	for _, f := range order {
		row, made := make([]float64, len(effects)), [6]float64{}
		made[f] = 1
		for k, e := range effects {
			row[k] = e[f]
		}
		before := length(row)
		for n, r := range rows { // Gram and Schmidt
			along := linalg.Dot(row, r)
			for k := range row {
				row[k] -= float64(along * r[k])
			}
			for k := range made {
				made[k] -= float64(along * own[n][k])
			}
		}
		left := length(row)
		if !(left > leastOwn*before) || before == 0 {
			continue
		}
		for k := range row {
			row[k] /= left
		}
		for k := range made {
			made[k] /= left
		}
		rows, own, controlled[f] = append(rows, row), append(own, made), true
	}
	shares = make([][6]float64, len(effects))
	for n, row := range rows {
		for k := range effects {
			for f := range vesselFreedoms {
				shares[k][f] += float64(row[k] * own[n][f])
			}
		}
	}
	return shares, controlled
}

func length(a []float64) float64 { return math.Sqrt(linalg.Dot(a, a)) }
