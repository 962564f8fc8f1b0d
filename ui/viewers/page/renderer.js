// Renderer draws worlds with WebGL2: instanced meshes, lamps, shadow maps, a sky.

import * as m4 from './math.js';
import * as shaders from './shaders.js';

const stride = 17; // floats of an instance: its matrix and the number of its entity
const shadowEdge = 2048;
const shadowReach = 60; // m around the camera in which shadows of the sun fall

const dark = [0, 0, 0]; // of a lamp that is off

export class Renderer {
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', {antialias: true, alpha: false, powerPreference: 'high-performance'});
    if (!gl) throw new Error('This browser has no WebGL2.');
    this.gl = gl;
    this.canvas = canvas;
    this.meshes = new Map();   // by hash
    this.textures = new Map();
    this.shadows = true;
    this.onload = () => {};
    this.surface = this.program(shaders.vertex, shaders.surface);
    this.depth = this.program(shaders.vertex, shaders.shadowFragment);
    this.pick = this.program(shaders.vertex, shaders.pickFragment);
    this.sky = this.program(shaders.skyVertex, shaders.skyFragment);
    this.maps = Array.from({length: shaders.mostShadows}, () => this.shadowMap());
    this.white = this.texture1();
    this.empty = gl.createVertexArray();
  }

  program(vertex, fragment) {
    const gl = this.gl, p = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const s = gl.createShader(kind);
      gl.shaderSource(s, text);
      gl.compileShader(s);
      if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
      gl.attachShader(p, s);
    }
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(p, i).name.replace('[0]', '');
      at[name] = gl.getUniformLocation(p, name);
    }
    return {p, at};
  }

  shadowMap() {
    const gl = this.gl, texture = gl.createTexture(), frame = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, shadowEdge, shadowEdge);
    for (const [k, v] of [[gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, k, v);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return {texture, frame};
  }

  texture1() {
    const gl = this.gl, t = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, t);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    return t;
  }

  // mesh is a mesh by its hash; null until it is loaded.
  mesh(hash) {
    const known = this.meshes.get(hash);
    if (known !== undefined) return known;
    this.meshes.set(hash, null);
    load('mesh/' + hash).then(r => r.arrayBuffer()).then(data => {
      this.meshes.set(hash, this.upload(data));
      this.onload();
    }).catch(() => this.meshes.delete(hash));
    return null;
  }

  upload(data) {
    const gl = this.gl, [vertices, indices] = new Uint32Array(data, 0, 2);
    const points = gl.createBuffer(), faces = gl.createBuffer();
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, points);
    gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(data, 8, 24 * vertices), gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, faces);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(data, 8 + 24 * vertices, indices), gl.STATIC_DRAW);
    return {points, faces, indices};
  }

  texture(hash) {
    const known = this.textures.get(hash);
    if (known !== undefined) return known || this.white;
    this.textures.set(hash, null);
    load('texture/' + hash).then(r => r.blob())
      .then(b => createImageBitmap(b, {imageOrientation: 'flipY', premultiplyAlpha: 'none', colorSpaceConversion: 'none'}))
      .then(image => {
        const gl = this.gl, t = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, t);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        this.textures.set(hash, t);
        this.onload();
      }).catch(() => this.textures.delete(hash));
    return this.white;
  }

  // prepare makes the batches of a scene: the instances of each shape.
  prepare(scene) {
    const batches = scene.shapes.map(shape => ({shape, items: [], buffer: this.gl.createBuffer(), array: null, mesh: undefined}));
    const entityOf = new Float32Array(scene.poses).fill(-1);
    scene.entities.forEach((e, i) => entityOf.fill(i, e.first, e.first + e.count));
    for (const item of scene.items) batches[item.shape]?.items.push({...item, entity: entityOf[item.pose]});
    for (const b of batches) {
      b.array = new Float32Array(stride * b.items.length);
      b.items.forEach((item, i) => { b.array[stride * i + 16] = item.entity; });
    }
    return batches.filter(b => b.items.length);
  }

  release(batches) {
    for (const b of batches ?? []) {
      this.gl.deleteBuffer(b.buffer);
      if (b.vao) this.gl.deleteVertexArray(b.vao);
    }
  }

  // forget drops meshes and textures that no scene needs.
  forget(scenes) {
    const used = new Set();
    for (const s of scenes) {
      for (const shape of s.shapes) used.add(shape.mesh);
      for (const m of s.materials) if (m.texture) used.add(m.texture);
    }
    for (const [hash, m] of this.meshes) if (m && !used.has(hash)) {
      this.gl.deleteBuffer(m.points); this.gl.deleteBuffer(m.faces);
      this.meshes.delete(hash);
    }
    for (const [hash, t] of this.textures) if (t && !used.has(hash)) {
      this.gl.deleteTexture(t);
      this.textures.delete(hash);
    }
  }

  // place moves all instances to poses.
  place(batches, poses) {
    const gl = this.gl;
    for (const b of batches) {
      b.items.forEach((item, i) => m4.within(poses, 7 * item.pose, item.at, 0, b.array, stride * i));
      gl.bindBuffer(gl.ARRAY_BUFFER, b.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, b.array, gl.DYNAMIC_DRAW);
    }
  }

  // bind is the mesh of a batch with its instances; null: it is not loaded.
  bind(b) {
    const mesh = this.mesh(b.shape.mesh), gl = this.gl;
    if (!mesh) return null;
    if (b.mesh === mesh) {
      gl.bindVertexArray(b.vao);
      return mesh;
    }
    b.mesh = mesh;
    b.vao ??= gl.createVertexArray();
    gl.bindVertexArray(b.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.points);
    [[0, 3, gl.FLOAT, false, 0], [1, 3, gl.BYTE, true, 12], [2, 2, gl.FLOAT, false, 16]].forEach(([at, n, kind, norm, from]) => {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, n, kind, norm, 24, from);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.faces);
    gl.bindBuffer(gl.ARRAY_BUFFER, b.buffer);
    for (let i = 0; i < 5; i++) {
      gl.enableVertexAttribArray(3 + i);
      gl.vertexAttribPointer(3 + i, i < 4 ? 4 : 1, gl.FLOAT, false, 4 * stride, 16 * i);
      gl.vertexAttribDivisor(3 + i, 1);
    }
    return mesh;
  }

  // castShadows draws the maps of the lamps that cast shadows, around an eye.
  castShadows(world, eye) {
    const gl = this.gl, out = [];
    world.scene.light.lamps.slice(0, shaders.mostLamps).forEach((lamp, i) => {
      if (!this.shadows || !lamp.shadows || lamp.kind === 'point' || out.length === shaders.mostShadows) return;
      const frame = lamp.kind === 'spot' ? spotFrame(lamp) : sunFrame(world, lamp, eye);
      if (frame) out.push({lamp: i, ...frame});
    });
    gl.useProgram(this.depth.p);
    gl.enable(gl.DEPTH_TEST); gl.depthMask(true); gl.disable(gl.BLEND); gl.disable(gl.CULL_FACE);
    out.forEach((s, k) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.maps[k].frame);
      gl.viewport(0, 0, shadowEdge, shadowEdge);
      gl.disable(gl.SCISSOR_TEST);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.uniformMatrix4fv(this.depth.at.view, false, s.view);
      for (const b of world.batches) {
        if (b.shape.noShadow || flat(b.shape) && b.shape.radius > 20) continue;
        const mesh = this.bind(b);
        if (mesh) gl.drawElementsInstanced(gl.TRIANGLES, mesh.indices, gl.UNSIGNED_INT, 0, b.items.length);
      }
    });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return out;
  }

  // draw draws a world into a rectangle of the target, with matrices of a view.
  draw(world, {target, rect, projection, view, eye, selected, shadows, clear = true}) {
    const gl = this.gl, light = world.scene.light;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target ?? null);
    gl.viewport(...rect);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(...rect);
    gl.enable(gl.DEPTH_TEST); gl.depthMask(true); gl.disable(gl.BLEND); gl.frontFace(gl.CCW);
    if (clear) {
      gl.clear(gl.DEPTH_BUFFER_BIT);
      this.drawSky(light, projection, view);
    }
    const {p, at} = this.surface;
    gl.useProgram(p);
    gl.uniformMatrix4fv(at.view, false, m4.multiply(projection, view));
    gl.uniform3fv(at.eye, eye);
    gl.uniform3fv(at.around, light.ambient);
    gl.uniform1f(at.selected, selected ?? -2);
    gl.uniform1i(at.image, 0); gl.uniform1i(at.depth0, 1); gl.uniform1i(at.depth1, 2);
    this.setLamps(light.lamps.slice(0, shaders.mostLamps), shadows);
    const later = [];
    for (const b of world.batches) {
      const mesh = this.bind(b);
      if (!mesh) continue;
      for (const run of b.shape.runs) {
        const material = world.scene.materials[run.material];
        if (material.translucent) later.push([b, run, material]);
        else this.drawRun(world, b, run, material);
      }
    }
    if (!later.length) return;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    for (const [b, run, material] of later) {
      this.bind(b);
      this.drawRun(world, b, run, material);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  drawRun(world, b, run, material) {
    const gl = this.gl, at = this.surface.at;
    const emissive = material.lamp ? world.glow[material.lamp - 1] ?? dark : material.emissive;
    gl.uniform3fv(at.diffuse, material.diffuse); gl.uniform3fv(at.ambient, material.ambient);
    gl.uniform3fv(at.specular, material.specular); gl.uniform3fv(at.emissive, emissive);
    gl.uniform1f(at.alpha, material.translucent ? material.alpha : 1); gl.uniform1f(at.exponent, material.exponent);
    gl.uniform1i(at.textured, material.texture ? 1 : 0);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, material.texture ? this.texture(material.texture) : this.white);
    if (material.doubleSided) gl.disable(gl.CULL_FACE); else gl.enable(gl.CULL_FACE);
    gl.drawElementsInstanced(gl.TRIANGLES, run.count, gl.UNSIGNED_INT, 4 * run.first, b.items.length);
  }

  setLamps(lamps, shadows) {
    const gl = this.gl, at = this.surface.at, n = shaders.mostLamps;
    const kind = new Int32Array(n), shadow = new Int32Array(n).fill(-1), place = new Float32Array(3 * n), toward = new Float32Array(3 * n),
      color = new Float32Array(3 * n), shine = new Float32Array(3 * n), fade = new Float32Array(3 * n), cone = new Float32Array(4 * n);
    lamps.forEach((l, i) => {
      kind[i] = {point: 1, spot: 2}[l.kind] ?? 0;
      place.set(l.position, 3 * i); toward.set(l.direction.map(x => -x), 3 * i);
      color.set(l.diffuse, 3 * i); shine.set(l.specular, 3 * i); fade.set(l.fade, 3 * i);
      cone.set([l.range, l.inner, l.outer, l.falloff], 4 * i);
    });
    shadows.forEach((s, k) => { shadow[s.lamp] = k; });
    gl.uniform1i(at.lamps, lamps.length);
    gl.uniform1iv(at.kind, kind); gl.uniform1iv(at.shadow, shadow);
    gl.uniform3fv(at.lampAt, place); gl.uniform3fv(at.toward, toward); gl.uniform3fv(at.color, color); gl.uniform3fv(at.shine, shine);
    gl.uniform3fv(at.fade, fade); gl.uniform4fv(at.cone, cone);
    const views = new Float32Array(16 * shaders.mostShadows), texels = new Float32Array(shaders.mostShadows);
    shadows.forEach((s, k) => { views.set(s.view, 16 * k); texels[k] = s.texel; });
    gl.uniformMatrix4fv(at.shadowView, false, views);
    gl.uniform1fv(at.texel, texels);
    for (let k = 0; k < shaders.mostShadows; k++) {
      gl.activeTexture(gl.TEXTURE1 + k);
      gl.bindTexture(gl.TEXTURE_2D, this.maps[k].texture);
    }
  }

  drawSky(light, projection, view) {
    const gl = this.gl, {p, at} = this.sky, turn = new Float32Array(view);
    turn[12] = turn[13] = turn[14] = 0;
    gl.useProgram(p);
    gl.uniformMatrix4fv(at.back, false, backOf(projection, turn));
    gl.uniform3fv(at.background, light.background);
    gl.uniform1i(at.sky, light.sky ? 1 : 0);
    gl.disable(gl.DEPTH_TEST); gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
  }

  // entityAt is the number of the entity at a pixel of a view; -1: none.
  entityAt(world, {rect, projection, view}, x, y) {
    const gl = this.gl, frame = gl.createFramebuffer(), color = gl.createRenderbuffer(), depth = gl.createRenderbuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    for (const [buffer, kind, at] of [[color, gl.RGBA8, gl.COLOR_ATTACHMENT0], [depth, gl.DEPTH_COMPONENT16, gl.DEPTH_ATTACHMENT]]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, kind, 1, 1);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, at, gl.RENDERBUFFER, buffer);
    }
    gl.disable(gl.SCISSOR_TEST); gl.disable(gl.BLEND); gl.disable(gl.CULL_FACE); gl.enable(gl.DEPTH_TEST);
    gl.viewport(rect[0] - x, rect[1] - y, rect[2], rect[3]);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.pick.p);
    gl.uniformMatrix4fv(this.pick.at.view, false, m4.multiply(projection, view));
    for (const b of world.batches) {
      const mesh = this.bind(b);
      if (mesh) gl.drawElementsInstanced(gl.TRIANGLES, mesh.indices, gl.UNSIGNED_INT, 0, b.items.length);
    }
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(frame); gl.deleteRenderbuffer(color); gl.deleteRenderbuffer(depth);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
  }
}

