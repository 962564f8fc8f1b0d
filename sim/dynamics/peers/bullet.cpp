// Bullet: its default sequential-impulse solver, 10 sweeps, single precision.
#include <btBulletDynamicsCommon.h>
#include "scene.hpp"

static btVector3 vec(const double* v) { return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])}; }

// Bodies of the same group other than 0 never meet.
struct Filter : btOverlapFilterCallback {
  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
    auto p = (btCollisionObject*)a->m_clientObject, q = (btCollisionObject*)b->m_clientObject;
    return (!p->isStaticObject() || !q->isStaticObject()) && (!p->getUserIndex() || p->getUserIndex() != q->getUserIndex());
  }
};

int main() {
  Scene s;
  btDefaultCollisionConfiguration config;
  btCollisionDispatcher dispatcher(&config);
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &config);
  Filter filter;
  broad.getOverlappingPairCache()->setOverlapFilterCallback(&filter);
  world.setGravity({0, 0, btScalar(-9.81)});
  const btScalar mu = btSqrt(btScalar(s.mu)); // Bullet multiplies the two sides
  auto add = [&](btCollisionShape* shape, double mass, const btTransform& at, int group) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    auto b = new btRigidBody(btScalar(mass), nullptr, shape, inertia);
    b->setWorldTransform(at);
    b->setFriction(mu);
    b->setUserIndex(group);
    b->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(b);
    return b;
  };
  add(new btStaticPlaneShape({0, 0, 1}, 0), 0, btTransform::getIdentity(), 0);
  std::vector<btRigidBody*> bodies;
  for (auto& b : s.bodies) {
    btCollisionShape* shape;
    if (b.shape == "box") shape = new btBoxShape(vec(b.d));
    else if (b.shape == "ball") shape = new btSphereShape(btScalar(b.d[0]));
    else shape = new btCylinderShapeZ({btScalar(b.d[0]), btScalar(b.d[0]), btScalar(b.d[1])});
    btQuaternion q(btScalar(b.q[1]), btScalar(b.q[2]), btScalar(b.q[3]), btScalar(b.q[0]));
    bodies.push_back(add(shape, b.mass, btTransform(q, vec(b.p)), b.group));
  }
  for (auto& h : s.hinges) {
    auto child = bodies[h.child];
    auto local = [&](btRigidBody* b) { return b->getWorldTransform().inverse() * vec(h.at); };
    auto axis = [&](btRigidBody* b) { return b->getWorldTransform().getBasis().transpose() * vec(h.axis); };
    btHingeConstraint* j;
    if (h.parent < 0) j = new btHingeConstraint(*child, local(child), axis(child));
    else j = new btHingeConstraint(*bodies[h.parent], *child, local(bodies[h.parent]), local(child), axis(bodies[h.parent]), axis(child));
    j->enableAngularMotor(true, btScalar(h.parent < 0 ? -h.speed : h.speed), btScalar(h.effort * s.dt));
    world.addConstraint(j, true);
  }
  timed(s.steps, [&] { world.stepSimulation(btScalar(s.dt), 0, btScalar(s.dt)); });
  for (auto b : bodies) {
    auto& t = b->getWorldTransform();
    auto q = t.getRotation();
    double p[3] = {t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()}, r[4] = {q.w(), q.x(), q.y(), q.z()};
    pose(p, r);
  }
}
