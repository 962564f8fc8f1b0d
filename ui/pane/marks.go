package pane

// Mark marks the entity in the row of the cursor, or takes its mark away, and goes to the next row.
func (e *Entities) Mark() {
	if _, there := Find(e.model, e.selected); !there {
		return
	}
	e.Toggle(e.selected)
	e.Move(1)
}

// Toggle marks an entity, or takes its mark away. Ranges begin there.
func (e *Entities) Toggle(name string) {
	e.mark(name, !e.marks[name])
	e.anchor = name
}

func (e *Entities) mark(name string, on bool) {
	if e.marks == nil {
		e.marks = map[string]bool{}
	}
	if on {
		e.marks[name] = true
	} else {
		delete(e.marks, name)
	}
}

// MarkRange marks every row from where a mark was last set or taken away to
// the cursor. Without such a row it marks that of the cursor.
func (e *Entities) MarkRange() {
	from := e.Cursor
	for k, i := range e.order {
		if e.model.Entities[i].Name == e.anchor {
			from = e.fold.row(k)
		}
	}
	for row := min(from, e.Cursor); row <= max(from, e.Cursor) && row < e.rows(); row++ {
		if i := e.at(row); i >= 0 {
			e.mark(e.model.Entities[i].Name, true)
		}
	}
	e.anchor = e.selected
}

// MarkShown marks every row that the filter shows; where all of them are
// marked it takes their marks away.
func (e *Entities) MarkShown() {
	all := true
	for _, i := range e.order {
		all = all && e.marks[e.model.Entities[i].Name]
	}
	for _, i := range e.order {
		e.mark(e.model.Entities[i].Name, !all)
	}
}

// SetMarks marks these entities and no others.
func (e *Entities) SetMarks(names ...string) {
	clear(e.marks)
	for _, n := range names {
		e.mark(n, true)
	}
}

// Marked lists the marked entities by name; also those that the filter hides.
func (e *Entities) Marked() []string {
	if len(e.marks) == 0 || e.model == nil {
		return nil
	}
	names := make([]string, 0, len(e.marks))
	for i := range e.model.Entities {
		if n := e.model.Entities[i].Name; e.marks[n] {
			names = append(names, n)
		}
	}
	return names
}

// forget takes the marks of entities away that are no more.
func (e *Entities) forget() {
	for n := range e.marks {
		if _, there := Find(e.model, n); !there {
			delete(e.marks, n)
		}
	}
}

// Shown are the rows that the filter shows, in their order, as indices into
// Model.Entities.
func (e *Entities) Shown() []int32 { return e.order }
