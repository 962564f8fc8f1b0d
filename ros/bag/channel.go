package bag

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/ros/mcap"
)

// introduce puts a channel into the file, with the definition of its type. A type that nobody here knows has
// an empty one, as rosbag2 has it: it can be played, and not shown.
func (r *Recorder) introduce(c *Channel) error {
	if c.known {
		return nil
	}
	r.mu.Lock()
	t := c.topic
	r.mu.Unlock()
	text, err := r.sources.Text(t.Type, t.Hash)
	if err != nil {
		r.config.Log.Warn("a topic is recorded without the definition of its type", "topic", t.Name, "reason",
			err)
	}
	schema, err := r.disk.schema(t.Type, t.Hash, text)
	if err != nil {
		return err
	}
	table := map[string]string{"offered_qos_profiles": yamlOf(profiles(t.QoS)), "topic_type_hash": t.Hash}
	c.id, err = r.disk.w.AddChannel(mcap.Channel{Schema: schema, Topic: t.Name, Encoding: "cdr",
		Metadata: table})
	c.known = err == nil
	return err
}

// Losses are the messages that were not recorded, by topic, and what the source lost before.
func (r *Recorder) Losses() map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]uint64{}
	for _, c := range r.channels {
		n := c.lost
		for _, more := range c.upstream {
			n += more()
		}
		if n > 0 {
			all[c.topic.Name] += n
		}
	}
	if r.config.Source != nil {
		for kind, n := range r.config.Source.Losses() {
			if n > 0 {
				all[kind] += n
			}
		}
	}
	return all
}

// tellLosses logs once a second when there are more.
func (r *Recorder) tellLosses(now time.Time) {
	if now.Sub(r.disk.toldAt) < sealPeriod || r.Err() != nil { // the recording's owner reports an error
		return
	}
	r.disk.toldAt = now
	all, sum := r.Losses(), r.Lost()
	if sum > r.disk.told {
		r.disk.told = sum
		r.config.Log.Warn("messages were not recorded: the machine is too slow for them", "lost", sum, "topics",
			strings.Join(sortedKeys(all), " "))
	}
}

// metadata describes the file in its present state for the folder.
func (r *Recorder) metadata() metadata {
	s := r.disk.w.Statistics()
	start, took := sinceEpoch{s.Start}, nanoseconds{s.End - s.Start}
	m := metadata{Version: metadataVersion, Storage: "mcap", Duration: took, Start: start,
		Messages: s.Messages, Topics: []topicCount{},
		Paths: []string{fileName}, Files: []fileInformation{{fileName, start, took, s.Messages}},
		Custom: map[string]string{"recorder": r.config.Library}, Distro: distro}
	for topic, n := range r.Losses() {
		m.Custom["lost "+topic] = fmt.Sprint(n)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.channels {
		if c.known {
			t := topicMetadata{Name: c.topic.Name, Type: c.topic.Type, Format: "cdr",
				QoS: profiles(c.topic.QoS), Hash: c.topic.Hash}
			m.Topics = append(m.Topics, topicCount{t, s.Of[c.id]})
		}
	}
	slices.SortFunc(m.Topics, func(a,
		b topicCount) int {
		return strings.Compare(a.Topic.Name, b.Topic.Name)
	})
	return m
}
