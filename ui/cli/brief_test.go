package cli

import (
	"errors"
	"strings"
	"testing"
)

func TestANumberWithoutEndIsCutWhereAnErrorIsPrinted(t *testing.T) {
	long := "1" + strings.Repeat("0", 308)
	_, err := spawning([]string{"model://box", "crate", "1", long + "0"})
	if err == nil || errors.Is(err, ErrUsage) {
		t.Fatalf("a pose without end: %v", err)
	}
	if line := oneLine(err); !strings.Contains(line, "(310 digits)") || len(line) > 200 {
		t.Errorf("it is printed as %q", line)
	}
}
