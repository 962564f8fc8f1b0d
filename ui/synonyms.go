package ui

import (
	"slices"
	"strings"
)

// meaning is the ids of the actions that have a word among their synonyms, sorted.
func meaning(word string) (ids []string) {
	for id, words := range synonyms() {
		if slices.Contains(strings.Fields(words), strings.ToLower(word)) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// synonyms are more words by which the palette and the help find an action: those of other programs.
func synonyms() map[string]string {
	return map[string]string{
		"sim.toggle":    "toggle run continue resume start halt",
		"sim.step":      "advance tick",
		"sim.steps":     "advance ticks",
		"sim.rewind":    "back earlier history seek",
		"sim.forward":   "redo later seek",
		"sim.mark_prev": "event collision back",
		"sim.mark_next": "event collision redo",
		"sim.oldest":    "beginning first back",
		"sim.newest":    "redo last live",
		"sim.stop":      "end halt",
		"sim.reset":     "restart",
		"sim.keyframe":  "initial state restart key",
		"sim.record":    "recording bag mcap rosbag",
		"sim.load":      "open world map level scene",
		"sim.faster":    "speed rtf speed-up",
		"sim.slower":    "speed rtf slow-motion",
		"entity.spawn":  "add insert create",
		"entity.delete": "kill remove",
		"entity.undo":   "back revert restore",
		"entity.move":   "teleport place pose set position",
		"entity.goto":   "teleport move pose go",
		"entity.drive":  "teleop cmd_vel steer",
		"entity.follow": "track chase",
		"view.layout":   "arrange window panes save perspective",
		"app.tour":      "tutorial introduction first learn demo",
		"camera.sight":  "chase follow behind fpv third-person top-down bird",
		"entity.copy":   "clipboard yank",
		"view.camera":   "3D viewport",
		"view.zoom":     "fullscreen maximise maximize",
		"view.mouse":    "toggle capture",
		"view.theme":    "colour color colours colors dark light",
		"view.save":     "photo picture image capture",
		"app.help":      "keys shortcuts bindings",
		"app.palette":   "commands actions find search",
		"app.back":      "back escape cancel undo",
		"app.quit":      "exit leave close",
		"map.trails":    "toggle path history",
		"map.lidar":     "toggle scan laser",
		"map.physics":   "toggle contacts debug",
	}
}
