package main

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// origin holds the addresses at which releases are published. It stands in one file, so that a fork sets it
// in one place.
type origin struct {
	Module     string `yaml:"module"`    // path that go install takes
	Downloads  string `yaml:"downloads"` // folder of archives and checksums; {version} stands for the version
	Pages      string `yaml:"pages"`     // folder of dist/pages
	Image      string `yaml:"image"`     // repository of the container image
	Maintainer string `yaml:"maintainer"`
}

// originFile is relative to the source.
const originFile = ".ci/release/origin.yaml"

// originOf reads the origin of a source tree. An unknown or missing key is an error.
func originOf(source string) (o origin, err error) {
	name := filepath.Join(source, filepath.FromSlash(originFile))
	text, err := os.ReadFile(name)
	if err != nil {
		return o, err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&o); err != nil {
		return o, fmt.Errorf("%s: %w", name, err)
	}
	if err := o.check(); err != nil {
		return o, fmt.Errorf("%s: %w", name, err)
	}
	return o, nil
}

// Module paths begin with a host (go help importpath); what stands in scripts must need no quoting.
var (
	modulePath = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)*$`)
	plainURL   = regexp.MustCompile(`^[A-Za-z0-9:/._~{}%+-]+$`)
	imageName  = regexp.MustCompile(`^[a-z0-9]+([.:_/-]+[a-z0-9]+)*$`)
	mailbox    = regexp.MustCompile(`^[^<>\n]+ <[^<>@\s]+@[^<>\s]+>$`)
)

func (o origin) check() error {
	if !modulePath.MatchString(o.Module) {
		return fmt.Errorf("module %q: want a path that begins with a host, such as example.org/simdeck",
			o.Module)
	}
	for key, value := range map[string]string{"downloads": o.Downloads, "pages": o.Pages} {
		u, err := url.Parse(value)
		if err != nil || !plainURL.MatchString(value) || (u.Scheme != "https" && u.Scheme != "http" &&
			u.Scheme != "file") || strings.HasSuffix(value, "/") {
			return fmt.Errorf("%s %q: want a URL without a slash at its end", key, value)
		}
	}
	if !strings.Contains(o.Downloads, "{version}") {
		return fmt.Errorf("downloads %q: want {version} in it, or releases replace each other", o.Downloads)
	}
	if !imageName.MatchString(o.Image) {
		return fmt.Errorf("image %q: want REGISTRY/NAME", o.Image)
	}
	if !mailbox.MatchString(o.Maintainer) {
		return fmt.Errorf("maintainer %q: want NAME <ADDRESS>", o.Maintainer)
	}
	return nil
}

// placeholder says whether the origin is the placeholder under .example.
func (o origin) placeholder() bool { return strings.Contains(o.Downloads, ".example/") }

// download is the URL of a file of a version.
func (o origin) download(version, name string) string {
	return strings.ReplaceAll(o.Downloads, "{version}", version) + "/" + name
}
