// MuJoCo: conjugate gradients, which suits many bodies best; motors as velocity actuators with kv 10.
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
      xml << "<joint name='j" << hinge << "' pos='" << p[0] << ' ' << p[1] << ' ' << p[2] << "' axis='" << a[0] << ' ' << a[1] << ' ' << a[2] << "'/>";
    }
    xml << "<geom type='" << (b.shape == "ball" ? "sphere" : b.shape) << "' size='" << b.d[0] << ' ' << b.d[1] << ' ' << b.d[2] << "' mass='" << b.mass << "'/>";
    for (int h : hung[i]) body(s.hinges[h].child, h);
    xml << "</body>\n";
  }
};

int main() {
  Scene s;
  Builder b{s, {}, std::vector<std::vector<int>>(s.bodies.size())};
  std::vector<int> by(s.bodies.size(), -1);
  for (size_t h = 0; h < s.hinges.size(); h++) {
    by[s.hinges[h].child] = h;
    if (s.hinges[h].parent >= 0) b.hung[s.hinges[h].parent].push_back(h);
  }
  b.xml.precision(17);
  b.xml << "<mujoco><option timestep='" << s.dt << "' gravity='0 0 -9.81' solver='CG'/><size memory='2G'/><default><geom friction='" << s.mu
        << " 0.005 0.0001'/></default><worldbody><geom type='plane' size='200 200 1'/>\n";
  for (size_t i = 0; i < s.bodies.size(); i++)
    if (by[i] < 0 || s.hinges[by[i]].parent < 0) b.body(i, by[i]);
  b.xml << "</worldbody><contact>";
  for (size_t i = 0; i < s.bodies.size(); i++)
    for (size_t k = i + 1; k < s.bodies.size() && s.bodies[i].group && s.bodies[k].group == s.bodies[i].group; k++)
      b.xml << "<exclude body1='b" << i << "' body2='b" << k << "'/>";
  b.xml << "</contact><actuator>";
  for (size_t h = 0; h < s.hinges.size(); h++)
    b.xml << "<velocity joint='j" << h << "' kv='10' forcerange='" << -s.hinges[h].effort << ' ' << s.hinges[h].effort << "'/>";
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
  for (size_t h = 0; h < s.hinges.size(); h++) d->ctrl[h] = s.hinges[h].speed;
  timed(s.steps, [&] { mj_step(m, d); });
  mj_kinematics(m, d);
  for (size_t i = 0; i < s.bodies.size(); i++) {
    int id = mj_name2id(m, mjOBJ_BODY, ("b" + std::to_string(i)).c_str());
    pose(d->xpos + 3 * id, d->xquat + 4 * id);
  }
}
