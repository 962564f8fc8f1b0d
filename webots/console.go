package webots

import (
	"bytes"
	"log/slog"
	"time"
)

const (
	consoleLine = 400 // bytes of a line that are logged
	consoleRate = 50  // lines in a second
)

// consoleLog logs what a controller prints, as far as that is not too much.
type consoleLog struct {
	since time.Time
	lines int
}

func (c *consoleLog) write(log *slog.Logger, stream uint8, text []byte) {
	if now := time.Now(); now.Sub(c.since) > time.Second {
		c.since, c.lines = now, 0
	}
	for line := range bytes.SplitSeq(bytes.TrimRight(text, "\x00\n"), []byte("\n")) {
		if c.lines++; c.lines > consoleRate {
			return
		}
		line = line[:min(len(line), consoleLine)]
		if stream == 2 {
			log.Warn("webots: controller: " + string(line))
			continue
		}
		log.Info("webots: controller: " + string(line))
	}
}
