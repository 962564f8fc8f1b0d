package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// statement is an in-toto Statement v1: of these files something is claimed
// (https://in-toto.io/Statement/v1).
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     provenance `json:"predicate"`
}

// resource is a ResourceDescriptor: a file, a source tree, a module.
type resource struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// provenance is the origin of files (https://slsa.dev/provenance/v1). It has no times and no host: the same
// commit gives the same statement.
type provenance struct {
	Build struct {
		Type         string            `json:"buildType"`
		External     map[string]any    `json:"externalParameters"`
		Internal     map[string]string `json:"internalParameters"`
		Dependencies []resource        `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	Run struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
	} `json:"runDetails"`
}

// Builder and build type: make release, on the signer's machine.
const (
	builderID = "urn:simdeck:make-release"
	buildType = "urn:simdeck:make-release:v1"
)

// provenance writes the origin of a folder's files: all of them, and the index of the image, which has the
// sums of the rest.
func (e *edition) provenance(all []target, out string) error {
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	list, err := summed(out)
	if err != nil {
		return err
	}
	for _, f := range list {
		if f.name == e.provenanceName() { // of a release that was made before in this folder
			continue
		}
		s.Subject = append(s.Subject, resource{Name: f.name, Digest: map[string]string{"sha256": f.sum}})
	}
	b := &s.Predicate.Build
	b.Type, s.Predicate.Run.Builder.ID = buildType, builderID
	var targets []string
	for _, t := range all {
		targets = append(targets, t.String())
	}
	b.External = map[string]any{"version": e.Version, "targets": targets}
	b.Internal = map[string]string{"SOURCE_DATE_EPOCH": fmt.Sprint(e.Time.Unix()), "go": runtime.Version()}
	source := resource{Name: "simdeck", URI: "urn:simdeck:source"}
	if e.Commit != "" {
		source.Digest = map[string]string{"gitCommit": e.Commit}
	}
	b.Dependencies = []resource{source,
		{Name: "go", URI: "pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go")}}
	modules, err := dependencies(filepath.Join(e.Source, "go.sum"))
	if err != nil {
		return err
	}
	b.Dependencies = append(b.Dependencies, modules...)
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, e.provenanceName()), append(text, '\n'), 0o644)
}

func (e *edition) provenanceName() string { return "simdeck_" + e.Version + ".provenance.json" }

// dependencies are the modules of a go.sum, whose sums of folders in-toto writes in hexadecimal digits.
func dependencies(name string) (all []resource, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) != 3 {
			return nil, fmt.Errorf("%s: %q: want module, version and sum", name, lines.Text())
		}
		if strings.HasSuffix(words[1], "/go.mod") {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(words[2], "h1:"))
		if err != nil {
			return nil, fmt.Errorf("%s: %s %s: %w", name, words[0], words[1], err)
		}
		all = append(all, resource{URI: "pkg:golang/" + words[0] + "@" + words[1],
			Digest: map[string]string{"dirHash": hex.EncodeToString(raw)}})
	}
	return all, nil
}
