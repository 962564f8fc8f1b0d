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

	"simdeck/ui/readfile"
)

// hostKey reads the key by which operators know this host again, or makes it: an
// Ed25519 key in OpenSSH's form that only its owner can read.
func hostKey(name string) (ssh.Signer, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return makeHostKey(name)
	case err != nil:
		return nil, fmt.Errorf("SSH host key: %w", err)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("SSH host key %s: its permissions are %04o: others could read it; want 0600", name, info.Mode().Perm())
	}
	text, err := readfile.All(name, maxKeyFile)
	if err != nil {
		return nil, fmt.Errorf("SSH host key: %w", err)
	}
	key, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("SSH host key %s: %w; want a private key without a passphrase, as ssh-keygen -t ed25519 makes it", name, err)
	}
	return key, nil
}

func makeHostKey(name string) (ssh.Signer, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "simdeck")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, fmt.Errorf("SSH host key: %w", err)
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) { // another one was faster
		return hostKey(name)
	}
	if err != nil {
		return nil, fmt.Errorf("SSH host key: %w", err)
	}
	_, err = file.Write(pem.EncodeToMemory(block))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("SSH host key: %w", err), os.Remove(name))
	}
	return ssh.NewSignerFromKey(private)
}
