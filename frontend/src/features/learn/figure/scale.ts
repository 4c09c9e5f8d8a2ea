/** Round steps between labelled values of an axis. */
const STEPS = [1, 2, 2.5, 5, 10] as const;

/** About `count` round values that cover `least` to `most`. A range of one value is widened. */
export function niceTicks(least: number, most: number, count: number): number[] {
  const low = Math.min(least, most);
  const high = Math.max(least, most) === low ? low + Math.max(1, Math.abs(low)) : Math.max(least, most);
  const rough = (high - low) / Math.max(1, count);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * magnitude >= rough * (1 - EPSILON)) ?? 10) * magnitude;
  const first = Math.floor(low / step + EPSILON);
  const last = Math.ceil(high / step - EPSILON);
  return Array.from({ length: last - first + 1 }, (_, index) => exact((first + index) * step));
}

const EPSILON = 1e-9;

/** Removes the binary remainder of a decimal product: 0.30000000000000004 → 0.3. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

/** A linear map of a range onto pixels. */
export function scale(from: readonly [number, number], to: readonly [number, number]): (value: number) => number {
  const [low, high] = from;
  const [start, end] = to;
  const ratio = high === low ? 0 : (end - start) / (high - low);
  return (value) => start + (value - low) * ratio;
}

/** The width of a text at 13 px: a Korean syllable takes the em, digits and Latin letters about half of it. */
export function textWidthPx(text: string): number {
  return [...text].reduce((width, character) => width + (/\p{Script=Hangul}/u.test(character) ? 13 : 7.6), 0);
}
