package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// What signatures are good for: a signature of the same key over something else is none over a release.
const (
	signer    = "release@simdeck"
	namespace = "simdeck-release"
)

// sign signs the sums and the provenance of a release with an OpenSSH key (SSHSIG), which may be a private
// one or the public part of one that the user's agent has. Without a key it says that nothing is signed;
// signatures of an earlier release go in either case.
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
	public, err := os.ReadFile(key + ".pub")
	if errors.Is(err, fs.ErrNotExist) {
		public, err = os.ReadFile(key) // it is the public part
	}
	if err != nil {
		return err
	}
	fmt.Printf("signed; hand this line out, by another way than the files, as allowed_signers:\n%s namespaces=%q %s",
		signer, namespace, public)
	return nil
}
