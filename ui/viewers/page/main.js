// The page: worlds of the server side by side, each with a camera that orbits.

import {Link} from './link.js';
import {Renderer} from './renderer.js';
import {World, states} from './world.js';
import {worldOf} from './stream.js';
import {offerVR} from './xr.js';

const $ = id => document.getElementById(id);
const mostShown = 4, mostListed = 300;

class App {
  constructor() {
    this.worlds = new Map(); // by number
    this.chosen = null;      // numbers of the worlds that are shown; null: the first ones
    this.active = null;      // world that keys and the list of entities are for
    this.dirty = true;
    this.vr = null;        // where the wearer of a headset stands
    this.renderer = new Renderer($('canvas'));
    this.renderer.onload = () => { this.dirty = true; };
    this.link = new Link({
      status: on => this.status(on),
      worlds: list => this.setWorlds(list),
      scene: s => this.setScene(s),
      lamps: l => { this.dirty = this.worlds.get(l.world)?.setLamps(l) || this.dirty; },
      frame: f => this.frame(f),
    });
    new ResizeObserver(() => { this.dirty = true; }).observe($('canvas'));
    const loop = now => { requestAnimationFrame(loop); if (!this.vr) this.tick(now); };
    requestAnimationFrame(loop);
    setInterval(() => this.tellRate(), 1000);
    offerVR($('xr'), this);
    this.input();
  }

  status(on) {
    $('link').textContent = on ? 'connected' : 'connection lost, reconnecting';
    $('link').className = on ? '' : 'lost';
    if (!on) this.setWorlds([]);
  }

  setWorlds(list) {
    const there = new Set(list.map(w => w.id));
    for (const [id, w] of this.worlds) if (!there.has(id)) {
      this.renderer.release(w.batches);
      this.worlds.delete(id);
      if (this.active === w) this.active = null;
    }
    for (const {id, name} of list) if (!this.worlds.has(id)) this.worlds.set(id, new World(id, name, this.renderer));
    this.choose();
    this.notice(list.length || $('link').className ? '' : 'No simulation is running.');
  }

  // shown are the worlds side by side.
  shown() {
    const all = [...this.worlds.values()];
    return this.chosen ? all.filter(w => this.chosen.has(w.id)) : all.slice(0, mostShown);
  }

  choose() {
    if (this.chosen && ![...this.chosen].some(id => this.worlds.has(id))) this.chosen = null;
    const shown = this.shown();
    this.link.watch(shown.map(w => w.id));
    if (!shown.includes(this.active)) this.active = shown[0] ?? null;
    $('worlds').replaceChildren(...[...this.worlds.values()].map(w => {
      const b = document.createElement('button');
      b.textContent = w.name || 'world ' + w.id;
      b.setAttribute('aria-pressed', shown.includes(w));
      b.title = 'show this world; with Ctrl beside the others';
      b.onclick = e => {
        const now = new Set(shown.map(w => w.id));
        if (!e.ctrlKey && !e.metaKey && !e.shiftKey) this.chosen = new Set([w.id]);
        else { now.has(w.id) ? now.delete(w.id) : now.add(w.id); this.chosen = now; }
        this.choose();
      };
      return b;
    }));
    this.list();
    this.dirty = true;
  }

  setScene(scene) {
    const w = this.worlds.get(scene.world);
    if (!w) return;
    w.setScene(scene);
    this.renderer.forget([...this.worlds.values()].map(w => w.scene).filter(s => s));
    if (w === this.active) this.list();
    this.dirty = true;
  }

  frame(bytes) {
    const w = this.worlds.get(worldOf(bytes));
    if (w && !w.frame(bytes, performance.now())) this.link.watch(this.link.wanted, true);
  }

  notice(text) {
    $('notice').textContent = text;
    $('notice').hidden = !text;
  }

  tellRate() {
    const rate = this.link.bytes / 1000;
    this.link.bytes = 0;
    $('rate').textContent = rate >= 0.1 ? rate.toFixed(rate < 10 ? 1 : 0) + ' kB/s' : '';
    this.label();
  }

  tick(now) {
    let changed = this.dirty;
    for (const w of this.shown()) changed = w.advance(now) || changed;
    if (changed) this.draw();
  }

