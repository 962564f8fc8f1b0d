package articulation

// Forces returns the joint-space inertia by rows, and the generalised forces that keep all joint velocities
// constant: against inertia, and against the loads on links.
func Forces(art *Articulation) (mass, inertial, external []float64) {
	art.forwardKinematics(0, still())
	art.computeInertia(0)
	n := art.DOFs()
	mass = make([]float64, n*n)
	for k := range int32(n) { // the factors multiplied: LᵀDL
		row := art.inertiaFactor.Row(int(k))
		of := func(i int32) float64 {
			if i == k {
				return 1
			}
			return row[i]
		}
		for i := k; i >= 0; i = art.dofs[i].parent {
			for j := k; j >= 0; j = art.dofs[j].parent {
				mass[int(i)*n+int(j)] += of(i) * row[k] * of(j)
			}
		}
	}
	art.computeBias(1, 0, biasTerms{inertial: true})
	for i := range n {
		inertial = append(inertial, art.dofs[i].bias)
	}
	art.computeBias(1, 0, biasTerms{external: true})
	for i := range n {
		external = append(external, art.dofs[i].bias)
	}
	return mass, inertial, external
}
