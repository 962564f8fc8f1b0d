package canvas

// asciiFallback is the ASCII substitute of one of the console's own signs. Letters stay: they are someone's
// name.
func asciiFallback(r rune) rune {
	switch r {
	case '─':
		return '-'
	case '│', '▏':
		return '|'
	case '┌', '┐', '└', '┘', '├', '┤', '┬', '┴', '┼', '±', '✓':
		return '+'
	case '▶', '▸', '→', '»', '≥':
		return '>'
	case '◀', '←', '≤':
		return '<'
	case '⏸':
		return '='
	case '■', '●', '◆':
		return '#'
	case '◇', '○', '°':
		return 'o'
	case '…', '·', '•':
		return '.'
	case '×', '✗':
		return 'x'
	case '↑':
		return '^'
	case '↓', '▾':
		return 'v'
	case '↗', '↙':
		return '/'
	case '↘', '↖':
		return '\\'
	case '−':
		return '-'
	case 'µ':
		return 'u'
	case '²':
		return '2'
	}
	switch {
	case r >= 0x2800 && r < 0x2900:
		return '.'
	case r >= 0x2580 && r < 0x25a0:
		return '#'
	}
	return r
}
