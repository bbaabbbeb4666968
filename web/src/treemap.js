// Treemaps: M. Bruls, K. Huizing and J. J. van Wijk, Squarified treemaps, Data Visualization 2000, pages 33 to 42.

/** Return a rectangle {x, y, width, height} for each value, in order; areas are as the values, which descend and are above 0. */
export function squarified(values, { x, y, width, height }) {
  const unit = (width * height) / sum(values);
  const areas = values.map((value) => value * unit);
  const found = [];
  let row = [];
  const place = () => {
    const [side, area] = [Math.min(width, height), sum(row)];
    const depth = area / side;
    let along = 0;
    for (const one of row) {
      const length = one / depth;
      found.push(width >= height ? { x, y: y + along, width: depth, height: length } : { x: x + along, y, width: length, height: depth });
      along += length;
    }
    if (width >= height) [x, width] = [x + depth, width - depth];
    else [y, height] = [y + depth, height - depth];
    row = [];
  };
  for (const area of areas) {
    const side = Math.min(width, height);
    if (row.length && worst([...row, area], side) > worst(row, side)) place();
    row.push(area);
  }
  if (row.length) place();
  return found;
}

/** Return the largest ratio of sides in a row along a side (the paper, section 3.2). */
function worst(row, side) {
  const area = sum(row);
  return Math.max((side ** 2 * Math.max(...row)) / area ** 2, area ** 2 / (side ** 2 * Math.min(...row)));
}

const sum = (values) => values.reduce((a, b) => a + b, 0);
