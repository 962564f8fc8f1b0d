package physics

import "math"

// A press is light bodies under the load of heavy ones, with all that touches them, solved at once. Passes over one contact
// after the other hand a load down through a light body by about what the light body weighs each time, and contacts give
// way by the lighter mass: what lies under a thing a thousand times as heavy would be pressed into the ground and the heavy
// thing into it. In a press the contacts, friction too, are one system, which is solved directly; and they are as stiff as
// if the heavy thing lay on the ground itself.
type press struct {
	lane, laneEnd int32 // of pressLanes
	row, rowEnd   int32 // of pressRows
	load          float64
}

// pressing is the presses of a step.
type pressing struct {
	uneven      bool // the masses of some bodies differ by more than pressRatio
	presses     []press
	pressLanes  []pressLane
	pressRows   []pressRow
	boxed       boxed
	laden       []float64 // by body: the heaviest, in kg, whose load it bears; 0: none
	ladenBodies int
	pressOf     []int32 // by body: one of the same press
	pressSize   []int32 // by body that names a press: points
	pressTasks  []pressTask
}

// pressTask is a manifold of a press.
type pressTask struct{ of, task, batch, lane int32 }

const (
	// pressRatio is how many times as heavy a body is as one that it presses, from where on this makes a press.
	pressRatio = 8
	// pressLeast is how many times its own weight it must bear.
	pressLeast = 4
	// pressMost is how many points a press has at most.
	pressMost = 24
	// pressBodies is how many bodies of a world bear what presses them in presses, at most: a heap in which most do would take
	// many times as long.
	pressBodies = 16
	// pressDeep is through how many bodies a load is followed.
	pressDeep = 8
)

// bears notes whose load a body bears in a contact; true: that is more than was known.
func (w *World) bears(heavy float64, light int32, t *task) bool {
	s := &w.solver
	m := s.weight[light].invMass
	if m == 0 || float64(heavy*m) < pressRatio || s.laden[light] >= heavy {
		return false
	}
	if float64(w.pressure(t)*m) <= float64(pressLeast*w.lastH*w.cfg.Gravity.Len()) {
		return false
	}
	if s.laden[light] == 0 {
		if s.ladenBodies == pressBodies {
			return false
		}
		s.ladenBodies++
	}
	s.laden[light] = heavy
	return true
}

// pressure is what a manifold bore in the last substep, N·s; infinite if its bodies will hit each other there in this step.
func (w *World) pressure(t *task) float64 {
	s := &w.solver
	m, h := &w.manifolds[t.manifold], &w.contacts.holds[t.contact]
	if j := m.load(); j > 0 {
		return j
	}
	a, b := &s.moving[t.a], &s.moving[t.b]
	for k := range m.n {
		p := &m.points[k]
		armA, armB := p.arm, p.armB(h, m)
		closing := m.normal.Dot(a.v.Add(a.w.Cross(armA)).Sub(b.v).Sub(b.w.Cross(armB)))
		if closing > hitSpeed && float64(closing*w.lastDt) > p.gap {
			return math.Inf(1)
		}
	}
	return 0
}

// findLaden finds who bears the load of something much heavier, itself or through others; false: nobody.
func (w *World) findLaden() bool {
	s := &w.solver
	s.laden = resized(s.laden, len(s.moving))
	clear(s.laden)
	s.ladenBodies = 0
	for n := range pressDeep {
		more := false
		for i := range s.colouring.tasks {
			t := &s.colouring.tasks[i]
			wa, wb := s.weight[t.a].invMass, s.weight[t.b].invMass
			if wa == 0 || wb == 0 {
				continue
			}
			heavyA, heavyB := s.laden[t.a], s.laden[t.b]
			if n == 0 {
				heavyA, heavyB = 1/wa, 1/wb
			}
			more = w.bears(heavyA, t.b, t) || w.bears(heavyB, t.a, t) || more
		}
		if !more {
			return n > 0
		}
	}
	return true
}

// tiePresses finds the presses, once contacts have their lanes.
func (w *World) tiePresses() {
	s := &w.solver
	s.presses, s.pressLanes, s.pressRows = s.presses[:0], s.pressLanes[:0], s.pressRows[:0]
	if !s.uneven || !w.findLaden() {
		return
	}
	w.joinPresses()
	s.findPressLanes()
	for i := range s.pressTasks {
		if root := s.pressRoot(s.pressTasks[i].of); s.pressSize[root] > 0 {
			w.layPress(root)
			s.pressSize[root] = 0
		}
	}
}

// joinPresses finds which contacts belong to a press, and which to the same.
func (w *World) joinPresses() {
	s := &w.solver
	s.pressOf, s.pressSize = resized(s.pressOf, len(s.moving)), resized(s.pressSize, len(s.moving))
	for i := range s.pressOf {
		s.pressOf[i], s.pressSize[i] = int32(i), 0
	}
	s.pressTasks = s.pressTasks[:0]
	for _, bearing := range [...]bool{true, false} { // first what bears something
		for i := range s.colouring.tasks {
			t := &s.colouring.tasks[i]
			if s.laden[t.a]+s.laden[t.b] > 0 && w.manifolds[t.manifold].load() > 0 == bearing && !w.gives(&w.contacts.all[t.contact]) {
				s.joinPress(int32(i), t, w.manifolds[t.manifold].n)
			}
		}
	}
}

// joinPress adds a manifold with n points to the press of its bodies, as far as there is room.
func (s *solver) joinPress(i int32, t *task, n int32) {
	a, b := s.pressRoot(t.a), s.pressRoot(t.b)
	if s.laden[t.a] == 0 {
		a = b
	} else if s.laden[t.b] == 0 {
		b = a
	}
	if a != b && s.pressSize[a]+s.pressSize[b]+n <= pressMost {
		root := min(a, b)
		s.pressSize[root] = s.pressSize[a] + s.pressSize[b]
		s.pressOf[max(a, b)] = root
		a, b = root, root
	}
	if s.pressSize[b] < s.pressSize[a] {
		a = b
	}
	if s.pressSize[a]+n <= pressMost {
		s.pressSize[a] += n
		s.pressTasks = append(s.pressTasks, pressTask{of: a, task: i})
	}
}

// pressRoot is the body that names the press of a body.
func (s *solver) pressRoot(i int32) int32 {
	for s.pressOf[i] != i {
		s.pressOf[i] = s.pressOf[s.pressOf[i]]
		i = s.pressOf[i]
	}
	return i
}

// gives reports that a contact has a spring of its own, or friction that gives way: it is none of a press.
func (w *World) gives(c *contact) bool {
	if !w.skins[c.a].special && !w.skins[c.b].special {
		return false
	}
	p := w.pairing(c)
	return p.stiffness > 0 || p.slip1+p.slip2 > 0
}

// findPressLanes finds the lanes of the manifolds of presses.
func (s *solver) findPressLanes() {
	c := &s.colouring
	c.places = resized(c.places, len(c.tasks))
	for i := range s.lots {
		for lane, t := range s.lots[i].task {
			if t >= 0 {
				c.places[t] = int32(i)*width + int32(lane)
			}
		}
	}
	for i := range s.pressTasks {
		t := &s.pressTasks[i]
		t.batch, t.lane = c.places[t.task]/width, c.places[t.task]%width
	}
}
