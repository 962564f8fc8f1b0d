({round: (x) => Math.floor(x + 0.5)});