  // rectangles are those of the worlds in the canvas, in pixels from the lower left.
  rectangles(n) {
    const {width, height} = $('canvas');
    // pictures of about 4:3, and few empty places
    const cost = c => { const r = Math.ceil(n / c); return Math.abs(Math.log(width / c / (height / r) / 1.33)) + 2 * (c * r / n - 1); };
    let c = 1;
    for (let k = 2; k <= n; k++) if (cost(k) < cost(c)) c = k;
    const r = Math.ceil(n / c);
    return Array.from({length: n}, (_, i) => {
      const x = i % c, y = Math.floor(i / c), left = Math.floor(x * width / c), top = Math.floor(y * height / r);
      const right = Math.floor((x + 1) * width / c), below = Math.floor((y + 1) * height / r);
      return [left, height - below, right - left - (x + 1 < c ? 2 : 0), below - top - (y + 1 < r ? 2 : 0)];
    });
  }

  draw() {
    this.dirty = false;
    const canvas = $('canvas'), scale = Math.min(2, devicePixelRatio || 1), gl = this.renderer.gl;
    const width = Math.max(1, Math.round(canvas.clientWidth * scale)), height = Math.max(1, Math.round(canvas.clientHeight * scale));
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0.08, 0.09, 0.11, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const shown = this.shown();
    this.views = [];
    this.rectangles(shown.length).forEach((rect, i) => {
      const w = shown[i];
      if (!w.scene || !w.poses) return;
      const v = {world: w, rect, projection: w.camera.projection(rect[2] / rect[3]), view: w.camera.view(), eye: w.camera.eye};
      this.views.push(v);
      this.renderer.draw(w, {...v, selected: w.selectedIndex, shadows: this.renderer.castShadows(w, v.eye)});
    });
    this.label();
  }

  label() {
    const canvas = $('canvas'), scale = canvas.width / (canvas.clientWidth || 1), views = this.views ?? [], box = $('labels');
    while (box.children.length > views.length) box.lastChild.remove();
    views.forEach((v, i) => {
      const w = v.world;
      let d = box.children[i];
      if (!d) {
        d = document.createElement('div');
        d.className = 'world';
        d.append(document.createElement('b'), document.createElement('span'));
        box.append(d);
      }
      d.style.left = v.rect[0] / scale + 'px';
      d.style.top = (canvas.height - v.rect[1] - v.rect[3]) / scale + 'px';
      d.firstChild.textContent = w.scene.name;
      d.lastChild.textContent = `${states[w.state] ?? ''} ${w.time.toFixed(1)} s · ${w.scene.entities.length} entities` +
        (w.camera.follows !== null ? ' · following ' + w.camera.follows : '');
    });
  }

  // list lists the entities of the active world that match the filter.
  list() {
    const w = this.active, filter = $('filter').value.toLowerCase(), rows = [];
    let more = 0;
    for (const e of w?.scene?.entities ?? []) {
      if (filter && !e.name.toLowerCase().includes(filter)) continue;
      if (rows.length === mostListed) { more++; continue; }
      const row = document.createElement('li'), name = document.createElement('span'), kind = document.createElement('small');
      name.textContent = e.name;
      kind.textContent = e.static ? 'static' : e.category === 'object' ? '' : e.category.replaceAll('_', ' ');
      row.append(name, kind);
      row.classList.toggle('selected', e.name === w.selected);
      row.onclick = () => this.select(w, e.name);
      row.ondblclick = () => this.follow(w, e.name);
      rows.push(row);
    }
    if (more) {
      const row = document.createElement('li');
      row.className = 'more';
      row.textContent = `${more} more`;
      rows.push(row);
    }
    $('entities').replaceChildren(...rows);
  }

  select(w, name) {
    w.selected = name;
    this.active = w;
    this.list();
    this.dirty = true;
  }

  follow(w, name) {
    this.select(w, name);
    w.camera.follows = name;
    const i = w.indices.get(name), spheres = i === undefined ? [] : w.spheres(i);
    if (spheres.length) {
      const at = w.positionOf(name), {yaw, pitch} = w.camera;
      w.camera.fit(spheres);
      w.camera.distance = Math.max(1.2, 2 * w.camera.distance);
      if (at) w.camera.target = at;
      Object.assign(w.camera, {yaw, pitch});
    }
    w.moving = true;
    this.dirty = true;
  }

