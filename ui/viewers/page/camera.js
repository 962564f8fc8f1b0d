// Camera orbits a point of a world, which may follow an entity.

import * as m4 from './math.js';

const fovy = 50 * Math.PI / 180;

export class Camera {
  constructor() {
    this.target = [0, 0, 0];
    this.distance = 10;
    this.yaw = -2.2;
    this.pitch = 0.45;
    this.follows = null; // name of an entity
    this.fixed = null;   // matrix and field of view that take the place of orbiting, for pictures
  }

  // fit views spheres {at, radius}.
  fit(spheres) {
    const low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
    for (const s of spheres) for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], s.at[k] - s.radius);
      high[k] = Math.max(high[k], s.at[k] + s.radius);
    }
    if (low[0] > high[0]) { low.fill(-3); high.fill(3); }
    this.target = low.map((x, k) => (x + high[k]) / 2);
    this.distance = Math.min(300, Math.max(0.3, 0.6 * Math.hypot(...low.map((x, k) => high[k] - x))));
  }

  get eye() {
    if (this.fixed) return [this.fixed[12], this.fixed[13], this.fixed[14]];
    const c = Math.cos(this.pitch);
    return m4.add(this.target, [c * Math.cos(this.yaw), c * Math.sin(this.yaw), Math.sin(this.pitch)], this.distance);
  }

  view() { return this.fixed ? m4.inverseRigid(this.fixed) : m4.lookAt(this.eye, this.target); }

  projection(aspect) {
    const far = Math.max(2500, 20 * this.distance), near = Math.max(0.01, Math.min(0.1, this.distance / 100));
    return m4.perspective(this.fovy ?? fovy, aspect, near, far);
  }

  orbit(dx, dy) {
    this.yaw -= 0.006 * dx;
    this.pitch = Math.max(-1.5, Math.min(1.55, this.pitch + 0.006 * dy));
  }

  // pan moves the target with the picture, whose height is in the same unit.
  pan(dx, dy, height) {
    const by = 2 * this.distance * Math.tan(fovy / 2) / height, v = this.view();
    this.target = m4.add(m4.add(this.target, [v[0], v[4], v[8]], -dx * by), [v[1], v[5], v[9]], dy * by);
    this.follows = null;
  }

  zoom(by) { this.distance = Math.max(0.05, Math.min(2000, this.distance * by)); }
}
