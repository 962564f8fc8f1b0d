package main

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

//go:embed files
var shipped embed.FS

// debian writes the package of one architecture (deb-format(5)).
func (e *edition) debian(t target, program, notices file, texts []file, out string) error {
	data, err := e.installed(program, notices, texts)
	if err != nil {
		return err
	}
	version := strings.ReplaceAll(e.Version, "-", "~") // sorts before what it leads to
	control, err := e.control(t, version, data)
	if err != nil {
		return err
	}
	deb := pooled{name: fmt.Sprintf("simdeck_%s_%s.deb", version, t.debian), arch: t.debian,
		control: string(control[0].data)}
	var parts [2][]byte
	for i, files := range [][]file{control, data} {
		for k := range files {
			files[k].name = "./" + files[k].name
		}
		if parts[i], err = tarball(append(files, file{"./", 0o755, nil}), e.Time); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	member(&b, "debian-binary", []byte("2.0\n"), e.Time)
	member(&b, "control.tar.gz", parts[0], e.Time)
	member(&b, "data.tar.gz", parts[1], e.Time)
	deb.sum, deb.size = fmt.Sprintf("%x", sha256.Sum256(b.Bytes())), b.Len()
	e.debs = append(e.debs, deb)
	return os.WriteFile(filepath.Join(out, deb.name), b.Bytes(), 0o644)
}

// member appends a file to an archive of ar.
func member(b *bytes.Buffer, name string, data []byte, at time.Time) {
	fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, at.Unix(), 0, 0, "100644", len(data))
	b.Write(data)
	if len(data)%2 == 1 {
		b.WriteByte('\n')
	}
}

// installed are the files of the package, by where they go.
func (e *edition) installed(program, notices file, texts []file) ([]file, error) {
	all := []file{{"usr/bin/simdeck", 0o755, program.data}}
	add := func(name string, data []byte) { all = append(all, file{name, 0o644, data}) }
	for _, t := range texts {
		base := filepath.Base(t.name)
		switch {
		case strings.HasPrefix(t.name, "man/"):
			add("usr/share/man/man1/"+base+".gz", gzipped(t.data))
		case strings.HasSuffix(base, ".bash"):
			add("usr/share/bash-completion/completions/simdeck", t.data)
		case strings.HasSuffix(base, ".fish"):
			add("usr/share/fish/vendor_completions.d/"+base, t.data)
		case strings.HasPrefix(t.name, "completions/"):
			add("usr/share/zsh/vendor-completions/"+base, t.data)
		case base == "README.md":
			add("usr/share/doc/simdeck/README.md.gz", gzipped(t.data))
		}
	}
	add("usr/share/doc/simdeck/"+notices.name+".gz", gzipped(notices.data))
	add("usr/share/doc/simdeck/changelog.gz", gzipped(e.changelog()))
	for from, to := range map[string]string{
		"simdeck.service": "usr/lib/systemd/system/simdeck.service",
		"sysusers.conf":   "usr/lib/sysusers.d/simdeck.conf",
		"simdeck.yaml":    "etc/simdeck/simdeck.yaml", "authorized_keys": "etc/simdeck/authorized_keys",
		"default":   "etc/default/simdeck",
		"copyright": "usr/share/doc/simdeck/copyright",
	} {
		data, err := shipped.ReadFile("files/" + from)
		if err != nil {
			return nil, err
		}
		add(to, data)
	}
	return sorted(all), nil
}

// control are the files that tell the package manager what the package is.
func (e *edition) control(t target, version string, data []file) ([]file, error) {
	var sums, kept strings.Builder
	size := 0
	for _, f := range data {
		size += (len(f.data) + 1023) / 1024
		if strings.HasPrefix(f.name, "etc/") {
			fmt.Fprintf(&kept, "/%s\n", f.name)
			continue
		}
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), f.name)
	}
	control := fmt.Sprintf(`Package: simdeck
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Section: science
Priority: optional
Recommends: systemd
Description: terminal console with a robot simulator inside
 simdeck simulates robots, shows them in a terminal, over SSH too, and serves
 them to ROS 2 clients through simulation_interfaces. It is one static binary:
 it needs no ROS, no graphics processor and no window system.
`, version, t.debian, e.Origin.Maintainer, size)
	all := []file{{"control", 0o644, []byte(control)}, {"md5sums", 0o644, []byte(sums.String())},
		{"conffiles", 0o644, []byte(kept.String())}}
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		text, err := shipped.ReadFile("files/" + script)
		if err != nil {
			return nil, err
		}
		all = append(all, file{script, 0o755, text})
	}
	return all, nil
}

// changelog is Debian's (deb-changelog(5)), of the commits since the last tag.
func (e *edition) changelog() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "simdeck (%s) unstable; urgency=medium\n\n", strings.ReplaceAll(e.Version, "-", "~"))
	for _, c := range e.Changes {
		fmt.Fprintf(&b, "  * %s\n", c)
	}
	if len(e.Changes) == 0 {
		b.WriteString("  * See the repository.\n")
	}
	fmt.Fprintf(&b, "\n -- %s  %s\n", e.Origin.Maintainer, e.Time.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	return b.Bytes()
}