  // viewAt is the view at a place of the page.
  viewAt(e) {
    const canvas = $('canvas'), box = canvas.getBoundingClientRect(), scale = canvas.width / (box.width || 1);
    const x = Math.floor((e.clientX - box.left) * scale), y = canvas.height - 1 - Math.floor((e.clientY - box.top) * scale);
    const view = (this.views ?? []).find(({rect: r}) => x >= r[0] && y >= r[1] && x < r[0] + r[2] && y < r[1] + r[3]);
    return {view, x, y, scale};
  }

  pick(e) {
    const {view, x, y} = this.viewAt(e);
    if (!view) return null;
    const i = this.renderer.entityAt(view.world, view, x, y);
    this.dirty = true;
    return {world: view.world, name: view.world.scene.entities[i]?.name ?? null};
  }

  input() {
    const canvas = $('canvas'), pointers = new Map();
    let dragged = null, moved = 0, spread = 0;
    canvas.oncontextmenu = e => e.preventDefault();
    canvas.onpointerdown = e => {
      canvas.focus();
      canvas.setPointerCapture(e.pointerId);
      pointers.set(e.pointerId, e);
      dragged = this.viewAt(e).view?.world ?? null;
      if (dragged && dragged !== this.active) { this.active = dragged; this.list(); }
      moved = spread = 0;
    };
    canvas.onpointermove = e => {
      const before = pointers.get(e.pointerId);
      if (!before || !dragged) return;
      const dx = (e.clientX - before.clientX) / pointers.size, dy = (e.clientY - before.clientY) / pointers.size, camera = dragged.camera;
      pointers.set(e.pointerId, e);
      moved += Math.abs(dx) + Math.abs(dy);
      if (pointers.size === 2) {
        const [a, b] = [...pointers.values()], now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        if (spread) camera.zoom(spread / now);
        spread = now;
      }
      if (e.buttons & 2 || e.shiftKey || pointers.size === 2) camera.pan(dx, dy, canvas.clientHeight);
      else camera.orbit(dx, dy);
      this.dirty = true;
    };
    canvas.onpointerup = canvas.onpointercancel = e => {
      pointers.delete(e.pointerId);
      spread = 0;
      if (e.type === 'pointerup' && moved < 4 && e.button === 0) {
        const hit = this.pick(e);
        if (hit) this.select(hit.world, hit.name);
      }
    };
    canvas.ondblclick = e => {
      const hit = this.pick(e);
      if (hit?.name) this.follow(hit.world, hit.name);
    };
    canvas.addEventListener('wheel', e => {
      e.preventDefault();
      this.viewAt(e).view?.world.camera.zoom(Math.exp(Math.max(-200, Math.min(200, e.deltaY)) * 0.0015));
      this.dirty = true;
    }, {passive: false});
    $('filter').oninput = () => this.list();
    $('help').onclick = () => this.help();
    document.addEventListener('keydown', e => this.key(e));
  }

  help() {
    $('keys').hidden = !$('keys').hidden;
    $('help').setAttribute('aria-expanded', String(!$('keys').hidden));
  }

  key(e) {
    if (e.key === 'Escape') {
      $('filter').value = '';
      if (this.active) { this.active.camera.follows = null; this.select(this.active, null); }
      $('canvas').focus();
      return;
    }
    if (e.target === $('filter') || e.ctrlKey || e.altKey || e.metaKey) return;
    const w = this.active, does = {
      '?': () => this.help(),
      f: () => { if (w?.camera.follows != null) w.camera.follows = null; else if (w?.selected != null) this.follow(w, w.selected); },
      Home: () => w?.view(), 0: () => w?.view(),
      t: () => { if (w) { w.camera.pitch = 1.55; w.camera.yaw = -Math.PI / 2; } },
      s: () => { this.renderer.shadows = !this.renderer.shadows; },
      e: () => $('panel').classList.toggle('off'),
    }[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!does) return;
    does();
    this.dirty = true;
  }
}

try {
  window.simdeck = new App(); // for the browser's console, and tests
} catch (e) {
  $('notice').textContent = e.message;
  $('notice').hidden = false;
}
