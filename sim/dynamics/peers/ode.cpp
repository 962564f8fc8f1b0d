// ODE (Webots' engine): its iterative step, 20 sweeps, as it comes.
#include <ode/ode.h>
#include "scene.hpp"

struct World {
  dWorldID world;
  dJointGroupID contacts;
  double mu;
};

static int group(dGeomID g) { return (int)(long)dGeomGetData(g); }

static void meet(void* data, dGeomID a, dGeomID b) {
  auto w = (World*)data;
  dBodyID p = dGeomGetBody(a), q = dGeomGetBody(b);
  if ((!p && !q) || (group(a) && group(a) == group(b))) return;
  dContact c[8];
  int n = dCollide(a, b, 8, &c[0].geom, sizeof c[0]);
  for (int i = 0; i < n; i++) {
    c[i].surface.mode = dContactApprox1;
    c[i].surface.mu = w->mu;
    dJointAttach(dJointCreateContact(w->world, w->contacts, &c[i]), p, q);
  }
}

int main() {
  Scene s;
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  World w{dWorldCreate(), dJointGroupCreate(0), s.mu};
  dWorldSetGravity(w.world, 0, 0, -9.81);
  dSpaceID space = dHashSpaceCreate(0);
  dHashSpaceSetLevels(space, -2, 4);
  dCreatePlane(space, 0, 0, 1, 0);
  std::vector<dBodyID> bodies;
  for (auto& b : s.bodies) {
    dBodyID body = dBodyCreate(w.world);
    dMass m;
    dGeomID g;
    if (b.shape == "box") {
      dMassSetBoxTotal(&m, b.mass, 2 * b.d[0], 2 * b.d[1], 2 * b.d[2]);
      g = dCreateBox(space, 2 * b.d[0], 2 * b.d[1], 2 * b.d[2]);
    } else if (b.shape == "ball") {
      dMassSetSphereTotal(&m, b.mass, b.d[0]);
      g = dCreateSphere(space, b.d[0]);
    } else {
      dMassSetCylinderTotal(&m, b.mass, 3, b.d[0], 2 * b.d[1]);
      g = dCreateCylinder(space, b.d[0], 2 * b.d[1]);
    }
    dBodySetMass(body, &m);
    dGeomSetBody(g, body);
    dGeomSetData(g, (void*)(long)b.group);
    dBodySetPosition(body, b.p[0], b.p[1], b.p[2]);
    dBodySetQuaternion(body, b.q);
    bodies.push_back(body);
  }
  for (auto& h : s.hinges) {
    dJointID j = dJointCreateHinge(w.world, 0);
    dJointAttach(j, bodies[h.child], h.parent < 0 ? 0 : bodies[h.parent]);
    dJointSetHingeAnchor(j, h.at[0], h.at[1], h.at[2]);
    dJointSetHingeAxis(j, h.axis[0], h.axis[1], h.axis[2]);
    dJointSetHingeParam(j, dParamVel, h.speed);
    dJointSetHingeParam(j, dParamFMax, h.effort);
  }
  timed(s.steps, [&] {
    dSpaceCollide(space, &w, meet);
    dWorldQuickStep(w.world, s.dt);
    dJointGroupEmpty(w.contacts);
  });
  for (auto b : bodies) pose(dBodyGetPosition(b), dBodyGetQuaternion(b));
}