async function load(path) {
  const r = await fetch(path);
  if (!r.ok) throw new Error(path + ': ' + r.status);
  return r;
}

const flat = shape => shape.runs.reduce((n, r) => n + r.count, 0) <= 6;

// backOf is the inverse of a projection and a rotation, for directions.
function backOf(projection, turn) {
  const p = projection, m = new Float32Array(16);
  // x and y at depth 1 of a pinhole, which may be off its middle as those of headsets are
  m[0] = 1 / p[0]; m[5] = 1 / p[5]; m[12] = p[8] / p[0]; m[13] = p[9] / p[5]; m[14] = -1; m[15] = 1;
  const back = m4.inverseRigid(turn);
  return m4.multiply(back, m);
}

// sunFrame fits the map of a sun around what stands near the eye; null when nothing does.
function sunFrame(world, lamp, eye) {
  const view = m4.lookAt([0, 0, 0], lamp.direction), low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
  for (const b of world.batches) {
    const r = b.shape.radius;
    if (r > shadowReach || flat(b.shape)) continue;
    for (let i = 0; i < b.items.length; i++) {
      const at = m4.apply(b.array.subarray(stride * i, stride * i + 16), b.shape.center);
      if (Math.hypot(at[0] - eye[0], at[1] - eye[1], at[2] - eye[2]) > shadowReach + r) continue;
      const p = m4.apply(view, at);
      for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], p[k] - r); high[k] = Math.max(high[k], p[k] + r); }
    }
  }
  if (low[0] > high[0]) return null;
  const edge = Math.min(Math.max(high[0] - low[0], high[1] - low[1], 1) * 1.02, 2 * shadowReach), texel = edge / shadowEdge;
  const snap = x => Math.round(x / texel) * texel; // shadows stand still while the camera moves
  const move = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -snap((low[0] + high[0]) / 2), -snap((low[1] + high[1]) / 2), 0, 1]);
  return {view: m4.multiply(m4.multiply(m4.orthographic(edge / 2, -high[2] - 1, -low[2] + 100), move), view), texel};
}

function spotFrame(lamp) {
  const half = Math.min(1.4, Math.acos(Math.max(-1, lamp.outer)));
  const view = m4.lookAt(lamp.position, m4.add(lamp.position, lamp.direction));
  return {view: m4.multiply(m4.perspective(2 * half, 1, 0.05, lamp.range || 200), view), texel: 0.01};
}
