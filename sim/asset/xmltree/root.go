package xmltree

import "strings"

// RootName is the name of the element that a text begins with, behind declarations and comments; empty where
// it begins with something else. It looks no further, so that the text may be wrong after it.
func RootName(data []byte) string {
	name, _ := root(data)
	return name
}

// RootHas reports whether the tag of that element has an attribute.
func RootHas(data []byte, attr string) bool {
	_, tag := root(data)
	return strings.Contains(tag, attr+"=")
}

// maxProlog is the length of text in which the root element is looked for.
const maxProlog = 256 << 10

// root is the name of the first element, and its tag as far as it goes.
func root(data []byte) (name, tag string) {
	text, _ := ToUTF8(data[:min(len(data), maxProlog)])
	for {
		text = strings.TrimLeft(text, " \t\r\n\ufeff")
		end := ""
		switch {
		case strings.HasPrefix(text, "<?"):
			end = "?>"
		case strings.HasPrefix(text, "<!--"):
			end = "-->"
		case strings.HasPrefix(text, "<!"):
			if end = ">"; strings.Contains(text[:strings.IndexByte(text+">", '>')], "[") {
				end = "]>"
			}
		case strings.HasPrefix(text, "<"):
			tag, _, _ = strings.Cut(text[1:], ">")
			return tag[:len(tag)-len(strings.TrimLeftFunc(tag, inName))], tag
		default:
			return "", ""
		}
		_, after, found := strings.Cut(text, end)
		if !found {
			return "", ""
		}
		text = after
	}
}

func inName(r rune) bool { return r > ' ' && !strings.ContainsRune("/>=\"'<", r) }
