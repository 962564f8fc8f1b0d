// Package viewers shows worlds to browsers: a page of its own, and the scenes and motion of worlds over
// WebSocket. A world is encoded once for all who watch it; each viewer has a bounded queue, so that a slow
// one slows nobody. Viewers look and change nothing.
//
// Meshes and textures are served by the hash of their content, from the scenes that are shown: no request
// names a file.
package viewers
