// Points and curves.
(function () {
  // The signed area of a polygon, twice: positive when it goes around counterclockwise.
  const area = (points) => {
    let sum = 0;
    for (let i = 0; i < points.length; ++i) {
      const a = points[i], b = points[(i + 1) % points.length];
      sum += a.x * b.y - a.y * b.x;
    }
    return sum;
  };
  // A uniform cubic B-spline through the first and last point, whose control polygon goes on straight beyond
  // both ends. Every segment is divided into as many parts.
  const spline = (points, subdivision, names, first) => {
    const n = points.length;
    const beyond = (from, to) => {
      const p = {};
      for (const k of names)
        p[k] = 2 * to[k] - from[k];
      return p;
    };
    const before = beyond(points[1], points[0]), after = beyond(points[n - 2], points[n - 1]);
    const all = [beyond(points[0], before), before, ...points, after, beyond(points[n - 1], after)];
    const curve = [{...points[0]}];
    for (let i = first; i < n; ++i) {
      const [p0, p1, p2, p3] = all.slice(i, i + 4);
      for (let j = 1; j <= subdivision; ++j) {
        const t = j / subdivision, s = 1 - t, p = {};
        for (const k of names) {
          p[k] = (s * s * s * p0[k] + (3 * t * t * t - 6 * t * t + 4) * p1[k] +
            (3 * s * s * s - 6 * s * s + 4) * p2[k] + t * t * t * p3[k]) / 6;
        }
        curve.push(p);
      }
    }
    return curve;
  };
  return {
    circle(radius, div, center, shift) {
      const points = [];
      for (let i = 0; i <= div; ++i) {
        const a = 2 * Math.PI * i / div + shift;
        points.push({x: center.x + radius * Math.cos(a), y: center.y + radius * Math.sin(a)});
      }
      return points;
    },
    // A ray along x crosses the sides of a polygon an odd number of times from inside.
    isPoint2InPolygon(p, polygon) {
      let inside = false;
      for (let i = 0; i < polygon.length; ++i) {
        const a = polygon[i], b = polygon[(i + 1) % polygon.length];
        if (a.y > p.y !== b.y > p.y && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
          inside = !inside;
      }
      return inside;
    },
    findClosestPoint2InArray(reference, points) {
      let closest = reference, least = Infinity;
      for (const p of points) {
        const d = Math.hypot(p.x - reference.x, p.y - reference.y);
        if (d < least) {
          least = d;
          closest = p;
        }
      }
      return closest;
    },
    isPoint2ArrayClockwise: (points) => area(points) < 0,
    bSpline2: (points, subdivision) => spline(points, subdivision, ['x', 'y'], 0),
    bSpline3: (points, subdivision) => spline(points, subdivision, ['x', 'y', 'z'], 1)
  };
})();
