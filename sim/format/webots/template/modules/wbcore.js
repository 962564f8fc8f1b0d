({deepcopy: (v) => JSON.parse(JSON.stringify(v)), tablelength: (list) => list.length});
