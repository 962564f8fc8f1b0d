package main

import (
	"strings"
)

// Names: ROS spelling to Go spelling.

// initialism gives the Go spelling of words that Go writes in capitals.
func initialism(word string) (string, bool) {
	switch word {
	case "id", "uri", "url", "uuid", "gid", "ok":
		return strings.ToUpper(word), true
	case "ids", "uris", "gids":
		return strings.ToUpper(word[:len(word)-1]) + "s", true
	}
	return "", false
}

// camel writes words in camel case.
func camel(words []string) string {
	var b strings.Builder
	for _, w := range words {
		w = strings.ToLower(w)
		if s, ok := initialism(w); ok {
			b.WriteString(s)
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// fieldName: frame_id → FrameID. A field may not be called like a method of msgs.Message.
func fieldName(ros string) string {
	name := camel(strings.Split(ros, "_"))
	switch name {
	case "AppendCDR", "ReadCDR", "SetDefaults", "Validate", "TypeName", "DDSTypeName", "TypeHash":
		return name + "Value"
	}
	return name
}

// typeName: simulation_interfaces/srv/SpawnEntity_Request → SpawnEntityRequest.
func typeName(full string) string {
	return strings.ReplaceAll(full[strings.LastIndexByte(full, '/')+1:], "_", "")
}

// constantName joins a type and its constant; the words in which the one ends and the other begins are
// written once.
func constantName(typ, ros string) string {
	words := strings.Split(ros, "_")
	end := splitCamel(typ)
	for n := min(len(words)-1, len(end)); n > 0; n-- {
		if strings.EqualFold(strings.Join(words[:n], "_"), strings.Join(end[len(end)-n:], "_")) {
			words = words[n:]
			break
		}
	}
	return typ + camel(words)
}

// splitCamel: MultiDOFJointState → Multi, DOF, Joint, State; Object3DArray → Object3D, Array.
func splitCamel(s string) []string {
	var words []string
	start := 0
	for i := 1; i < len(s); i++ {
		ends := upper(s[i]) && (lower(s[i-1]) || i+1 < len(s) && lower(s[i+1]))
		if ends {
			words = append(words, s[start:i])
			start = i
		}
	}
	return append(words, s[start:])
}

// fileName: MultiDOFJointState → multi_dof_joint_state_msg.go. The kind at the end keeps names clear of _test
// and _linux.
func fileName(typ, kind string) string {
	return strings.ToLower(strings.Join(splitCamel(typ), "_")) + "_" + kind + ".go"
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func lower(c byte) bool { return 'a' <= c && c <= 'z' }
