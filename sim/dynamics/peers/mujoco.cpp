// MuJoCo: conjugate gradients, which suits many bodies best, or what is most exact, where accuracy is compared; motors as velocity
// actuators with kv 10, servos as position actuators.
#include <mujoco/mujoco.h>
#include <cstring>
#include <sstream>
#include "scene.hpp"

struct Builder {
  Scene& s;
  std::ostringstream xml;
  std::vector<std::vector<int>> hung; // hinges by parent

  void frame(const Body& b, const Body* parent) {
    double p[3] = {b.p[0], b.p[1], b.p[2]}, q[4] = {b.q[0], b.q[1], b.q[2], b.q[3]};
    if (parent) {
      double back[4], at[3] = {p[0] - parent->p[0], p[1] - parent->p[1], p[2] - parent->p[2]};
      mju_negQuat(back, parent->q);
      mju_rotVecQuat(p, at, back);
      mju_mulQuat(q, back, b.q);
    }
    xml << " pos='" << p[0] << ' ' << p[1] << ' ' << p[2] << "' quat='" << q[0] << ' ' << q[1] << ' ' << q[2] << ' ' << q[3] << "'>";
  }
  void body(int i, int hinge) {
    const Body& b = s.bodies[i];
    xml << "<body name='b" << i << "'";
    frame(b, hinge < 0 || s.hinges[hinge].parent < 0 ? nullptr : &s.bodies[s.hinges[hinge].parent]);
    if (hinge < 0) {
      xml << "<freejoint/>";
    } else {
      const Hinge& h = s.hinges[hinge];
      double back[4], at[3] = {h.at[0] - b.p[0], h.at[1] - b.p[1], h.at[2] - b.p[2]}, p[3], a[3];
      mju_negQuat(back, b.q);
      mju_rotVecQuat(p, at, back);
      mju_rotVecQuat(a, h.axis, back);
      xml << "<joint name='j" << hinge << (h.ball ? "' type='ball" : "") << "' pos='" << p[0] << ' ' << p[1] << ' ' << p[2] << "' axis='" << a[0] << ' ' << a[1] << ' ' << a[2] << "'/>";
    }
    if (b.shape == "hull")
      xml << "<geom type='mesh' mesh='m" << i << "' mass='" << b.mass << "'/>";
    else
      xml << "<geom type='" << (b.shape == "ball" ? "sphere" : b.shape) << "' size='" << b.d[0] << ' ' << b.d[1] << ' ' << b.d[2] << "' mass='" << b.mass << "'/>";
    for (int h : hung[i]) body(s.hinges[h].child, h);
    xml << "</body>\n";
  }
};

// start gives a body on a free or ball joint the velocity that it begins with.
void start(const mjModel* m, mjData* d, const Body& b, int id) {
  if (m->body_jntnum[id] == 0) return;
  int joint = m->body_jntadr[id], at = m->jnt_dofadr[joint], type = m->jnt_type[joint];
  double w[3], back[4];
  mju_negQuat(back, b.q);
  mju_rotVecQuat(w, b.twist + 3, back); // in the body's axes
  if (type == mjJNT_FREE) mju_copy3(d->qvel + at, b.twist), mju_copy3(d->qvel + at + 3, w);
  if (type == mjJNT_BALL) mju_copy3(d->qvel + at, w);
}

