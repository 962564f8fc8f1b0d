package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"simdeck/ui/cli/store"
	"simdeck/ui/readfile"
)

// Preferences keeps what consoles leave behind in a folder: pictures, and which
// symbols suit which terminals.
type Preferences struct {
	Dir   string        // made when something is kept
	World func() string // the name that pictures get

	mu sync.Mutex
}

const (
	mostTerms   = 64      // that are remembered
	longestTerm = 64      // bytes
	mostMemory  = 1 << 16 // bytes of the file
)

// memory is the file of what is remembered.
type memory struct {
	Symbols map[string]string `json:"symbols"`           // by TERM
	Layouts map[string]string `json:"layouts,omitempty"` // by name
}

// remembered is the name of the file of memory.
const remembered = "console.json"

func (d *Preferences) file() string { return filepath.Join(d.Dir, remembered) }

// recall reads the file; one that is not there or cannot be read remembers nothing.
func (d *Preferences) recall() memory {
	m := memory{}
	if text, err := readfile.All(d.file(), mostMemory); err != nil || json.Unmarshal(text, &m) != nil {
		m = memory{}
	}
	if m.Symbols == nil {
		m.Symbols = map[string]string{}
	}
	return m
}

// Symbols is the last choice on terminals of a TERM.
func (d *Preferences) Symbols(term string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.recall().Symbols[term]
}

// KeepSymbols remembers them.
func (d *Preferences) KeepSymbols(term, symbols string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.recall()
	if _, known := m.Symbols[term]; term == "" || len(term) > longestTerm || !known &&
		len(m.Symbols) >= mostTerms {
		return nil
	}
	m.Symbols[term] = symbols
	if err := d.remember(m); err != nil {
		return fmt.Errorf("symbols for %s are not remembered: %w", term, err)
	}
	return nil
}

// Bounds of layouts that are remembered.
const (
	mostLayouts   = 32
	longestLayout = 256 // bytes of one
)

// Layouts are the arrangements of panes by name.
func (d *Preferences) Layouts() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.recall().Layouts
}

// KeepLayout remembers one.
func (d *Preferences) KeepLayout(name, layout string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.recall()
	if m.Layouts == nil {
		m.Layouts = map[string]string{}
	}
	m.Layouts[name] = layout
	if len(m.Layouts) > mostLayouts || len(name)+len(layout) > longestLayout {
		return fmt.Errorf("layout %q is not remembered: want at most %d of %d bytes", name, mostLayouts,
			longestLayout)
	}
	if err := d.remember(m); err != nil {
		return fmt.Errorf("layout %q is not remembered: %w", name, err)
	}
	return nil
}

// remember writes the file.
func (d *Preferences) remember(m memory) error {
	text, err := json.MarshalIndent(m, "", "  ")
	var folder *os.Root
	if err == nil {
		folder, err = store.Open(d.Dir)
	}
	if err == nil {
		err = errors.Join(store.Replace(folder, remembered, append(text, '\n')), folder.Close())
	}
	return err
}

// SavePicture writes NAME.png and NAME.txt into the folder of pictures, of
// which it gives the first.
func (d *Preferences) SavePicture(png []byte, text string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := filepath.Join(d.Dir, "pictures")
	folder, err := store.Open(dir)
	if err != nil {
		return "", fmt.Errorf("picture: %w", err)
	}
	defer folder.Close()
	base := stamped(d.World())
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		err := store.Write(folder, name+".png", png)
		if errors.Is(err, os.ErrExist) && n < 100 {
			continue
		}
		if err == nil {
			if err = store.Replace(folder, name+".txt", []byte(text)); err != nil {
				_ = folder.Remove(name + ".png") // half a picture is none
			}
		}
		if err != nil {
			return "", fmt.Errorf("picture: %w", err)
		}
		return filepath.Join(dir, name+".png"), nil
	}
}

// stamped is a name for a file about a world, made now.
func stamped(world string) string {
	name := strings.Map(func(c rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", c) {
			return c
		}
		return '-'
	}, world)
	return cmp.Or(name[:min(len(name), 100)], "world") + time.Now().Format("-20060102-150405")
}
