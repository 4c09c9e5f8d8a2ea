/** Where the rows of a long list are. Each is as high as the usual one until it is measured to be different. */
export interface RowPlaces {
  /** Where a row begins, in pixels from the list's top. For the number of rows it is the height of them all. */
  topOf: (index: number) => number;
  /** The row at a distance from the list's top: the first one before the list, the last one of `count` behind it. */
  indexAt: (topPx: number, count: number) => number;
  /** Takes a row's real height and returns by how much it differs from what was supposed. */
  measure: (index: number, heightPx: number) => number;
}

/** Differences below this come from rounding and move nothing. */
const ROUNDING_PX = 0.5;

export function createRowPlaces(usualPx: number): RowPlaces {
  const unusual = new Map<number, number>();
  /** The beginnings of the first rows, as far as anybody has asked. */
  const tops = [0];

  const heightOf = (index: number): number => unusual.get(index) ?? usualPx;

  const topOf = (index: number): number => {
    for (let next = tops.length; next <= index; next += 1) tops.push((tops[next - 1] ?? 0) + heightOf(next - 1));
    return tops[index] ?? 0;
  };

  return {
    topOf,

    indexAt(topPx, count) {
      let low = 0;
      let high = Math.max(0, count - 1);
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (topOf(middle) <= topPx) low = middle;
        else high = middle - 1;
      }
      return low;
    },

    measure(index, heightPx) {
      const difference = heightPx - heightOf(index);
      if (Math.abs(difference) < ROUNDING_PX) return 0;
      unusual.set(index, heightPx);
      tops.length = Math.min(tops.length, index + 1);
      return difference;
    },
  };
}
