package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simdeck/sim/scene"
	"simdeck/ui/escape"
)

// listCommands are the commands that look into the library.
func (s *session) listCommands() []*cobra.Command {
	all := []*cobra.Command{
		s.listing("worlds", "List the worlds that can be opened", cobra.NoArgs, worlds),
		s.listing("spawnables", "List the models that can be spawned", cobra.NoArgs, spawnables),
		s.listing("poses [WORLD]", "List the named poses of a world", cobra.MaximumNArgs(1), poses),
	}
	return append(all, s.checkCommand())
}

// row is a line of a listing, and an object of its JSON.
type row struct {
	Name        string      `json:"name"`
	URI         string      `json:"uri,omitempty"`
	Category    string      `json:"category,omitempty"`
	Description string      `json:"description,omitempty"`
	Tags        []string    `json:"tags,omitempty"`
	Position    *[3]float64 `json:"position,omitempty"`    // m
	Orientation *[4]float64 `json:"orientation,omitempty"` // x y z w
}

func (s *session) listing(use, short string, args cobra.PositionalArgs,
	read func(scene.Library, scene.Resource) ([]row, []string, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, _, err := s.options(cmd.Flags(), first(args))
			if err != nil {
				return err
			}
			lib, world, err := s.Library(o)
			if err != nil {
				return err
			}
			searched := wait(cmd, "Listing "+cmd.Name())
			rows, failed, err := read(lib, world)
			searched()
			if err != nil {
				return err
			}
			for _, f := range failed {
				warn(cmd, f)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), rows)
			}
			return printRows(cmd.OutOrStdout(), rows)
		}}
	declare(cmd.Flags(), lookup)
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func worlds(lib scene.Library, _ scene.Resource) ([]row, []string, error) {
	list, failed := lib.Worlds(nil)
	rows := []row{}
	for _, w := range list {
		rows = append(rows, row{Name: w.Name, URI: w.URI, Description: w.Description, Tags: w.Tags})
	}
	return rows, failed, nil
}

func spawnables(lib scene.Library, _ scene.Resource) ([]row, []string, error) {
	list, failed := lib.Spawnables(nil)
	rows := []row{}
	for _, m := range list {
		rows = append(rows, row{Name: m.Name, URI: m.URI, Category: m.Info.Category.String(),
			Description: m.Info.Description, Tags: m.Info.Tags})
	}
	return rows, failed, nil
}

func poses(lib scene.Library, r scene.Resource) ([]row, []string, error) {
	w, err := lib.World(r)
	if err != nil {
		return nil, nil, err
	}
	rows := []row{}
	for _, n := range w.NamedPoses {
		p, q := n.Pose.Pos, n.Pose.Rot
		rows = append(rows, row{
			Name: n.Name, Description: n.Description, Tags: n.Tags,
			Position: &[3]float64{p.X, p.Y, p.Z}, Orientation: &[4]float64{q.X, q.Y, q.Z, q.W},
		})
	}
	return rows, nil, nil
}

func printJSON(out io.Writer, rows []row) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(rows)
}

func printRows(out io.Writer, rows []row) error {
	name, place := 0, 0 // columns
	for _, r := range rows {
		name, place = max(name, utf8.RuneCountInString(r.Name)), max(place, utf8.RuneCountInString(r.where()))
	}
	for _, r := range rows {
		words := r.Tags
		if !slices.Contains(words, r.Category) {
			words = append([]string{r.Category}, words...)
		}
		more := strings.TrimSpace(strings.Join(words, " ") + "  " + r.Description)
		line := padded(r.Name, name) + "  " + padded(r.where(), place) + "  " + more
		if _, err := escape.Fprintln(out, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// where is the address or the place of a row.
func (r *row) where() string {
	if r.Position != nil {
		return fmt.Sprintf("%.3f %.3f %.3f", r.Position[0], r.Position[1], r.Position[2])
	}
	return r.URI
}

// padded is a text with blanks up to a width.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// withJSON declares the flag that makes a command print its result as JSON.
func withJSON(flags *pflag.FlagSet) *bool { return flags.Bool("json", false, "as JSON") }

// encode writes a value as indented JSON.
func encode(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
