package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// client asks servers, as far as a policy allows.
type client struct {
	http.Client
	hosts     []string
	redirects int
	proxies   sync.Map // HOST:PORT of proxies that the environment names
}

// connecting bounds the time for a connection, and for its handshake.
const connecting = 15 * time.Second

func newClient(c *Config) *client {
	k := &client{hosts: c.Hosts, redirects: c.Limits.Redirects}
	guarded := net.Dialer{Timeout: connecting, Control: public}
	open := net.Dialer{Timeout: connecting}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if _, proxy := k.proxies.Load(address); proxy || k.named(address) {
			return open.DialContext(ctx, network, address)
		}
		return guarded.DialContext(ctx, network, address)
	}
	if c.Dial != nil {
		dial = c.Dial
	}
	secure := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.TLS != nil {
		secure = c.TLS
	}
	k.Client = http.Client{CheckRedirect: k.redirected, Transport: &http.Transport{
		Proxy: k.proxy, DialContext: dial, TLSClientConfig: secure, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: connecting, ResponseHeaderTimeout: c.Limits.Idle, DisableCompression: true,
		MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: time.Minute}}
	return k
}

// proxy is the proxy that the environment names for a request.
func (k *client) proxy(r *http.Request) (*url.URL, error) {
	u, err := http.ProxyFromEnvironment(r)
	if u != nil {
		port := cmp.Or(u.Port(), map[string]string{"https": "443", "socks5": "1080",
			"socks5h": "1080"}[u.Scheme], "80")
		k.proxies.Store(net.JoinHostPort(u.Hostname(), port), nil)
	}
	return u, err
}

// named reports that the user allows a host, by its name or with its port.
func (k *client) named(address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		host, port = address, "443"
	}
	return slices.ContainsFunc(k.hosts, func(h string) bool {
		return strings.EqualFold(h, host) || strings.EqualFold(h, net.JoinHostPort(host, port))
	})
}

// allow says why an address is not asked; nil: it is.
func (k *client) allow(u *url.URL) error {
	switch ip, err := netip.ParseAddr(u.Hostname()); {
	case u.Scheme != "https":
		return fmt.Errorf("%w: %s:// is not spoken, only https", ErrRefused, u.Scheme)
	case u.User != nil:
		return fmt.Errorf("%w: the address holds a user's name", ErrRefused)
	case k.named(u.Host):
	case err == nil && !isPublic(ip):
		return private(ip.String())
	case strings.EqualFold(u.Hostname(), "localhost"):
		return private("localhost")
	}
	return nil
}

// redirected is http.Client.CheckRedirect.
func (k *client) redirected(r *http.Request, via []*http.Request) error {
	if len(via) > k.redirects {
		return fmt.Errorf("%w: more than %d redirects", ErrRefused, k.redirects)
	}
	if err := k.allow(r.URL); err != nil {
		return fmt.Errorf("redirected to %s: %w", r.URL.Redacted(), err)
	}
	if from := via[0].URL.Host; !strings.EqualFold(r.URL.Host, from) && !k.named(r.URL.Host) {
		return fmt.Errorf("%w: redirected to another host, %s; --host %s allows it", ErrRefused, r.URL.Host,
			r.URL.Hostname())
	}
	return nil
}

// get asks for an address from some byte on; tag is of the version whose first bytes are there. The caller
// closes the body.
func (k *client) get(ctx context.Context, agent, address string, from int64, tag string) (*http.Response,
	error) {
	u, err := url.Parse(address)
	if err == nil {
		err = k.allow(u)
	}
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", agent)
	if from > 0 && tag != "" {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		r.Header.Set("If-Range", tag)
	}
	answer, err := k.Do(r)
	var asked *url.Error
	if errors.As(err, &asked) { // it repeats the address
		err = asked.Err
	}
	return answer, err
}

// public is net.Dialer.Control that lets connections to public addresses pass.
func public(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !isPublic(to.Addr()) {
		return private(to.Addr().String())
	}
	return nil
}

func private(what string) error {
	return fmt.Errorf("%w: %s is of a private network; --host HOST allows its host", ErrRefused, what)
}

// special are networks that are not reached from everywhere, or lead to others, besides those that package
// netip knows (IANA's registries of special-purpose addresses).
var special = func() (all []netip.Prefix) {
	for _, p := range [...]string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15",
		"240.0.0.0/4",
		"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2002::/16", "fec0::/10"} {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}()

// isPublic reports that an address is one of the Internet.
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return ip.IsGlobalUnicast() && !ip.IsPrivate() &&
		!slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(ip) })
}
