// Light as the console's camera has it (sim/render): colors are those of the picture, without a gamma, and
// what is brighter than the knee is pressed together.

export const mostLamps = 8, mostShadows = 2;

const tone = `
vec3 tone(vec3 c) {
  const float knee = 0.75;
  vec3 over = max(c - knee, 0.0) / (1.0 - knee);
  return mix(c, knee + (1.0 - knee) * over / (1.0 + over), step(knee, c));
}`;

export const vertex = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in mat4 model;
layout(location = 7) in float id;
uniform mat4 view;
out vec3 place;
out vec3 up;
out vec2 at;
flat out float item;
void main() {
  vec4 p = model * vec4(position, 1.0);
  place = p.xyz;
  up = mat3(model) * normal;
  at = uv;
  item = id;
  gl_Position = view * p;
}`;

export const surface = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 place;
in vec3 up;
in vec2 at;
flat in float item;
uniform vec3 eye;
uniform vec3 diffuse, ambient, specular, emissive;
uniform float alpha, exponent, selected;
uniform sampler2D image;
uniform bool textured;
uniform vec3 around;
uniform int lamps;
uniform int kind[${mostLamps}], shadow[${mostLamps}];
uniform vec3 lampAt[${mostLamps}], toward[${mostLamps}], color[${mostLamps}], shine[${mostLamps}], fade[${mostLamps}];
uniform vec4 cone[${mostLamps}]; // range, inner, outer, falloff
uniform mat4 shadowView[${mostShadows}];
uniform float texel[${mostShadows}];
uniform sampler2DShadow depth0, depth1;
out vec4 result;
${tone}
float open(int i, vec3 p, vec3 n) {
  int s = shadow[i];
  if (s < 0) return 1.0;
  vec4 q = (s == 0 ? shadowView[0] : shadowView[1]) * vec4(p + n * (0.004 + 1.5 * (s == 0 ? texel[0] : texel[1])), 1.0);
  vec3 t = q.xyz / q.w * 0.5 + 0.5;
  if (q.w <= 0.0 || any(lessThan(t, vec3(0.0))) || any(greaterThan(t, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  vec2 size = vec2(textureSize(depth0, 0));
  for (int k = 0; k < 4; k++) {
    vec3 u = vec3(t.xy + (vec2(k & 1, k >> 1) - 0.5) / size, t.z);
    sum += s == 0 ? texture(depth0, u) : texture(depth1, u);
  }
  return sum / 4.0;
}
void main() {
  vec3 n = normalize(up);
  if (!gl_FrontFacing) n = -n;
  vec4 t = textured ? texture(image, at) : vec4(1.0);
  vec3 d = diffuse * t.rgb;
  vec3 c = emissive + ambient * t.rgb * around * (0.86 + 0.14 * n.z + 0.05 * n.x + 0.03 * n.y);
  vec3 look = normalize(eye - place);
  for (int i = 0; i < ${mostLamps}; i++) {
    if (i >= lamps) break;
    vec3 way = toward[i];
    float bright = 1.0;
    if (kind[i] > 0) {
      vec3 to = lampAt[i] - place;
      float far = length(to);
      if (far == 0.0 || cone[i].x > 0.0 && far > cone[i].x) continue;
      way = to / far;
      float f = fade[i].x + fade[i].y * far + fade[i].z * far * far;
      if (f > 1.0 || f > 0.0 && fade[i].x > 0.0) bright /= f;
      if (kind[i] == 2) {
        float k = dot(toward[i], way);
        bright *= k <= cone[i].z ? 0.0 : k >= cone[i].y ? 1.0 : pow((k - cone[i].z) / (cone[i].y - cone[i].z), cone[i].w);
      }
    }
    float facing = dot(n, way);
    if (facing <= 0.0 || bright <= 0.0) continue;
    float seen = open(i, place, n);
    c += d * color[i] * facing * bright * seen;
    float gloss = dot(normalize(look + way), n);
    if (gloss > 0.0) c += specular * shine[i] * pow(gloss, exponent) * bright * seen;
  }
  if (item == selected) c = mix(c, vec3(0.35, 0.7, 1.0), 0.22);
  result = vec4(tone(c), alpha * t.a);
}`;

export const shadowFragment = `#version 300 es
precision highp float;
void main() {}`;

export const pickFragment = `#version 300 es
precision highp float;
in vec3 place;
in vec3 up;
in vec2 at;
flat in float item;
out vec4 result;
void main() {
  int i = int(item) + 1;
  result = vec4(float(i & 255), float(i >> 8 & 255), float(i >> 16 & 255), 255.0) / 255.0;
}`;

export const skyVertex = `#version 300 es
uniform mat4 back; // from the picture to directions in the world
out vec3 way;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 far = back * vec4(p, 1.0, 1.0);
  way = far.xyz / far.w;
  gl_Position = vec4(p, 1.0, 1.0);
}`;

export const skyFragment = `#version 300 es
precision highp float;
in vec3 way;
uniform vec3 background;
uniform bool sky;
out vec4 result;
${tone}
void main() {
  vec3 c = background;
  if (sky) {
    float z = normalize(way).z;
    vec3 horizon = vec3(0.78, 0.86, 0.93);
    c = z >= 0.0 ? mix(horizon, vec3(0.30, 0.50, 0.82), sqrt(z)) : mix(horizon, vec3(0.55, 0.54, 0.52), min(1.0, -6.0 * z));
  }
  result = vec4(tone(c), 1.0);
}`;
