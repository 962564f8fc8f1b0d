package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Namespace of the signatures: a signature of the same key for another purpose is invalid for a release.
const (
	signer    = "release@simdeck"
	namespace = "simdeck-release"
)

// sign signs the checksums and the provenance of a release with an OpenSSH key (SSHSIG). The key is private,
// or the public part of one in the user's agent. Without a key it says that nothing is signed; signatures of
// an earlier release go in either case.
func (e *edition) sign(out, key string) error {
	signed := []string{"SHA256SUMS", e.provenanceName()}
	old, _ := filepath.Glob(filepath.Join(out, "*.sig")) // the pattern is well formed
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	if key == "" {
		fmt.Println("NOT SIGNED: make release SIGN=path/to/an/OpenSSH/key signs SHA256SUMS and the provenance")
		return nil
	}
	for _, name := range signed {
		cmd := exec.Command("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace,
			filepath.Join(out, name))
		cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("signing %s with %s: %w", name, key, err)
		}
	}
	line, err := signersLine(key)
	fmt.Printf("signed; hand this line out, by another way than the files, as allowed_signers:\n%s\n", line)
	return err
}

// signersLine is the line of allowed_signers by which the signatures of a key are verified; empty without
// one.
func signersLine(key string) (string, error) {
	if key == "" {
		return "", nil
	}
	public, err := os.ReadFile(key + ".pub")
	if errors.Is(err, fs.ErrNotExist) {
		public, err = os.ReadFile(key) // it is the public part
	}
	words := strings.Fields(string(public))
	if err == nil && (len(words) < 2 || strings.HasPrefix(words[0], "-")) {
		err = fmt.Errorf("%s: want an OpenSSH key whose public part stands in %s.pub", key, key)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s namespaces=%q %s %s", signer, namespace, words[0], words[1]), nil
}
