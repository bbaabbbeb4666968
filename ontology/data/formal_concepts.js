"use strict";
// The formal concepts of a context, each computed when it is asked for: no list of all concepts is needed.
// Source: Ganter and Wille 1999, section 1.1. Extents and intents are bitsets. The extents of the lower neighbours of a
// concept are the largest of its meets with the extents of further attributes, and dually for the upper neighbours.
// The argument has for each object the numbers of its attributes, and the number of attributes.
const formalContext = (objects, attributeCount) => { // eslint-disable-line no-unused-vars
  const empty = (size) => new Uint32Array((size + 31) >>> 5);
  const has = (set, i) => ((set[i >>> 5] >>> (i & 31)) & 1) === 1;
  const add = (set, i) => { set[i >>> 5] |= 1 << (i & 31); };
  const meet = (a, b) => a.map((word, k) => word & b[k]);
  const within = (a, b) => a.every((word, k) => (word & ~b[k]) === 0);
  const full = (size) => { const set = empty(size); for (let i = 0; i < size; i += 1) add(set, i); return set; };
  const bits = (word) => {
    let w = word - ((word >>> 1) & 0x55555555);
    w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
    return (((w + (w >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  };
  const count = (set) => set.reduce((sum, word) => sum + bits(word), 0);
  const numbers = (set, size) => { const all = []; for (let i = 0; i < size; i += 1) if (has(set, i)) all.push(i); return all; };

  const rows = objects.map((attributes) => { const row = empty(attributeCount); attributes.forEach((m) => add(row, m)); return row; });
  const columns = Array.from({ length: attributeCount }, () => empty(objects.length));
  objects.forEach((attributes, g) => attributes.forEach((m) => add(columns[m], g)));
  const sizes = columns.map(count);

  // Return the concept of an extent: its attributes are those that all of its objects have.
  const ofExtent = (extent) => {
    const intent = empty(attributeCount), support = count(extent);
    columns.forEach((column, m) => { if (sizes[m] >= support && within(extent, column)) add(intent, m); });
    return { extent, intent, support, attributes: numbers(intent, attributeCount) };
  };
  // Return the greatest concept that has the attributes.
  const ofAttributes = (attributes) => ofExtent(attributes.reduce((extent, m) => meet(extent, columns[m]), full(objects.length)));
  // Return the sets that no other one contains, largest first.
  const largest = (sets) => {
    const kept = [];
    const ordered = sets.map((set) => [count(set), set]).sort((a, b) => b[0] - a[0]);
    for (const [, set] of ordered) if (!kept.some((other) => within(set, other))) kept.push(set);
    return kept;
  };
  const lower = (concept) => {
    const meets = [];
    columns.forEach((column, m) => { if (!has(concept.intent, m)) meets.push(meet(concept.extent, column)); });
    return largest(meets).map(ofExtent);
  };
  const upper = (concept) => {
    const meets = new Map();
    rows.forEach((row, g) => {
      if (has(concept.extent, g)) return;
      const shared = meet(concept.intent, row);
      meets.set(shared.join(), shared);
    });
    const found = largest([...meets.values()]).map((intent) => ofAttributes(numbers(intent, attributeCount)));
    return found.sort((a, b) => b.support - a.support);
  };
  return {
    ofAttributes, lower, upper, within,
    ofObject: (g) => ofAttributes(objects[g]),
    objects: (concept) => numbers(concept.extent, objects.length),
    // What has its place at the concept, by reduced labelling.
    ownAttributes: (concept) => concept.attributes.filter((m) => sizes[m] === concept.support),
    isOwnObject: (concept, g) => objects[g].length === concept.attributes.length && has(concept.extent, g),
  };
};
