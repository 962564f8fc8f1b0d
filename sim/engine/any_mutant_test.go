package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// mutants is the number of random changes of the files; SIMDECK_MUTANTS sets another one.
const mutants = 200

// mutant is a file with some changes that mostly keep its grammar: other numbers or words, elements twice,
// elsewhere or missing.
func mutant(text string, random *rand.Rand) string {
	for range 1 + random.IntN(4) {
		switch random.IntN(6) {
		case 0, 1, 2:
			all := numberIn.FindAllStringIndex(text, -1)
			if len(all) == 0 {
				continue
			}
			at := all[random.IntN(len(all))]
			if c := text[at[0]]; c != '-' && (c < '0' || c > '9') {
				at[0]++
			}
			number := strconv.FormatFloat(math.Copysign(math.Pow(10, 24*random.Float64()-12),
				random.Float64()-0.2), 'g', 6, 64)
			if random.IntN(8) == 0 {
				number = strangeNumbers[random.IntN(len(strangeNumbers))]
			}
			text = text[:at[0]] + number + text[at[1]:]
		case 3:
			from, to := piece(text, random)
			text = text[:to] + text[from:to] + text[to:]
		case 4:
			from, to := piece(text, random)
			text = text[:from] + text[to:]
		case 5:
			words := strings.FieldsFunc(text,
				func(r rune) bool { return strings.ContainsRune(" <>=\"/\n{}[],:", r) })
			if len(words) > 1 {
				text = strings.Replace(text, words[random.IntN(len(words))], words[random.IntN(len(words))],
					1)
			}
		}
	}
	return text
}

// piece is an element of XML with what is in it, or a line.
func piece(text string, random *rand.Rand) (from, to int) {
	start := random.IntN(max(1, len(text)))
	from = strings.IndexByte(text[start:], '<') + start
	if from < start || from+1 >= len(text) {
		from = strings.LastIndexByte(text[:start], '\n') + 1
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			return from, len(text)
		}
		return from, start + end + 1
	}
	name := strings.FieldsFunc(text[from+1:], func(r rune) bool { return strings.ContainsRune(" />", r) })
	if len(name) > 0 {
		if end := strings.Index(text[from:], "</"+name[0]+">"); end > 0 {
			return from, from + end + len(name[0]) + 3
		}
	}
	if end := strings.IndexByte(text[from:], '>'); end > 0 {
		return from, from + end + 1
	}
	return from, len(text)
}

func TestFilesThatAreChangedAtRandomDoNotTakeTheSimulator(t *testing.T) {
	count := mutants
	if n, err := strconv.Atoi(os.Getenv("SIMDECK_MUTANTS")); err == nil {
		count = n
	}
	ran := 0
	for seed := range uint64(count) {
		random := rand.New(rand.NewPCG(seed, 7))
		kind := random.IntN(len(anyKinds))
		text := mutant(sampleText(t, kind), random)
		_, refused, broken := runAny(t, kind, text)
		if broken != nil {
			t.Errorf("seed %d, %s: %.500v\n%s", seed, anyKinds[kind].file, broken,
				changes(sampleText(t, kind), text))
		}
		if refused == nil {
			ran++
		}
	}
	if ran < count/5 {
		t.Errorf("only %d of %d worlds could be loaded at all", ran, count)
	}
}

// changes is the changed range of a text.
func changes(was, is string) string {
	begin := 0
	for begin < min(len(was), len(is)) && was[begin] == is[begin] {
		begin++
	}
	return fmt.Sprintf("… %.300s", is[max(0, begin-60):])
}
