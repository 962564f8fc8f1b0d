package sshd

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// hostKey reads this host's key, or makes it: an Ed25519 key in OpenSSH's form that only its owner can read.
func hostKey(c Config) (ssh.Signer, error) {
	name, rule := c.HostKey, fileRule{lax: c.LaxModes, most: maxHostKey, taken: 0o077, home: c.home}
	text, err := rule.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeHostKey(name); err != nil {
			return nil, fmt.Errorf("SSH host key: %w", err)
		}
		text, err = rule.read(name)
	}
	if err != nil {
		return nil, fmt.Errorf("SSH host key %s: %w", name, err)
	}
	key, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("SSH host key %s: %w; want a private key without a passphrase, as ssh-keygen -t ed25519 makes it",
			name, err)
	}
	return key, nil
}

// maxHostKey is the greatest size of the file of a private key, bytes.
const maxHostKey = 64 << 10

// makeHostKey makes it, unless another one was faster.
func makeHostKey(name string) error {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(private, "simdeck")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	_, err = file.Write(pem.EncodeToMemory(block))
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}
