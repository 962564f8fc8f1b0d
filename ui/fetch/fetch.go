// Package fetch brings copies of files that a world names by addresses of networks into a folder. From then
// on the world opens offline. It is the only part of simdeck that asks servers for files, and does so for
// worlds that its user has named. Servers and worlds are strangers. Only https is spoken, redirects stay on
// their host, and addresses of private networks are left alone unless the user allows them. Size, number and
// time are bounded. A whole file is put into its place at once, with its SHA-256 in the folder's SHA256SUMS.
// A part is kept, and continued by the next run.
package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"simdeck/ui/cli/store"
)

// Why something is not brought.
var (
	ErrRefused = errors.New("refused")
	ErrAbsent  = errors.New("the server does not have it")
	ErrServer  = errors.New("the server did not give it")
	ErrStalled = errors.New("the server sends nothing")
	ErrLimit   = errors.New("more than a limit allows")
	ErrChanged = errors.New("not what " + Sums + " has")
	ErrTime    = errors.New("out of time")
)

// Item is a copy that is wanted.
type Item struct {
	URL  string // https://HOST/PATH
	Path string // of the copy, below the folder
	// Archive says that URL is of a zip archive, which is unpacked into Path/VERSION.
	Archive bool
	Version int    // of an archive; 0: the newest
	Index   string // address of a JSON object with the newest version, for servers that tell it nowhere else
}

// Limits bounds a run.
type Limits struct {
	File      int64 // bytes of a download, and of what an archive unpacks to
	Total     int64 // bytes of all downloads, and of all that is unpacked
	Files     int   // that are written
	Redirects int   // of one download
	Idle      time.Duration
	Time      time.Duration
}

// DefaultLimits are 1 GB for a file and half a minute without a byte. All together have 8 GB, 50 000 files
// and an hour.
func DefaultLimits() Limits {
	return Limits{File: 1e9, Total: 8e9, Files: 50_000, Redirects: 5, Idle: 30 * time.Second,
		Time: time.Hour}
}

// Config of a run.
type Config struct {
	Folder string // which gets the copies; made where it is not there
	Limits Limits
	// Hosts may be redirected to, and be in a private network. HOST, or HOST:PORT for that port alone.
	Hosts []string
	Agent string // how the server is told who asks
	// Tell is told how far a run is; nil: nobody is.
	Tell func(Progress)
	// TLS and Dial are for tests; nil: the system's certificates and network.
	TLS  *tls.Config
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Pause between attempts at one download, doubled each time; 0: half a second.
	Pause time.Duration
}

// Progress is the progress of a run.
type Progress struct {
	URL       string
	Bytes, Of int64 // of this download; Of is 0 where the server does not say
	Done      int   // downloads before it
	Wanted    int   // as far as is known
}

// Brought is a copy, or the files of an archive.
type Brought struct {
	URL   string `json:"url"`
	Path  string `json:"path"` // below the folder
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// Failure is an item that was not brought.
type Failure struct {
	URL string
	Err error
}

// Report is the result of a run.
type Report struct {
	Brought []Brought
	Failed  []Failure
	Files   int
	Bytes   int64
}

// maxRounds bounds how deep what was brought names more.
const maxRounds = 64

// Run brings what wants lists until it lists nothing new: what was brought may name more. Items that cannot
// be had are in the report. Errors are those of wants where it lists nothing, of the folder, of ctx, and
// ErrLimit and ErrTime for the whole run.
func Run(ctx context.Context, c Config, wants func(context.Context) ([]Item, error)) (r Report, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, c.Limits.Time,
		fmt.Errorf("%w: %v are over; the next run goes on from here", ErrTime, c.Limits.Time))
	defer stop()
	folder, err := store.Open(c.Folder)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	f := &run{Config: c, folder: folder, client: newClient(&c), left: c.Limits.Total, report: &r}
	if f.sums, err = readSums(folder); err != nil {
		return r, err
	}
	defer f.tidy()
	tried := map[string]bool{}
	for range maxRounds {
		all, wrong := wants(ctx)
		fresh := all[:0:0]
		for _, it := range all {
			if !tried[it.URL] {
				fresh, tried[it.URL] = append(fresh, it), true
			}
		}
		if len(fresh) == 0 || context.Cause(ctx) != nil {
			return r, errors.Join(wrong, context.Cause(ctx))
		}
		if err := f.bring(ctx, fresh); err != nil {
			return r, err
		}
	}
	return r, fmt.Errorf("%w: what was brought names more, %d levels deep", ErrLimit, maxRounds)
}

// run is a run of Run.
type run struct {
	Config
	folder *os.Root
	client *client
	sums   sums
	left   int64 // bytes that may still be written
	report *Report
}

// bring brings a round of items; its error ends the run.
func (f *run) bring(ctx context.Context, items []Item) error {
	for i, it := range items {
		if f.report.Files >= f.Limits.Files {
			return fmt.Errorf("%w: %d files have been brought", ErrLimit, f.report.Files)
		}
		tell := func(bytes, of int64) {
			if f.Tell != nil {
				done := len(f.report.Brought) + len(f.report.Failed)
				f.Tell(Progress{URL: it.URL, Bytes: bytes, Of: of, Done: done, Wanted: done + len(items) - i})
			}
		}
		tell(0, 0)
		b, err := f.item(ctx, it, tell)
		switch {
		case err == nil:
			f.report.Brought = append(f.report.Brought, b)
			f.report.Files += b.Files
			f.report.Bytes += b.Bytes
		case context.Cause(ctx) != nil:
			return context.Cause(ctx)
		case errors.Is(err, errTotal), errors.Is(err, store.ErrFull):
			return fmt.Errorf("%s: %w", it.URL, err)
		default:
			f.report.Failed = append(f.report.Failed, Failure{it.URL, err})
		}
	}
	return nil
}

// errTotal is the limit of all downloads together.
var errTotal = fmt.Errorf("%w in all", ErrLimit)

// item brings one item.
func (f *run) item(ctx context.Context, it Item, tell func(bytes, of int64)) (Brought, error) {
	part, head, err := f.download(ctx, it.URL, tell)
	if err != nil {
		return Brought{}, err
	}
	if !it.Archive {
		return f.place(it, part)
	}
	version, err := f.version(ctx, it, head)
	if err != nil {
		return Brought{}, err
	}
	return f.unpack(ctx, it, part, version)
}
