package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"simdeck/sim/scene"
	"simdeck/ui/keymap"
	"simdeck/ui/readfile"
)

// values are the settings as they hold, and where each came from.
type values struct {
	flags  *pflag.FlagSet // every setting, with its value
	source map[string]string
	file   string // simdeck.yaml that was read; empty: none
}

// resolve finds every setting: flag before environment before file before
// default.
func (s *session) resolve(given *pflag.FlagSet) (*values, error) {
	v := &values{flags: pflag.NewFlagSet("simdeck", pflag.ContinueOnError), source: map[string]string{}}
	declare(v.flags, simulate|lookup|view|past|ssh|several)
	file, err := s.readConfig(given)
	if err != nil {
		return nil, err
	}
	if file != nil {
		v.file = file.ConfigFileUsed()
	}
	for _, set := range settings() {
		v.source[set.key] = "default"
		value, source, ok := s.given(set, given, file)
		if !ok {
			continue
		}
		if err := v.flags.Set(set.key, value); err != nil {
			return nil, fmt.Errorf("%w: %s %q from %s: want %s", ErrUsage, set.key, value, source,
				kindOf(v.flags.Lookup(set.key)))
		}
		v.source[set.key] = source
	}
	return v, nil
}

// given is the value that was given for a setting, and by what.
func (s *session) given(set setting, flags *pflag.FlagSet, file *viper.Viper) (value, source string,
	ok bool) {
	if f := flags.Lookup(set.key); f != nil && f.Changed {
		value = f.Value.String()
		if set.list != "" {
			value = strings.Trim(value, "[]")
		}
		return value, "flag --" + set.key, true
	}
	for _, name := range append([]string{envName(set.key)}, set.env...) {
		if value := s.env(name); value != "" {
			if set.list != "" {
				value = strings.Join(strings.FieldsFunc(value,
					func(r rune) bool { return strings.ContainsRune(set.list, r) }), ",")
			}
			return value, name, true
		}
	}
	if file == nil || !file.IsSet(set.key) {
		return "", "", false
	}
	if set.list != "" {
		return strings.Join(file.GetStringSlice(set.key), ","), file.ConfigFileUsed(), true
	}
	return file.GetString(set.key), file.ConfigFileUsed(), true
}

func envName(key string) string {
	return "SIMDECK_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// mostConfig bounds simdeck.yaml and keymap.yaml, in bytes.
const mostConfig = 1 << 20

// readConfig reads simdeck.yaml; nil when there is none and none was asked for.
func (s *session) readConfig(given *pflag.FlagSet) (*viper.Viper, error) {
	name, asked := s.env("SIMDECK_CONFIG"), true
	if f := given.Lookup("config"); f != nil && f.Changed {
		name = f.Value.String()
	}
	if name == "" {
		name, asked = filepath.Join(s.configDir(), "simdeck.yaml"), false
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) && !asked {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	v := viper.New()
	v.SetConfigFile(name)
	v.SetConfigType("yaml")
	text, err := readfile.All(name, mostConfig)
	if err == nil {
		err = v.ReadConfig(bytes.NewReader(text))
	}
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", name, err)
	}
	var known []string
	for _, set := range settings() {
		known = append(known, set.key)
	}
	for _, key := range v.AllKeys() {
		if err := judgeKey(key, known); err != nil {
			return nil, fmt.Errorf("configuration %s: %w", name, err)
		}
	}
	return v, nil
}

func judgeKey(key string, known []string) error {
	for _, k := range known {
		if k == key {
			return nil
		}
	}
	if hint := scene.DidYouMean(key, known); hint != "" {
		return fmt.Errorf("key %q is not known%s", key, hint)
	}
	return fmt.Errorf("key %q is not known; there are %s", key, strings.Join(known, ", "))
}

// configDir is the folder of a user's configuration.
func (s *session) configDir() string {
	dir := s.env("XDG_CONFIG_HOME")
	if dir == "" {
		dir = filepath.Join(s.env("HOME"), ".config")
	}
	return filepath.Join(dir, "simdeck")
}

func (s *session) env(name string) string {
	for _, e := range s.environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

// readKeymap is the shipped keymap with the user's over it.
func (s *session) readKeymap(file string) (*keymap.Map, error) {
	m, err := keymap.Parse("keymap.yaml", s.Keymap)
	if err != nil {
		return nil, err
	}
	asked := file != ""
	if !asked {
		file = filepath.Join(s.configDir(), "keymap.yaml")
	}
	data, err := readfile.All(file, mostConfig)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return m, nil
	} else if err != nil {
		return nil, fmt.Errorf("keymap: %w", err)
	}
	return m.Override(file, data)
}
