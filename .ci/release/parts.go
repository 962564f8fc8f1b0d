package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// component is a part in a bill of materials (CycloneDX 1.6).
type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	URL        string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// sbom lists what a binary is made of, as it says itself.
func (e *edition) sbom(binary string, t target) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	program := component{Type: "application", Ref: "simdeck", Name: "simdeck", Version: e.Version,
		Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}, Properties: []property{{"platform", t.String()}}}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	parts := []component{{Type: "library", Ref: "std", Name: "std", Version: goVersion,
		URL: "pkg:golang/std@" + goVersion}}
	refs := []string{"std"}
	for _, m := range modules(info) {
		url := "pkg:golang/" + m.Path + "@" + m.Version
		parts = append(parts, component{Type: "library", Ref: url, Name: m.Path, Version: m.Version, URL: url,
			Properties: []property{{"go:sum", m.Sum}}})
		refs = append(refs, url)
	}
	b, err := json.MarshalIndent(map[string]any{
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX",
		"specVersion": "1.6", "version": 1,
		"serialNumber": serial(sum),
		"metadata": map[string]any{"timestamp": e.Time.Format("2006-01-02T15:04:05Z"),
			"component": program},
		"components":   parts,
		"dependencies": []map[string]any{{"ref": "simdeck", "dependsOn": refs}},
	}, "", "  ")
	return append(b, '\n'), err
}

// serial is a UUID of version 8 (RFC 9562) made of the binary's sum: the same binary has the same.
func serial(sum [sha256.Size]byte) string {
	u := sum[:16:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// modules are the dependencies in a binary.
func modules(info *debug.BuildInfo) (all []*debug.Module) {
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, m)
	}
	return all
}

// notices are the licences of all modules in a binary, which ask to be passed on with it.
func (e *edition) notices(binary string) (file, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return file{}, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return file{}, err
	}
	own, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		return file{}, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "Go and its standard library %s\n\n%s\n", info.GoVersion, own)
	for _, m := range modules(info) {
		texts, err := e.licences(m)
		if err != nil {
			return file{}, err
		}
		fmt.Fprintf(&b, "%s\n%s %s\n\n%s\n", strings.Repeat("=", 78), m.Path, m.Version, texts)
	}
	return file{"THIRD-PARTY-LICENSES", 0o644, b.Bytes()}, nil
}

// licences are the texts that stand at the root of a module.
func (e *edition) licences(m *debug.Module) ([]byte, error) {
	cmd := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version)
	cmd.Dir = e.Source
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("module %s: %w: %s", m.Path, err, out)
	}
	var where struct{ Dir string }
	if err := json.Unmarshal(out, &where); err != nil {
		return nil, err
	}
	var all []byte
	for _, pattern := range []string{"LICEN[SC]E*", "COPYING*", "NOTICE*"} {
		names, _ := filepath.Glob(filepath.Join(where.Dir, pattern)) // the pattern is well formed
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			all = append(append(all, text...), '\n')
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("module %s %s has no licence at its root: may it be passed on?", m.Path,
			m.Version)
	}
	return all, nil
}
