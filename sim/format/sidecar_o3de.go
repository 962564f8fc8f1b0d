package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// sidecarFile is a sidecar as JSON: plain, or in the envelope in which O3DE writes its documents.
type sidecarFile struct {
	sidecar
	ClassData *sidecar `json:"ClassData"`
}

// prefabAsset is the asset of a sidecar: the name of its file, or as in O3DE an id. A hint beside the id is
// the path of the product.
type prefabAsset struct {
	file string // name or path; empty: it is told by its id alone
	id   string
}

// assetID is O3DE's text of an asset's id: a UUID, and the number of the product among those of the source.
var assetID = regexp.MustCompile(
	`^\{?[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}\}?(:[0-9A-Fa-f]{1,8})?$`)

// UnmarshalJSON takes a name, an id, {"guid", "subId"}, or {"assetId", "assetHint"}.
func (a *prefabAsset) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var text string
		err := json.Unmarshal(data, &text)
		*a = textAsset(text)
		return err
	}
	var o struct {
		GUID    string          `json:"guid"`
		SubID   *uint32         `json:"subId"`
		AssetID json.RawMessage `json:"assetId"`
		Hint    string          `json:"assetHint"`
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return fmt.Errorf("asset: %w", err)
	}
	a.file, a.id = o.Hint, o.GUID
	if o.SubID != nil {
		a.id += ":" + strconv.FormatUint(uint64(*o.SubID), 16)
	}
	if o.AssetID == nil {
		return nil
	}
	var id struct {
		GUID  string  `json:"guid"`
		SubID *uint32 `json:"subId"`
	}
	if o.AssetID[0] == '"' {
		return json.Unmarshal(o.AssetID, &a.id)
	}
	if err := json.Unmarshal(o.AssetID, &id); err != nil {
		return fmt.Errorf("asset: %w", err)
	}
	a.id = id.GUID
	if id.SubID != nil {
		a.id += ":" + strconv.FormatUint(uint64(*id.SubID), 16)
	}
	return nil
}

// textAsset is an asset as text: a name, an id, or "id={…}:1,type={…},hint={robots/foo.spawnable}".
func textAsset(text string) (a prefabAsset) {
	switch {
	case assetID.MatchString(text):
		a.id = text
	case strings.HasPrefix(text, "id="):
		for part := range strings.SplitSeq(text, ",") {
			key, value, _ := strings.Cut(part, "=")
			switch key {
			case "id":
				a.id = value
			case "hint":
				a.file = strings.Trim(value, "{}")
			}
		}
	default:
		a.file = text
	}
	return a
}

// xmlAsset is an asset as an element: a text, or <guid> and <subid>.
func xmlAsset(n *xmltree.Node) *prefabAsset {
	a := textAsset(n.Value())
	if guid := n.ValueOf("guid"); guid != "" {
		a.id = guid
		if sub, err := strconv.ParseUint(n.ValueOf("subid"), 10, 32); err == nil {
			a.id += ":" + strconv.FormatUint(sub, 16)
		}
	}
	return &a
}

// check holds an asset against the name of the file that the sidecar stands beside. O3DE makes the id of the
// path in its project, which nothing here knows: its form alone is checked.
func (a *prefabAsset) check(name string) error {
	if a == nil {
		return nil
	}
	if a.id != "" && (!assetID.MatchString(a.id) || strings.Trim(a.id, "{}-0:") == "") {
		return fmt.Errorf("asset id %.80q; want one as {01234567-89AB-CDEF-0123-456789ABCDEF}:1", a.id)
	}
	file := path.Base(strings.ReplaceAll(a.file, `\`, "/"))
	stem := strings.TrimSuffix(name, path.Ext(name))
	if a.file == "" || file == name || strings.EqualFold(file, stem+".spawnable") ||
		strings.EqualFold(file, name) && a.id != "" {
		return nil
	}
	return fmt.Errorf("it belongs to %.200q, not to %q", a.file, name)
}

// category is that of a word, or of a number of simulation_interfaces/EntityCategory.
func category(text string) (scene.Category, error) {
	word := strings.TrimPrefix(strings.ToLower(text), "category_")
	if n, err := strconv.ParseUint(word, 10, 8); err == nil {
		word = scene.Category(n).String()
	}
	c, ok := scene.ParseCategory(word)
	if !ok {
		return c, fmt.Errorf("category %.80q; object, robot, human, dynamic_object and static_object are known",
			text)
	}
	return c, nil
}

// sidecarWord is a text, or a number as text.
type sidecarWord string

// UnmarshalJSON takes a text or a number.
func (w *sidecarWord) UnmarshalJSON(data []byte) error {
	var number json.Number
	if len(data) > 0 && data[0] != '"' && json.Unmarshal(data, &number) == nil {
		*w = sidecarWord(number)
		return nil
	}
	return json.Unmarshal(data, (*string)(w))
}

// plainXML is a sidecar's element in the plain form: names in lower case; O3DE's <Class field="Tags"
// value="…"> as <tags>…</tags>. Elements of a list are a <tag> each in tags, and a <point> each in a hull.
func plainXML(n *xmltree.Node) *xmltree.Node {
	out := *n
	out.Name, out.Kids = strings.ToLower(n.Name), nil
	if n.Name == "Class" {
		if field, ok := n.Attr("field"); ok {
			out.Name = strings.ToLower(field)
		}
		if value, ok := n.Attr("value"); ok {
			out.Text = value
		}
	}
	for _, kid := range n.Kids {
		k := plainXML(kid)
		if k.Name == "element" {
			k.Name = map[string]string{"tags": "tag", "hull": "point"}[out.Name]
		}
		if strings.HasPrefix(k.Name, "baseclass") { // every asset of O3DE inherits it
			continue
		}
		out.Kids = append(out.Kids, k)
	}
	return &out
}

// o3deRoot is the object of a sidecar in O3DE's <ObjectStream>.
func o3deRoot(root *xmltree.Node) (*xmltree.Node, error) {
	class := root.Child("Class")
	if class == nil || len(root.Kids) != 1 {
		return nil, errors.New("an <ObjectStream> of a sidecar holds one <Class>")
	}
	return plainXML(class), nil
}
