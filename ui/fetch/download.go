package fetch

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"simdeck/ui/cli/store"
	"simdeck/ui/readfile"
)

// partial is the folder of downloads that are not whole, below the folder of copies.
const partial = ".partial"

// maxAttempts bounds requests for one download that bring nothing, one after the other.
const maxAttempts = 4

// part is a download as far as it is there.
type part struct {
	name  string // of its file, below the folder
	have  int64
	tag   string // of the version that it is of; empty: it cannot be continued
	total int64  // bytes of all of it; -1: not known
	head  http.Header
}

// download brings a file, or what is missing of it, into a file of the folder.
func (f *run) download(ctx context.Context, address string, tell func(bytes, of int64)) (*part, http.Header,
	error) {
	if err := store.Folder(f.folder, partial); err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256([]byte(address))
	p := &part{name: partial + "/" + hex.EncodeToString(sum[:16]), total: -1}
	p.recall(f.folder)
	pause := f.Pause
	if pause <= 0 {
		pause = 500 * time.Millisecond
	}
	best := p.have
	for attempts := 1; ; attempts++ {
		err := f.attempt(ctx, address, p, tell)
		if err == nil {
			return p, p.head, nil
		}
		var again *transient
		if !errors.As(err, &again) || context.Cause(ctx) != nil || attempts >= maxAttempts {
			if !errors.As(err, &again) {
				p.forget(f.folder)
			}
			return nil, nil, err
		}
		if p.have > best { // it goes on, however slowly
			attempts, pause, best = 0, max(f.Pause, time.Millisecond), p.have
		}
		select {
		case <-ctx.Done():
		case <-time.After(max(pause, again.after)):
		}
		pause *= 2
	}
}

// transient is an error that another attempt may not meet.
type transient struct {
	err   error
	after time.Duration
}

func (t *transient) Error() string { return t.err.Error() }
func (t *transient) Unwrap() error { return t.err }

// attempt asks once, for what is missing. Errors that another attempt may not meet are transient.
func (f *run) attempt(ctx context.Context, address string, p *part, tell func(bytes, of int64)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	idle := time.AfterFunc(f.Limits.Idle, func() {
		stop(fmt.Errorf("%w for %v", ErrStalled, f.Limits.Idle))
	})
	defer idle.Stop()
	a, err := f.client.get(ctx, f.Agent, address, p.have, p.tag)
	if err != nil {
		return f.failed(ctx, err)
	}
	defer a.Body.Close()
	if err := p.begin(a); err != nil {
		return err
	}
	if err := f.fits(p); err != nil {
		return err
	}
	file, err := store.Continue(f.folder, p.name)
	if err != nil {
		return err
	}
	if err = errors.Join(file.Truncate(p.have), p.keep(f.folder)); err == nil {
		_, err = file.Seek(p.have, io.SeekStart)
	}
	if err == nil {
		had := p.have
		from := watched{a.Body, func(n int) {
			idle.Reset(f.Limits.Idle)
			had += int64(n)
			tell(had, max(p.total, 0))
		}}
		err = f.receive(ctx, file, from, p)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil && p.total >= 0 && p.have != p.total {
		err = &transient{err: fmt.Errorf("%w: it said %d bytes and sent %d", ErrServer, p.total, p.have)}
		p.have, p.tag = 0, ""
	}
	return err
}

// receive appends what a server sends to a file.
func (f *run) receive(ctx context.Context, file *os.File, from io.Reader, p *part) error {
	most := min(f.Limits.File-p.have, f.left)
	n, err := io.Copy(file, io.LimitReader(from, most+1))
	p.have += n
	f.left -= n
	switch {
	case err == nil && n > most:
		return f.fits(p)
	case err == nil:
		return nil
	}
	var onDisk *os.PathError
	if errors.As(err, &onDisk) {
		return store.Explain(err)
	}
	return f.failed(ctx, err)
}

// fits says which limit a download breaks, as far as it is known.
func (f *run) fits(p *part) error {
	switch size := max(p.have, p.total); {
	case size > f.Limits.File:
		return fmt.Errorf("%w: a file of %d bytes or more, at most %d are brought", ErrLimit, size, f.Limits.File)
	case size-p.have > f.left || f.left < 0:
		return fmt.Errorf("%w: %d bytes", errTotal, f.Limits.Total)
	}
	return nil
}

// failed makes an error of a connection one of another attempt; what the user's own rules refuse is none.
func (f *run) failed(ctx context.Context, err error) error {
	if why := context.Cause(ctx); why != nil {
		err = why
	}
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrRefused):
		return err
	case errors.As(err, &certificate):
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if !errors.Is(err, ErrStalled) {
		err = fmt.Errorf("%w: %w", ErrServer, err)
	}
	return &transient{err: err}
}

