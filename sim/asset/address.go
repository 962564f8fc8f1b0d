package asset

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Address is an address of a network by its parts.
type Address struct {
	Host  string // lower case, with its port where one is written
	Path  string // below the host, without escapes and without a slash at either end
	Query string // behind the question mark, as it is written
	Fuel  *Fuel  // the resource of a Fuel server; nil: a plain file
}

// Fuel is a model or a world of a Fuel server, or a file of one. Gazebo's servers give them addresses
// https://HOST/1.0/OWNER/models/NAME/VERSION/files/PATH, of which everything behind NAME may be missing.
type Fuel struct {
	Host, Owner string
	Kind        string // models or worlds
	Name        string
	Version     int    // 0: the newest
	File        string // of it; empty: all of it
}

// fuelHosts are names of one server, the present one first.
var fuelHosts = [...]string{"fuel.gazebosim.org", "fuel.ignitionrobotics.org", "api.ignitionfuel.org"}

// ParseAddress reads an address that begins with https:// or http://. Errors wrap ErrScheme for another
// beginning, and ErrNotFound for an address that names no file of a host.
func ParseAddress(uri string) (Address, error) {
	if err := sane(uri); err != nil {
		return Address{}, err
	}
	uri = strings.TrimSpace(uri)
	scheme, rest, ok := strings.Cut(uri, "://")
	if s := strings.ToLower(scheme); !ok || s != "https" && s != "http" {
		return Address{}, fmt.Errorf("%s: %w: want https://HOST/PATH", uri, ErrScheme)
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	host, below, _ := strings.Cut(rest, "/")
	below = strings.Trim(below, "/")
	if plain, err := url.PathUnescape(below); err == nil {
		below = strings.Trim(plain, "/")
	}
	a := Address{Host: strings.ToLower(host), Path: below, Query: query}
	if !isHost(a.Host) {
		return Address{}, fmt.Errorf("%s: %w: %q is no name of a host", uri, ErrNotFound, host)
	}
	parts := strings.Split(below, "/")
	if slices.ContainsFunc(parts, func(p string) bool { return !isName(p) }) {
		return Address{}, fmt.Errorf("%s: %w: its path names no file", uri, ErrNotFound)
	}
	a.Fuel = parseFuel(a.Host, parts)
	return a, nil
}

// isHost reports that a text is a host's name with or without a port. Names of users and passwords are none.
func isHost(s string) bool {
	name, port, found := strings.Cut(s, ":")
	if n, err := strconv.Atoi(port); found && (err != nil || n < 1 || n > 65535) {
		return false
	}
	other := func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.'
	}
	return name != "" && len(name) <= 253 && !strings.ContainsFunc(name, other) &&
		!strings.Contains(name, "..") && name[0] != '.'
}

// isName reports that a part of a path is the name of a file or folder everywhere.
func isName(part string) bool {
	return part != "" && part != "." && part != ".." && len(part) <= 255 &&
		!strings.ContainsFunc(part, func(c rune) bool {
			return c < 0x20 || c == 0x7f || strings.ContainsRune(`\:*"<>|`, c)
		})
}

// parseFuel reads what a path means to a Fuel server; nil: it is none of its models and worlds.
func parseFuel(host string, parts []string) *Fuel {
	if interfaceVersion(parts[0]) {
		parts = parts[1:]
	} else if !slices.Contains(fuelHosts[:], host) { // another's addresses say what they are
		return nil
	}
	if len(parts) < 3 || parts[1] != "models" && parts[1] != "worlds" {
		return nil
	}
	f := &Fuel{Host: host, Owner: parts[0], Kind: parts[1], Name: parts[2]}
	rest := parts[3:]
	if len(rest) > 0 {
		if n, err := strconv.Atoi(rest[0]); err == nil && n > 0 && n < 1e9 {
			f.Version, rest = n, rest[1:]
		} else if rest[0] == "tip" {
			rest = rest[1:]
		}
	}
	if len(rest) > 1 && rest[0] == "files" {
		rest = rest[1:]
	}
	if len(rest) == 1 && strings.EqualFold(rest[0], f.Name+".zip") { // as the server calls all of it
		rest = nil
	}
	f.File = strings.Join(rest, "/")
	return f
}

// interfaceVersion reports that a part of a path is the version of a server's interface, like 1.0.
func interfaceVersion(part string) bool {
	major, minor, ok := strings.Cut(part, ".")
	_, errA := strconv.ParseUint(major, 10, 8)
	_, errB := strconv.ParseUint(minor, 10, 8)
	return ok && errA == nil && errB == nil
}

// String is the address, escaped.
func (a Address) String() string {
	text := (&url.URL{Scheme: "https", Host: a.Host, Path: "/" + a.Path, RawQuery: a.Query}).String()
	return text
}

// Place is the path of a copy of a plain file below a folder of downloads.
func (a Address) Place() string { return path.Join(a.Host, a.Path) }

// Folder is the place of the resource below a folder of downloads, without its version. Names are in lower
// case, as Gazebo writes them.
func (f Fuel) Folder() string {
	return strings.Join([]string{f.Host, strings.ToLower(f.Owner), f.Kind, strings.ToLower(f.Name)}, "/")
}

// Hosts are the names of the server that has the resource, that of the address first.
func (f Fuel) Hosts() []string {
	hosts := []string{f.Host}
	if slices.Contains(fuelHosts[:], f.Host) {
		for _, h := range fuelHosts {
			if h != f.Host {
				hosts = append(hosts, h)
			}
		}
	}
	return hosts
}

// Server is the host that answers for the resource today: servers change their names.
func (f Fuel) Server() string {
	if slices.Contains(fuelHosts[:], f.Host) {
		return fuelHosts[0]
	}
	return f.Host
}

// Whole is the address of an archive of the whole resource, in the spelling of its server of today.
func (f Fuel) Whole() Address {
	a := f.Archive()
	f.Host, f.File = f.Server(), ""
	a.Fuel = &f
	return a
}

// Archive is the address of an archive of the whole resource.
func (f Fuel) Archive() Address {
	version := "tip"
	if f.Version > 0 {
		version = strconv.Itoa(f.Version)
	}
	return Address{Host: f.Server(),
		Path: strings.Join([]string{"1.0", f.Owner, f.Kind, f.Name, version, f.Name + ".zip"}, "/")}
}

// Description is the address of what a server says of the resource, a JSON object with its newest version.
func (f Fuel) Description() Address {
	return Address{Host: f.Server(), Path: strings.Join([]string{"1.0", f.Owner, f.Kind, f.Name}, "/")}
}

// ModelName is the name of the model at an address of any scheme, for people. It is its name on a Fuel
// server, else that of its folder or file.
func ModelName(uri string) string {
	if a, err := ParseAddress(uri); err == nil {
		if a.Fuel != nil {
			return a.Fuel.Name
		}
		uri = a.Path
	}
	if _, rest, ok := strings.Cut(uri, "://"); ok {
		uri = rest
	}
	if plain, err := url.PathUnescape(uri); err == nil {
		uri = plain
	}
	uri = strings.Trim(uri, "/")
	name := path.Base(uri)
	switch stem := strings.TrimSuffix(name, path.Ext(name)); {
	case (stem == "model" || stem == "world") && path.Dir(uri) != ".":
		return path.Base(path.Dir(uri))
	case stem != "":
		return stem
	}
	return name
}
