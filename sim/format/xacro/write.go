package xacro

import (
	"fmt"
	"strings"

	"simdeck/sim/asset/xmltree"
)

// maxText bounds the document that is written.
const maxText = 64 << 20

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\t",
	"&#9;", "\r", "&#13;")

var escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// write is the text of a tree, two blanks deeper with every level.
func write(root *xmltree.Node) (string, error) {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n")
	if err := writeNode(&b, root, 0); err != nil {
		return "", err
	}
	return b.String(), nil
}

func writeNode(b *strings.Builder, n *xmltree.Node, depth int) error {
	indent := strings.Repeat("  ", depth)
	b.WriteString(indent + "<" + n.Name)
	for _, a := range n.Attrs {
		if b.Len()+len(a.Value) > maxText {
			return fmt.Errorf("more than %d bytes once it is expanded", maxText)
		}
		b.WriteString(" " + a.Name + `="` + escape.Replace(a.Value) + `"`)
	}
	text := strings.TrimSpace(n.Text)
	if b.Len()+len(text) > maxText {
		return fmt.Errorf("more than %d bytes once it is expanded", maxText)
	}
	if text == "" && len(n.Kids) == 0 {
		b.WriteString("/>\n")
		return nil
	}
	b.WriteString(">" + escapeText.Replace(text))
	if len(n.Kids) > 0 {
		b.WriteString("\n")
		for _, k := range n.Kids {
			if err := writeNode(b, k, depth+1); err != nil {
				return err
			}
		}
		b.WriteString(indent)
	}
	b.WriteString("</" + n.Name + ">\n")
	return nil
}
