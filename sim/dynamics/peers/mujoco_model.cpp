// MuJoCo on a file of its own: FILE, the simulated seconds, and how many times. Prints the least time of a simulated second, ms, and
// the deepest overlap, m.
#include <mujoco/mujoco.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof error);
  if (!m) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  double seconds = atof(argv[2]), best = 1e300, deepest = 0;
  int steps = int(seconds / m->opt.timestep + 0.5);
  for (int turn = 0; turn < atoi(argv[3]); turn++) {
    mj_resetData(m, d);
    double before = cpu();
    for (int i = 0; i < steps; i++) mj_step(m, d);
    best = std::min(best, (cpu() - before) / seconds);
  }
  mj_resetData(m, d);
  for (int i = 0; i < steps; i++) {
    mj_step(m, d);
    for (int c = 0; c < d->ncon; c++) deepest = std::min(deepest, d->contact[c].dist);
  }
  printf("ms %g\ndeepest %g\n", best, -deepest);
}
