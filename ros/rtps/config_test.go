package rtps_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

func TestConfigurationsThatCannotWorkAreRefused(t *testing.T) {
	host := netsim.New(1).Host("a")
	for what, cfg := range map[string]rtps.Config{
		"no transport": {},
		"domain 233":   {Transport: host, DomainID: 233},
		"a lease":      {Transport: host, Lease: time.Millisecond},
		"user data":    {Transport: host, UserData: make([]byte, 9000)},
		"a limit":      {Transport: host, Limits: rtps.Limits{Locators: -1}},
	} {
		if _, err := rtps.New(cfg); !errors.Is(err, rtps.ErrConfig) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	p, err := rtps.New(rtps.Config{Transport: host, DomainID: 3})
	if err != nil {
		t.Fatal(err)
	}
	q, err := rtps.New(rtps.Config{Transport: host})
	if err != nil || p.GUID() == q.GUID() || p.GUID().Entity != wire.EntityParticipant || p.DomainID() != 3 {
		t.Errorf("%v and %v: %v", p.GUID(), q.GUID(), err)
	}
	for _, cfg := range []rtps.WriterConfig{
		{Type: "T"}, {Topic: "t"}, {Topic: strings.Repeat("t", 2000), Type: "T"},
		{Topic: "t", Type: "T", QoS: rtps.QoS{Depth: -1}},
		{Topic: "t", Type: "T", QoS: rtps.QoS{Durability: rtps.Persistent}},
		{Topic: "t", Type: "T", UserData: make([]byte, 9000)},
	} {
		if _, err := p.NewWriter(cfg); !errors.Is(err, rtps.ErrConfig) {
			t.Errorf("%.50v: %v", cfg, err)
		}
	}
	if _, err := p.NewReader(rtps.ReaderConfig{Topic: "t", Type: "T", Queue: -1}); !errors.Is(err,
		rtps.ErrConfig) {
		t.Errorf("a queue below zero: %v", err)
	}
}

func TestAfterTheRunEverythingIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := rtps.New(rtps.Config{Transport: netsim.New(1).Host("a")})
		if err != nil {
			t.Fatal(err)
		}
		w, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: strMsg})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.NewReader(rtps.ReaderConfig{Topic: topic, Type: strMsg})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := p.Run(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if _, err := w.Write(number(1), rtps.WriteOptions{}); !errors.Is(err, rtps.ErrClosed) {
			t.Errorf("writes on: %v", err)
		}
		if _, err := r.Receive(t.Context()); !errors.Is(err, rtps.ErrClosed) {
			t.Errorf("waits on: %v", err)
		}
		if _, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: strMsg}); !errors.Is(err,
			rtps.ErrClosed) {
			t.Errorf("makes a writer: %v", err)
		}
		if err := p.Run(t.Context()); !errors.Is(err, rtps.ErrClosed) {
			t.Errorf("runs again: %v", err)
		}
		if w.Close() != nil || r.Close() != nil {
			t.Error("closing again")
		}
	})
}
