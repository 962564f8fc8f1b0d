// Package viewers holds the page of ui/viewers in Chromium against the simulation that it shows. It has tests
// alone; make viewers-test runs them.
package viewers
