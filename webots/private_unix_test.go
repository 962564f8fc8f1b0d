//go:build unix

package webots

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planted is a sticky folder in which parts of webots/victim/1234/ipc/cart are there already.
func planted(t *testing.T) (base, cart string) {
	base = t.TempDir()
	cart = filepath.Join(base, "webots", "victim", "1234", "ipc", "cart")
	if err := errors.Join(os.MkdirAll(cart, 0o700), os.Chmod(base, 0o777|fs.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	return base, cart
}

func TestFoldersThatAnotherUserPlantedAreRefused(t *testing.T) {
	parts := []string{"webots", "victim", "1234", "ipc", "cart"}
	for i, part := range parts {
		for _, c := range []struct {
			fault, want string
			plant       func(folder string) error
		}{
			{"mode", "others may write", func(folder string) error { return os.Chmod(folder, 0o777) }},
			{"link", "a link", func(folder string) error {
				return errors.Join(os.Rename(folder, folder+".real"),
					os.Symlink(filepath.Base(folder)+".real", folder))
			}},
			{"owner", "of the user 12345", func(folder string) error {
				planted, err := os.Stat(folder)
				fileOwner = func(info fs.FileInfo) (int, bool) {
					if os.SameFile(info, planted) {
						return 12345, true
					}
					return ownerOf(info)
				}
				return err
			}},
		} {
			t.Run(part+" "+c.fault, func(t *testing.T) {
				defer func() { fileOwner = ownerOf }()
				base, _ := planted(t)
				if err := c.plant(filepath.Join(base, filepath.Join(parts[:i+1]...))); err != nil {
					t.Fatal(err)
				}
				root, err := privateFolder(base, parts...)
				if !errors.Is(err, errFolder) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v %v", root, err)
				}
			})
		}
	}
	base, cart := planted(t)
	root, err := privateFolder(base, parts...)
	if err != nil || root.Name() != cart {
		t.Fatalf("%v %v", root, err)
	}
	defer root.Close()
	if err := os.Chmod(base, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := privateFolder(base, parts...); !errors.Is(err, errFolder) {
		t.Errorf("a folder open to all without the sticky bit: %v", err)
	}
}

// A picture is written to a file of its own, whatever has its name.
func TestPicturesAreNotWrittenThroughLinks(t *testing.T) {
	base, cart := planted(t)
	precious := filepath.Join(base, "precious.txt")
	if err := errors.Join(os.WriteFile(precious, []byte("text"), 0o600),
		os.Symlink(precious, filepath.Join(cart, "image_2_4"))); err != nil {
		t.Fatal(err)
	}
	root, err := privateFolder(base, "webots", "victim", "1234", "ipc", "cart")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := newFile(root, "image_2_4")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte("1234"), 0)
	left, _ := os.ReadFile(precious)
	if err := errors.Join(err, f.Close()); err != nil || string(left) != "text" {
		t.Errorf("%q %v", left, err)
	}
}
