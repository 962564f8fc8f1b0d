(function () {
  const is = (keys) => (v) => v !== null && typeof v === 'object' && Object.keys(v).length === keys.length &&
    keys.every((k) => k in v);
  const isVector2 = is(['x', 'y']), isVector3 = is(['x', 'y', 'z']);
  const deepCopy = (v) => {
    if (v === null || typeof v !== 'object')
      return v;
    if (Array.isArray(v))
      return v.map(deepCopy);
    const copy = {};
    for (const key of Object.keys(v))
      copy[key] = deepCopy(v[key]);
    return copy;
  };
  return {
    isVector2, isVector3, deepCopy,
    assert(statement, message) {
      if (!statement)
        console.error(message);
    },
    error: (message) => console.error(message),
    info: (message) => console.info(message),
    degreesToRadians: (angle) => angle * Math.PI / 180,
    radiansToDegrees: (angle) => angle * 180 / Math.PI,
    isScalar: (s) => typeof s === 'number',
    isAxisAngle: is(['x', 'y', 'z', 'a']),
    isQuaternion: is(['w', 'x', 'y', 'z']),
    isMatrix3: is(['0', '1', '2', '3', '4', '5', '6', '7', '8']),
    isArrayOfPoints: (list, dim) => Array.isArray(list) && (dim === 2 || dim === 3) &&
      list.every(dim === 2 ? isVector2 : isVector3)
  };
})();
