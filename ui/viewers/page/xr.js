// A WebXR session shows all worlds around the viewer, at their size. Thumbsticks move and turn.

import * as m4 from './math.js';

// offerVR shows the button where the browser has a headset.
export async function offerVR(button, app) {
  if (!navigator.xr || !await navigator.xr.isSessionSupported('immersive-vr').catch(() => false)) return;
  button.hidden = false;
  let session = null;
  button.onclick = async () => {
    if (session) return session.end();
    try {
      session = await navigator.xr.requestSession('immersive-vr', {optionalFeatures: ['local-floor']});
      await begin(session, app);
      button.textContent = 'Leave VR';
      session.onend = () => { session = null; button.textContent = 'Enter VR'; app.vr = null; app.draw(); };
    } catch (e) {
      session?.end();
      session = null;
      app.notice('VR cannot start: ' + e.message);
    }
  };
}

async function begin(session, app) {
  const gl = app.renderer.gl;
  await gl.makeXRCompatible();
  const layer = new XRWebGLLayer(session, gl);
  session.updateRenderState({baseLayer: layer, depthNear: 0.05, depthFar: 2500});
  const space = await session.requestReferenceSpace('local-floor').catch(() => session.requestReferenceSpace('local'));
  const first = app.shown()[0], start = first ? first.camera.target : [0, 0, 0];
  const me = {at: [start[0] - 2, start[1], 0], yaw: 0};
  let before = performance.now();
  app.vr = me;
  const frame = (now, f) => {
    if (!app.vr) return;
    session.requestAnimationFrame(frame);
    walk(session, me, Math.min(0.1, (now - before) / 1000));
    before = now;
    const pose = f.getViewerPose(space);
    if (!pose) return;
    const worlds = app.shown().filter(w => w.scene && w.poses);
    for (const w of worlds) w.advance(performance.now());
    // XR has y up and looks along -z; worlds have z up and look along x
    const c = Math.cos(me.yaw), s = Math.sin(me.yaw);
    const origin = new Float32Array([s, -c, 0, 0, 0, 0, 1, 0, -c, -s, 0, 0, ...me.at, 1]);
    const head = m4.multiply(origin, pose.transform.matrix), shadows = worlds.map(w => app.renderer.castShadows(w, [head[12], head[13], head[14]]));
    for (const view of pose.views) {
      const v = layer.getViewport(view), at = m4.multiply(origin, view.transform.matrix);
      worlds.forEach((w, i) => app.renderer.draw(w, {target: layer.framebuffer, rect: [v.x, v.y, v.width, v.height], projection: view.projectionMatrix,
        view: m4.inverseRigid(at), eye: [at[12], at[13], at[14]], shadows: worlds.length === 1 ? shadows[i] : [], clear: i === 0}));
    }
  };
  session.requestAnimationFrame(frame);
}

function walk(session, me, dt) {
  for (const source of session.inputSources) {
    const axes = source.gamepad?.axes;
    if (!axes || axes.length < 2) continue;
    const x = axes[axes.length - 2], y = axes[axes.length - 1];
    if (source.handedness === 'right') {
      if (Math.abs(x) > 0.2) me.yaw -= 1.5 * dt * x;
      if (Math.abs(y) > 0.2) me.at[2] -= 1.5 * dt * y;
    } else if (Math.hypot(x, y) > 0.2) {
      const c = Math.cos(me.yaw), s = Math.sin(me.yaw);
      me.at[0] += 2.5 * dt * (-y * c + x * s);
      me.at[1] += 2.5 * dt * (-y * s - x * c);
    }
  }
}
