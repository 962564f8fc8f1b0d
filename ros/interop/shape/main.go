// Command shape is the shape_main of OMG's interoperability tests of DDS (omg-dds/dds-rtps), on package rtps.
// It writes or reads coloured squares. Command line and lines of output are those of the suite. It is a test
// tool: shapes.py lets it meet other implementations, and itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"simdeck/ros/rtps"
	"simdeck/ros/transport"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stdout, err) // where the suite looks for it
		os.Exit(1)
	}
}

// run does what the command line says until it is done or ctx ends.
func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseOptions(args, out)
	if err != nil {
		return err
	}
	udp, err := transport.Open(transport.Config{Domain: uint32(o.domain)})
	if err != nil {
		return err
	}
	p, err := rtps.New(rtps.Config{DomainID: uint32(o.domain), Transport: udp})
	if err != nil {
		return err
	}
	a := &app{options: o, p: p, out: out}
	if err := a.open(); err != nil {
		return err
	}
	inside, leave := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(inside) }()
	if o.publish {
		err = a.publish(ctx)
	} else {
		a.subscribe(ctx)
	}
	leave()
	return errors.Join(err, <-ended)
}