int main() {
  Scene s;
  Builder b{s, {}, std::vector<std::vector<int>>(s.bodies.size())};
  std::vector<int> by(s.bodies.size(), -1);
  for (size_t h = 0; h < s.hinges.size(); h++) {
    by[s.hinges[h].child] = h;
    if (s.hinges[h].parent >= 0) b.hung[s.hinges[h].parent].push_back(h);
  }
  b.xml.precision(17);
  b.xml << "<mujoco><compiler autolimits='true' inertiafromgeom='true'/><option timestep='" << s.dt << "' gravity='" << s.gravity[0] << ' ' << s.gravity[1] << ' ' << s.gravity[2]
        << (s.fine ? "' integrator='implicit' solver='Newton' cone='elliptic" : "' solver='CG") << "'/><size memory='2G'/><default><geom friction='" << s.mu
        << " 0.005 0.0001'" << (s.bounce ? " solref='-10000 0'" : "") << "/></default><asset>";
  for (size_t i = 0; i < s.bodies.size(); i++) {
    if (s.bodies[i].points.empty()) continue;
    b.xml << "<mesh name='m" << i << "' vertex='";
    for (double v : s.bodies[i].points) b.xml << v << ' ';
    b.xml << "'/>";
  }
  b.xml << "</asset><worldbody>" << (s.ground ? "<geom type='plane' size='200 200 1'/>\n" : "");
  for (size_t i = 0; i < s.bodies.size(); i++)
    if (by[i] < 0 || s.hinges[by[i]].parent < 0) b.body(i, by[i]);
  b.xml << "</worldbody><contact>";
  for (size_t i = 0; i < s.bodies.size(); i++)
    for (size_t k = i + 1; k < s.bodies.size() && s.bodies[i].group && s.bodies[k].group == s.bodies[i].group; k++)
      b.xml << "<exclude body1='b" << i << "' body2='b" << k << "'/>";
  b.xml << "</contact><equality>";
  for (size_t h = 0; h < s.hinges.size(); h++)
    if (s.hinges[h].leader >= 0) b.xml << "<joint joint1='j" << h << "' joint2='j" << s.hinges[h].leader << "' polycoef='0 " << s.hinges[h].ratio << " 0 0 0'/>";
  b.xml << "</equality><actuator>";
  std::vector<double> control;
  for (size_t h = 0; h < s.hinges.size(); h++) {
    const Hinge& j = s.hinges[h];
    if (j.effort > 0) {
      b.xml << "<velocity joint='j" << h << "' kv='10' forcerange='" << -j.effort << ' ' << j.effort << "'/>";
      control.push_back(j.speed);
    } else if (j.kp > 0) {
      b.xml << "<position joint='j" << h << "' kp='" << j.kp << "' kv='" << j.kd << "'/>";
      control.push_back(j.target);
    } else if (j.push != 0) {
      b.xml << "<motor joint='j" << h << "'/>";
      control.push_back(j.push);
    }
  }
  b.xml << "</actuator></mujoco>";
  std::string text = b.xml.str();
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(text.c_str(), nullptr, error, sizeof error);
  mjModel* m = spec ? mj_compile(spec, nullptr) : nullptr;
  if (!m) {
    fprintf(stderr, "mujoco: %s\n", spec ? mjs_getError(spec) : error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  for (size_t c = 0; c < control.size(); c++) d->ctrl[c] = control[c];
  std::vector<int> id;
  for (size_t i = 0; i < s.bodies.size(); i++) {
    id.push_back(mj_name2id(m, mjOBJ_BODY, ("b" + std::to_string(i)).c_str()));
    start(m, d, s.bodies[i], id[i]);
  }
  int step = 0;
  timed(s.steps, [&] { mj_step(m, d); }, [&] {
    if (s.every == 0 || ++step % s.every) return;
    mj_forward(m, d);
    for (int i : id) {
      double v[6];
      mj_objectVelocity(m, d, mjOBJ_BODY, i, v, 0);
      printf("at");
      for (int k = 0; k < 3; k++) printf(" %.17g", d->xpos[3 * i + k]);
      for (int k = 0; k < 4; k++) printf(" %.17g", d->xquat[4 * i + k]);
      printf(" %.17g %.17g %.17g %.17g %.17g %.17g\n", v[3], v[4], v[5], v[0], v[1], v[2]);
    }
  });
  mj_kinematics(m, d);
  for (int i : id) pose(d->xpos + 3 * i, d->xquat + 4 * i);
}
