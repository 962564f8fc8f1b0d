package main

import (
	"bytes"
	"fmt"
	"text/template"
)

// words are the fields that templates may name: those of the edition and its origin, and a few more.
type words struct {
	*edition
	origin
}

// Download is the URL of a file of this version.
func (w words) Download(name string) string { return w.origin.download(w.Version, name) }

// Sum is the SHA-256 of a file of this release, in hexadecimal digits.
func (w words) Sum(name string) (string, error) {
	if sum, ok := w.sums[name]; ok {
		return sum, nil
	}
	return "", fmt.Errorf("%s is not in this release", name)
}

// expand fills a template of the folder files.
func (e *edition) expand(name string) ([]byte, error) {
	text, err := shipped.ReadFile("files/" + name)
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Option("missingkey=error").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, words{e, e.Origin})
	return b.Bytes(), err
}
