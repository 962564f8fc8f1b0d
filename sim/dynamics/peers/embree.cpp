// Embree: single rays and, when told "packets", coherent packets of eight.
#include <embree3/rtcore.h>
#include <cstring>
#include "scene.hpp"

int main(int argc, char** argv) {
  bool packets = argc > 1 && !strcmp(argv[1], "packets");
  Scene s;
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  memcpy(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, s.vertices.size() / 3), s.vertices.data(), 4 * s.vertices.size());
  memcpy(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, s.triangles.size() / 3), s.triangles.data(), 4 * s.triangles.size());
  rtcCommitGeometry(g);
  rtcAttachGeometry(scene, g);
  rtcCommitScene(scene);
  std::vector<float> far(s.rays.size());
  timed(s.steps, [&] {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    if (!packets) {
      for (size_t i = 0; i < s.rays.size(); i++) {
        auto& r = s.rays[i];
        RTCRayHit h;
        h.ray = {r.o[0], r.o[1], r.o[2], 0, r.d[0], r.d[1], r.d[2], 0, float(s.limit), ~0u, 0, 0};
        h.hit.geomID = h.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene, &context, &h);
        far[i] = h.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1 : h.ray.tfar;
      }
      return;
    }
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (size_t i = 0; i < s.rays.size(); i += 8) {
      alignas(32) int valid[8];
      RTCRayHit8 h;
      for (size_t k = 0; k < 8; k++) {
        valid[k] = i + k < s.rays.size() ? -1 : 0;
        auto& r = s.rays[std::min(i + k, s.rays.size() - 1)];
        h.ray.org_x[k] = r.o[0], h.ray.org_y[k] = r.o[1], h.ray.org_z[k] = r.o[2];
        h.ray.dir_x[k] = r.d[0], h.ray.dir_y[k] = r.d[1], h.ray.dir_z[k] = r.d[2];
        h.ray.tnear[k] = 0, h.ray.tfar[k] = float(s.limit), h.ray.time[k] = 0, h.ray.mask[k] = ~0u, h.ray.flags[k] = 0;
        h.hit.geomID[k] = h.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
      }
      rtcIntersect8(valid, scene, &context, &h);
      for (size_t k = 0; k < 8 && i + k < s.rays.size(); k++) far[i + k] = h.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID ? -1 : h.ray.tfar[k];
    }
  });
  size_t hits = 0;
  double sum = 0;
  for (float f : far) if (f >= 0) hits++, sum += f;
  printf("hits %zu %.6f\n", hits, hits ? sum / hits : 0);
}
