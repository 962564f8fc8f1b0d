package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// edition is the version that is released, and its source.
type edition struct {
	// of the last tag; with commits after it, or without a tag, one that sorts behind or before it
	Version string
	Source  string // folder
	Commit  string // that the source is of; empty where there is no repository, or it has changes
	Time    time.Time
	Tagged  bool     // the source is of a tag, unchanged
	Changes []string // since the last tag, newest first: a line each
	Origin  origin   // where the release is published
	Signers string   // line of allowed_signers of the key that signs; empty: nothing is signed

	built map[target]string // binaries
	debs  []pooled          // packages
	sums  map[string]string // SHA-256 of files, by name
}

// development is the version where no tag is known: that of the next release, as in ui/cli.
const development = "0.2.0-dev"

// editionOf asks git for the version. SIMDECK_VERSION and SOURCE_DATE_EPOCH stand in for it where there is no
// repository.
func editionOf(source string) (*edition, error) {
	e := &edition{Source: source, Version: os.Getenv("SIMDECK_VERSION"), built: map[target]string{}}
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if e.Version == "" {
		described, err := git(source, "describe", "--tags", "--match", "v[0-9]*", "--dirty", "--always")
		if err != nil {
			return nil, fmt.Errorf("%w; or set SIMDECK_VERSION and SOURCE_DATE_EPOCH", err)
		}
		e.Version = versionOf(described)
		e.Tagged = described == "v"+e.Version
		e.Changes = changes(source)
	}
	if commit, err := git(source, "rev-parse", "HEAD"); err == nil {
		if changed, err := git(source, "status", "--porcelain"); err == nil && changed == "" {
			e.Commit = commit
		}
	}
	if epoch == "" {
		var err error
		if epoch, err = git(source, "log", "-1", "--format=%ct"); err != nil {
			return nil, fmt.Errorf("%w; or set SOURCE_DATE_EPOCH", err)
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("SOURCE_DATE_EPOCH %q: want seconds since 1970", epoch)
	}
	e.Time = time.Unix(seconds, 0).UTC()
	if !regexp.MustCompile(`^[0-9][0-9A-Za-z.+~-]*$`).MatchString(e.Version) {
		return nil, fmt.Errorf("version %q: want a number first, as Debian's packages have it", e.Version)
	}
	e.Origin, err = originOf(source)
	return e, err
}

// versionOf makes a version of what git describes: v1.2.3, v1.2.3-4-gabc, abc, each perhaps with -dirty.
func versionOf(described string) string {
	clean, dirty := strings.CutSuffix(described, "-dirty")
	version := development + "+g" + clean
	if tag, ok := strings.CutPrefix(clean, "v"); ok {
		version = tag
		if m := regexp.MustCompile(`^(.*)-([0-9]+)-(g[0-9a-f]+)$`).FindStringSubmatch(tag); m != nil {
			version = m[1] + "+" + m[2] + "." + m[3]
		}
	}
	switch {
	case dirty && strings.Contains(version, "+"):
		version += ".dirty"
	case dirty:
		version += "+dirty"
	}
	return version
}

// changes are the subjects of the commits since the tag before this one, or of the last twenty.
func changes(source string) []string {
	span := "-20"
	if tag, err := git(source, "describe", "--tags", "--match", "v[0-9]*", "--abbrev=0",
		"HEAD^"); err == nil {
		span = tag + "..HEAD"
	}
	log, err := git(source, "log", "--format=%s", span)
	if err != nil || log == "" {
		return nil
	}
	return strings.Split(log, "\n")
}

func git(source string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", source}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
