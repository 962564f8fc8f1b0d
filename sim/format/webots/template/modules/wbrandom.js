// Numbers of the linear congruential generator of Visual Basic, x ← (1140671485 x + 12820163) mod 2²⁴.
(function () {
  const range = 16777216;
  let state = 0;
  const next = () => { state = (1140671485 * state + 12820163) % range; return state; };
  const bounds = (low, high, from, to) => {
    if (low === undefined)
      return [0, to];
    return high === undefined ? [from, low] : [low, high];
  };
  return {
    seed(s) { state = s; },
    real(min, max) {
      const [low, high] = bounds(min, max, 0, 1);
      return low + next() * (high - low) / (range - 1);
    },
    integer(min, max) {
      const [low, high] = bounds(min, max, 1, range - 1);
      return low + next() % (high - low + 1);
    }
  };
})();
