package main

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/ui/cli"
)

// TestAnOperatorRecordsTopicsWithoutROS: with --no-ros, of a world that would wait for controllers.
func TestAnOperatorRecordsTopicsWithoutROS(t *testing.T) {
	const world = `<sdf version="1.11" xmlns:simdeck="urn:simdeck:sdf"><world name="w">
<simdeck:lockstep>b/cmd_vel</simdeck:lockstep>
<model name="b"><link name="l"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></world></sdf>`
	synctest.Test(t, func(t *testing.T) {
		o := cli.Options{World: "w.sdf", Text: world, RealTime: 1,
			Recording: cli.Recording{Later: t.TempDir()}}
		o.ROS.Off = true
		s, err := open(t.Context(), o, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		var folder string
		err = s.Run(t.Context(), func(ctx context.Context) (err error) {
			time.Sleep(time.Second)
			if folder, err = s.Recorder.Start(ctx, sim.RecordingScope{Kind: sim.RecordState}); err != nil {
				return err
			}
			time.Sleep(2 * time.Second)
			_, err = s.Recorder.Stop(ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(folder + "/metadata.yaml")
		if err != nil || !strings.Contains(string(text), "name: /clock") ||
			strings.Contains(string(text), "lost ") {
			t.Errorf("%v\n%s", err, text)
		}
	})
}
