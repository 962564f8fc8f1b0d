package ui

// Title is the word or two that the palette shows of an action.
func (m *Model) Title(id string) string { return m.action(id).title }
