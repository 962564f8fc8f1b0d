// A scene as TestPeers (peers_test.go) writes it, one thing per line, and the report that it reads back.
//
//   world dt steps mu                               gravity is 0 0 -9.81; a ground plane at z = 0
//   body mass group shape a b c  x y z  w x y z     mass 0: fixed; shape box (half extents), ball (radius), cylinder (radius, half length)
//   hinge parent child  x y z  x y z  speed effort  anchor and axis in the world, motor; parent -1: the world
//   gravity x y z; ground 0: no plane; bounce: nothing loses speed in a collision; twist body v w: what it begins with
//   points n, then them: the corners of the body before, whose shape is hull; ball parent child  x y z: a ball joint
//   push hinge torque; servo hinge kp kd target; gear hinge leader ratio
//   every n: print where all is and how it moves after every n steps, as "at x y z w x y z vx vy vz wx wy wz"; fine: as exactly as the engine can
//   mesh vertices triangles, then their lines; rays n limit, then origin and direction of each
//
// Report: "ms MEDIAN" of thread CPU time per step (or pass over the rays), "hits N MEAN", and "pose x y z w x y z" per body.
#pragma once
#include <time.h>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

struct Body { double mass; int group; std::string shape; double d[3], p[3], q[4], twist[6]; std::vector<double> points; };
struct Hinge { int parent, child; double at[3], axis[3], speed, effort, push, kp, kd, target, ratio; int leader; bool ball; };
struct Ray { float o[3], d[3]; };

struct Scene {
  double dt = 0, mu = 0, limit = 0;
  int steps = 0, every = 0, ground = 1;
  bool bounce = false, fine = false;
  double gravity[3] = {0, 0, -9.81};
  std::vector<Body> bodies;
  std::vector<Hinge> hinges;
  std::vector<float> vertices;
  std::vector<unsigned> triangles;
  std::vector<Ray> rays;

  Scene() {
    std::ios::sync_with_stdio(false);
    std::string word;
    while (std::cin >> word) {
      if (word == "world") {
        std::cin >> dt >> steps >> mu;
      } else if (word == "body") {
        Body b{};
        std::cin >> b.mass >> b.group >> b.shape;
        read(b.d, 3), read(b.p, 3), read(b.q, 4);
        bodies.push_back(b);
      } else if (word == "hinge") {
        Hinge h{};
        h.leader = -1;
        std::cin >> h.parent >> h.child;
        read(h.at, 3), read(h.axis, 3);
        std::cin >> h.speed >> h.effort;
        hinges.push_back(h);
      } else if (word == "ball") {
        Hinge h{};
        h.leader = -1, h.ball = true;
        std::cin >> h.parent >> h.child;
        read(h.at, 3);
        hinges.push_back(h);
      } else if (word == "points") {
        size_t n;
        std::cin >> n;
        bodies.back().points.resize(3 * n);
        read(bodies.back().points.data(), 3 * n);
      } else if (word == "gravity") {
        read(gravity, 3);
      } else if (word == "ground") {
        std::cin >> ground;
      } else if (word == "every") {
        std::cin >> every;
      } else if (word == "bounce") {
        bounce = true;
      } else if (word == "fine") {
        fine = true;
      } else if (word == "twist") {
        int i;
        std::cin >> i;
        read(bodies[i].twist, 6);
      } else if (word == "push") {
        int i;
        std::cin >> i >> hinges[i].push;
      } else if (word == "servo") {
        int i;
        std::cin >> i >> hinges[i].kp >> hinges[i].kd >> hinges[i].target;
      } else if (word == "gear") {
        int i;
        std::cin >> i >> hinges[i].leader >> hinges[i].ratio;
      } else if (word == "mesh") {
        size_t v, t;
        std::cin >> v >> t;
        vertices.resize(3 * v), triangles.resize(3 * t);
        read(vertices.data(), 3 * v), read(triangles.data(), 3 * t);
      } else if (word == "rays") {
        size_t n;
        std::cin >> n >> limit;
        rays.resize(n);
        for (auto& r : rays) read(r.o, 3), read(r.d, 3);
      }
    }
  }
  template <class T> void read(T* v, size_t n) { for (size_t i = 0; i < n; i++) std::cin >> v[i]; }
};

inline double milliseconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

// timed runs f n times and reports the median.
template <class F, class G> void timed(int n, F f, G after) {
  std::vector<double> t;
  for (int i = 0; i < n; i++) {
    double start = milliseconds();
    f();
    t.push_back(milliseconds() - start);
    after();
  }
  std::sort(t.begin(), t.end());
  printf("ms %.6f\n", t[t.size() / 2]);
}

template <class F> void timed(int n, F f) { timed(n, f, [] {}); }

inline void pose(const double* p, const double* q) {
  printf("pose %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", p[0], p[1], p[2], q[0], q[1], q[2], q[3]);
}
