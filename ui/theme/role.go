// Package theme gives the console its colours. All drawing names a Role, the meaning of a cell, and a Theme
// gives each role its look. No pane holds a color of its own, and a picture stays readable without any.
package theme

// Role is the meaning of a cell. Where several meet in one cell of the map, the greater wins.
type Role uint8

// Inks of text and frames.
const (
	Plain     Role = iota
	Dim            // units, what is off, what does not matter now
	Strong         // the value that an eye looks for
	Border         // frame of a pane
	Focus          // frame of the pane that keys go to
	Title          // name of a pane
	Label          // name of a value
	Key            // a key to press
	Match          // matches of a filter
	Accent         // names, places
	Good           // runs, is well
	Warn           // wants a look
	Bad            // is wrong
	Header         // the line at the top
	HeaderDim      // labels in it
	Footer         // the line at the bottom
	Input          // text that is being typed
	Caret          // where the next letter goes
	Chosen         // the selected row
	Picked         // the selected row of a pane that has not the keys
	Button         // button of a dialog for the mouse
	Placed         // a cell of a picture that the terminal puts there, see canvas.Area.Place
	Under          // a cell below a picture, see canvas.Area.Reserve
	Picture        // a cell with two colours of its own, see canvas.Area.Pixels
)

// Inks of the map, from the ground up.
const (
	Ground     Role = iota + 32 // the metre grid
	Place                       // a named pose
	Region                      // its bounds
	Trajectory                  // where a robot went
	Wall                        // static geometry
	Thing                       // an object that can move
	Return                      // where a lidar's ray ended
	Drawn                       // debug drawing: bounds, frames, joints
	Robot                       // a robot
	Selected                    // the selected entity
	Contact                     // where two things touch, and how hard
	Measure                     // a distance that is measured
	Cursor                      // the map's cursor
	inks
)
