package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// small is the folder of a release of one small file, summed.
func small(t *testing.T) (*edition, string) {
	t.Helper()
	dir := t.TempDir()
	e := testEdition("../..")
	e.Commit = "0123456789abcdef0123456789abcdef01234567"
	for name, text := range map[string]string{"simdeck_1_linux_amd64.tar.gz": "program", imageIndex: "{}"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.provenance(targets()[:1], dir); err != nil {
		t.Fatal(err)
	}
	if err := sums(dir); err != nil {
		t.Fatal(err)
	}
	return e, dir
}

// verify has ssh-keygen verify a file with its signature, as the documentation says.
func verify(t *testing.T, signers, dir, name, namespace string) error {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ssh-keygen", "-Y", "verify", "-f", signers, "-I", signer, "-n", namespace, "-s",
		filepath.Join(dir, name+".sig"))
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.CombinedOutput()
	t.Logf("%s: %s", name, out)
	return err
}

func TestAReleaseIsSignedAndAFlippedBitIsFound(t *testing.T) {
	e, dir := small(t)
	keys := t.TempDir()
	key := filepath.Join(keys, "key")
	output(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "release", "-f", key)
	if err := e.sign(dir, key); err != nil {
		t.Fatal(err)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	signers := filepath.Join(keys, "allowed_signers")
	if err := os.WriteFile(signers, []byte(signer+` namespaces="`+namespace+`" `+string(public)),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SHA256SUMS", e.provenanceName()} {
		if err := verify(t, signers, dir, name, namespace); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := verify(t, signers, dir, name, "file"); err == nil {
			t.Errorf("%s is taken for something else than a release", name)
		}
		file := filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, len(text) / 2, len(text) - 1} {
			text[at] ^= 1
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := verify(t, signers, dir, name, namespace); err == nil {
				t.Errorf("%s with another bit at %d is taken", name, at)
			}
			text[at] ^= 1
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check := func() error {
		cmd := exec.Command("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
		cmd.Dir = dir
		return cmd.Run()
	}
	if err := check(); err != nil {
		t.Errorf("the sums of what was signed: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, imageIndex), []byte("{]"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := check(); err == nil {
		t.Error("another image has the same sum")
	}
	if err := e.sign(dir, ""); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.sig")); len(left) > 0 {
		t.Errorf("a release without a key has the signatures of another one: %v", left)
	}
	if err := e.sign(dir, filepath.Join(keys, "none")); err == nil {
		t.Error("a key that is not there signs")
	}
}

func TestTheProvenanceNamesWhatTheFilesWereMadeOf(t *testing.T) {
	e, dir := small(t)
	file := filepath.Join(dir, e.provenanceName())
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Type          string `json:"_type"`
		Subject       []resource
		PredicateType string
		Predicate     struct {
			BuildDefinition struct {
				BuildType            string
				ExternalParameters   struct{ Version string }
				InternalParameters   map[string]string
				ResolvedDependencies []resource
			}
			RunDetails struct{ Builder struct{ ID string } }
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	b := s.Predicate.BuildDefinition
	if s.Type != "https://in-toto.io/Statement/v1" || s.PredicateType != "https://slsa.dev/provenance/v1" ||
		len(s.Subject) != 2 || b.BuildType == "" ||
		b.ExternalParameters.Version != testVersion ||
		!strings.HasPrefix(b.InternalParameters["go"], "go1.") || s.Predicate.RunDetails.Builder.ID == "" {
		t.Errorf("%s", text)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Subject {
		if !strings.Contains(string(kept), f.Digest["sha256"]+"  "+f.Name+"\n") {
			t.Errorf("%+v is not in SHA256SUMS", f)
		}
	}
	if d := b.ResolvedDependencies; d[0].Digest["gitCommit"] != e.Commit || len(d) < 20 {
		t.Errorf("%+v", d)
	}
	for _, d := range b.ResolvedDependencies[2:] {
		if !strings.HasPrefix(d.URI, "pkg:golang/") || len(d.Digest["dirHash"]) != 64 {
			t.Errorf("%+v", d)
		}
	}
	if err := e.provenance(targets()[:1], dir); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, text) {
		t.Errorf("made again beside the first it differs: %v", err)
	}
}