// begin takes over what a server's answer says of a file and of the bytes that follow.
func (p *part) begin(a *http.Response) error {
	switch {
	case a.StatusCode == http.StatusOK:
		p.have, p.total, p.tag = 0, a.ContentLength, tagOf(a.Header)
	case a.StatusCode == http.StatusPartialContent && p.continues(a):
	case a.StatusCode == http.StatusPartialContent, a.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		p.have, p.tag = 0, ""
		return &transient{err: fmt.Errorf("%w: asked for the rest, it answers %s with bytes %q", ErrServer,
			a.Status, a.Header.Get("Content-Range"))}
	case a.StatusCode == http.StatusNotFound, a.StatusCode == http.StatusGone:
		return fmt.Errorf("%w (%s)", ErrAbsent, a.Status)
	case a.StatusCode == http.StatusTooManyRequests, a.StatusCode >= 500:
		seconds, _ := strconv.Atoi(a.Header.Get("Retry-After"))
		return &transient{err: fmt.Errorf("%w: %s", ErrServer, a.Status),
			after: time.Duration(min(max(seconds, 0), 30)) * time.Second}
	default:
		return fmt.Errorf("%w: %s", ErrServer, a.Status)
	}
	p.head = a.Header
	return nil
}

// continues reports that an answer is the rest of what is there.
func (p *part) continues(a *http.Response) bool {
	var first, last int64
	text := a.Header.Get("Content-Range")
	span, total, ok := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	if n, err := fmt.Sscanf(span, "%d-%d", &first, &last); !ok || err != nil || n != 2 {
		return false
	}
	size, err := strconv.ParseInt(total, 10, 64)
	if err != nil || p.have == 0 || first != p.have || last != size-1 || last < first ||
		a.ContentLength >= 0 && a.ContentLength != last-first+1 || p.total >= 0 && size != p.total {
		return false
	}
	p.total = size
	return true
}

// tagOf is the name of a file's version in an answer, for If-Range; empty: nothing tells whether it changed.
func tagOf(h http.Header) string {
	if tag := h.Get("ETag"); strings.HasPrefix(tag, `"`) {
		return tag
	}
	changed, errA := http.ParseTime(h.Get("Last-Modified"))
	now, errB := http.ParseTime(h.Get("Date"))
	if errA == nil && errB == nil && now.Sub(changed) >= time.Minute { // else it may change twice in a second
		return h.Get("Last-Modified")
	}
	return ""
}

// keep writes what a download needs to be continued.
func (p *part) keep(in *os.Root) error {
	return store.Replace(in, p.name+".of", fmt.Appendf(nil, "%d %s\n", p.total, p.tag))
}

// recall reads what an earlier run has left of a download.
func (p *part) recall(in *os.Root) {
	text, err := readAll(in, p.name+".of", 1<<10)
	info, lost := in.Stat(p.name)
	if err != nil || lost != nil || !info.Mode().IsRegular() {
		return
	}
	total, tag, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
	size, err := strconv.ParseInt(total, 10, 64)
	if err == nil && tag != "" && info.Size() > 0 && (size < 0 || info.Size() < size) {
		p.have, p.tag, p.total = info.Size(), tag, size
	}
}

// forget removes a download that is not to be continued.
func (p *part) forget(in *os.Root) {
	_, _ = in.Remove(p.name), in.Remove(p.name+".of") // the next run writes it anew
}

// readAll reads a file of a folder of at most limit bytes.
func readAll(in *os.Root, name string, limit int64) ([]byte, error) {
	file, err := readfile.OpenIn(in, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readfile.Rest(file, limit)
}

// watched tells of each read that brings something.
type watched struct {
	from io.Reader
	tell func(n int)
}

func (w watched) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if n > 0 {
		w.tell(n)
	}
	return n, err
}
