// World is a simulation on this page: its scene, and its poses now.

import {Camera} from './camera.js';
import {Decoder, FrameError} from './stream.js';
import * as m4 from './math.js';

export const states = ['stopped', 'playing', 'paused', 'quitting', 'no world', 'loading'];

export class World {
  constructor(id, name, renderer) {
    this.id = id;
    this.name = name;
    this.renderer = renderer;
    this.camera = new Camera();
    this.decoder = new Decoder();
    this.scene = null;
    this.batches = [];
    this.time = 0;
    this.state = 0;
    this.selected = null; // name of an entity
    this.seen = false;    // the camera has been pointed at it
    this.moving = false;
    this.frames = 0;
  }

  setScene(scene) {
    this.renderer.release(this.batches);
    this.scene = scene;
    this.glow = []; // lights of lamps, which follow a scene
    this.batches = this.renderer.prepare(scene);
    this.poses = this.from = this.to = null;
    this.indices = new Map(scene.entities.map((e, i) => [e.name, i]));
  }

  // setLamps takes the lights of what glows in its scene; false: they are of another.
  setLamps({revision, glow}) {
    if (revision !== this.scene?.revision) return false;
    this.glow = glow;
    return true;
  }

  // frame takes motion. False: the world must begin anew.
  frame(bytes, now) {
    let h;
    try {
      h = this.decoder.decode(bytes);
    } catch (e) {
      if (e instanceof FrameError) return false;
      throw e;
    }
    if (!this.scene || h.scene !== this.scene.revision || this.decoder.count !== this.scene.poses) return true;
    this.time = h.time;
    this.state = h.state;
    this.frames++;
    const to = this.decoder.read(new Float32Array(7 * this.decoder.count));
    if (!this.poses || h.keyframe && this.to === null) {
      this.poses = to.slice();
      this.from = to;
    } else {
      this.from = this.poses.slice();
    }
    this.to = to;
    this.span = Math.max(30, Math.min(150, now - (this.came ?? now - 50)));
    this.came = now;
    this.moving = true;
    return true;
  }

  // advance moves the shown poses toward the newest; true: the picture changes.
  advance(now) {
    if (!this.to || !this.moving) return false;
    const t = Math.min(1, (now - this.came) / this.span), a = this.from, b = this.to, p = this.poses;
    for (let k = 0; k < p.length; k += 7) {
      for (let j = 0; j < 3; j++) p[k + j] = a[k + j] + t * (b[k + j] - a[k + j]);
      const same = a[k + 3] * b[k + 3] + a[k + 4] * b[k + 4] + a[k + 5] * b[k + 5] + a[k + 6] * b[k + 6], s = same < 0 ? -1 : 1;
      let n = 0;
      for (let j = 3; j < 7; j++) { p[k + j] = (1 - t) * s * a[k + j] + t * b[k + j]; n += p[k + j] * p[k + j]; }
      n = Math.sqrt(n) || 1;
      for (let j = 3; j < 7; j++) p[k + j] /= n;
    }
    this.moving = t < 1;
    this.renderer.place(this.batches, p);
    if (!this.seen) this.view();
    if (this.camera.follows !== null) {
      const at = this.positionOf(this.camera.follows);
      if (at) this.camera.target = m4.add(this.camera.target, m4.sub(at, this.camera.target), 0.35);
    }
    return true;
  }

  // spheres are those around the items of an entity, or of all that are not vast.
  spheres(entity = null) {
    const out = [];
    for (const b of this.batches) b.items.forEach((item, i) => {
      if (entity === null ? b.shape.radius > 30 : item.entity !== entity) return;
      const at = m4.apply(b.array.subarray(17 * i, 17 * i + 16), b.shape.center);
      if (b.shape.radius > 0) out.push({at, radius: b.shape.radius});
    });
    return out;
  }

  // view points the camera at the whole world.
  view() {
    this.seen = true;
    const all = this.spheres();
    // what has flown away is not viewed
    const middle = k => { const v = all.map(s => s.at[k]).sort((a, b) => a - b); return v[v.length >> 1] ?? 0; };
    const c = [middle(0), middle(1), middle(2)];
    this.camera.fit(all.filter(s => Math.hypot(...m4.sub(s.at, c)) < 100));
  }

  positionOf(name) {
    const i = this.indices?.get(name);
    if (i === undefined || !this.poses) return null;
    const e = this.scene.entities[i];
    return e.count ? [...this.poses.subarray(7 * e.first, 7 * e.first + 3)] : null;
  }

  get selectedIndex() { return this.indices?.get(this.selected) ?? -2; }
}
