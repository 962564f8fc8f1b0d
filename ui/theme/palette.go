package theme

// shapes is the set of attributes of every theme: a selection is reversed, a title bold, so that no meaning
// hangs on a colour.
func shapes() map[Role]Style {
	plain := Style{Fg: None, Bg: None}
	bold, faint, reverse, line := plain, plain, plain, plain
	bold.Bold, faint.Faint, reverse.Reverse, line.Underline = true, true, true, true
	boldReverse := reverse
	boldReverse.Bold = true
	return map[Role]Style{
		Dim: faint, Border: faint, HeaderDim: faint, Ground: faint,
		Strong: bold, Picked: bold, Focus: bold, Title: bold, Key: bold, Bad: bold, Match: line, Header: bold,
		Chosen: reverse, Caret: reverse, Button: reverse, Cursor: boldReverse,
		Robot: bold, Selected: bold, Trajectory: faint, Contact: bold, Measure: bold,
	}
}

func fg(c Colour) Style { return Style{Fg: c, Bg: None} }

// ansiColours follows the palette that the user gave the terminal.
func ansiColours() map[Role]Style {
	return map[Role]Style{
		Focus: fg(6), Title: fg(None), Label: fg(None), Key: fg(6), Match: fg(3), Accent: fg(6),
		Picked: fg(6), Good: fg(2), Warn: fg(3), Bad: fg(1), Input: fg(None), Button: fg(6),
		Place: fg(5), Region: fg(5), Trajectory: fg(2), Wall: fg(None), Thing: fg(3), Return: fg(12),
		Drawn: fg(4), Contact: fg(1), Measure: fg(13), Robot: fg(2), Selected: fg(6), Cursor: fg(None),
	}
}

// ansiOnLight does without cyan and yellow in what is read: on white they are
// hard to see in most palettes.
func ansiOnLight() map[Role]Style {
	all := ansiColours()
	for role, c := range map[Role]Colour{Focus: 4, Key: 4, Accent: 4, Picked: 4, Button: 4, Selected: 4,
		Match: 5, Warn: 5, Thing: 5, Place: 6, Region: 6, Return: 4, Measure: 5, Drawn: 6} {
		all[role] = fg(c)
	}
	return all
}

// safeColours tells apart by blue against orange and by brightness (after
// Okabe and Ito, "Color Universal Design", 2008).
func safeColours() map[Role]Style {
	return map[Role]Style{
		Focus: fg(39), Key: fg(39), Match: fg(214), Accent: fg(39), Picked: fg(39),
		Good: fg(39), Warn: fg(214), Bad: fg(202), Button: fg(39),
		Place: fg(175), Region: fg(175), Trajectory: fg(39), Drawn: fg(175), Contact: fg(202),
		Measure: fg(220), Thing: fg(220), Return: fg(202), Robot: fg(39), Selected: fg(214),
	}
}

// contrastColours uses only the bright half and never faint text.
func contrastColours() map[Role]Style {
	return onlyStrong(fg(15), map[Role]Style{
		Focus: fg(14), Key: fg(14), Match: fg(11), Accent: fg(14), Picked: fg(14),
		Good: fg(10), Warn: fg(11), Bad: fg(9), Button: fg(14),
		Place: fg(13), Region: fg(13), Trajectory: fg(10), Drawn: fg(13), Contact: fg(9), Measure: fg(11),
		Wall: fg(15), Thing: fg(11), Return: fg(12), Robot: fg(10), Selected: fg(14),
	})
}

// onlyStrong gives all that is not told apart by colour one style.
func onlyStrong(plain Style, colours map[Role]Style) map[Role]Style {
	for _, role := range []Role{Plain, Dim, Strong, Border, Title, Label, Header, HeaderDim, Footer, Input,
		Ground} {
		colours[role] = plain
	}
	return colours
}

// safeOnLight is safeColours dark enough to be read on white.
func safeOnLight() map[Role]Style {
	return map[Role]Style{
		Focus: fg(25), Key: fg(25), Match: fg(130), Accent: fg(25), Picked: fg(25),
		Good: fg(25), Warn: fg(130), Bad: fg(160), Button: fg(25),
		Place: fg(90), Region: fg(90), Trajectory: fg(25), Drawn: fg(90), Contact: fg(160), Measure: fg(94),
		Thing: fg(94), Return: fg(160), Robot: fg(25), Selected: fg(130),
	}
}

// contrastOnLight uses dark colours and never faint text.
func contrastOnLight() map[Role]Style {
	return onlyStrong(fg(16), map[Role]Style{
		Focus: fg(18), Key: fg(18), Match: fg(88), Accent: fg(18), Picked: fg(18),
		Good: fg(22), Warn: fg(88), Bad: fg(88), Button: fg(18),
		Place: fg(54), Region: fg(54), Trajectory: fg(22), Drawn: fg(54), Contact: fg(88), Measure: fg(52),
		Wall: fg(16), Thing: fg(52), Return: fg(18), Robot: fg(22), Selected: fg(18),
	})
}
