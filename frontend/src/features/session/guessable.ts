// The server's rule (auth: domain/password) without its list of words and its reading of Hangul as keystrokes: whatever is
// refused here is refused there, which has the last word.

/** A password of so many pieces is refused. */
const FEWEST_PIECES = 3;
/** A repeated unit of at most so many characters is refused. */
const SHORT_UNIT_CHARS = 4;
const SHORTEST_RUN = 3;

const ROWS = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'] as const;
const SHIFTED = '!@#$%^&*()_+{}:"<>?';
const UNSHIFTED = "1234567890-=[];',./";

/** Whether a password is among the first guesses: few runs of keys, years and single characters, or one unit repeated. */
export function isGuessable(password: string): boolean {
  const symbols = [...password.normalize('NFC').toLowerCase()];
  if (period(symbols) <= SHORT_UNIT_CHARS) return true;
  const keys = symbols.filter((key) => key.trim() !== '');
  if (keys.some((key) => key > '~')) return false;
  return pieces(keys.slice(0, period(keys))) <= FEWEST_PIECES;
}

/** Whether the address stands in the password. */
export function holdsAddress(password: string, email: string): boolean {
  const [local = ''] = email.trim().toLowerCase().split('@');
  return local.length >= 3 && password.normalize('NFC').toLowerCase().includes(local);
}

/** The fewest pieces: runs, years and dates count one, three or four other digits two, any other key one. */
function pieces(keys: readonly string[]): number {
  const fewest = Array<number>(keys.length + 1).fill(Infinity);
  fewest[0] = 0;
  const set = (at: number, count: number) => {
    if (at <= keys.length) fewest[at] = Math.min(fewest[at] ?? Infinity, count);
  };
  for (let at = 0; at < keys.length; at += 1) {
    const so = fewest[at] ?? Infinity;
    const rest = keys.slice(at);
    set(at + 1, so + 1);
    // A run may also end early, where another starts.
    for (let length = SHORTEST_RUN; length <= run(rest); length += 1) set(at + length, so + 1);
    const text = rest.join('');
    if (/^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])/.test(text)) set(at + 8, so + 1);
    if (/^(19|20)\d\d/.test(text)) set(at + 4, so + 1);
    if (/^\d{4}/.test(text)) set(at + 4, so + 2);
    if (/^\d{3}/.test(text)) set(at + 3, so + 2);
  }
  return fewest[keys.length] ?? Infinity;
}

/** The length of the longest run at the start: `aaaa`, `4321`, `qwerty`, `1q2w3e`. */
function run(keys: readonly string[]): number {
  const isOther = (key: string) => key !== keys[0];
  const repeated = keys.findIndex(isOther);
  return Math.max(repeated === -1 ? keys.length : repeated, sequence(keys), walk(keys));
}

/** Consecutive letters or digits, upwards or downwards. */
function sequence(keys: readonly string[]): number {
  const steps = pairs(keys, (from, to) => (/^[a-z0-9]{2}$/.test(from + to) ? to.charCodeAt(0) - from.charCodeAt(0) : null));
  const [first] = steps;
  return first === 1 || first === -1 ? 1 + leading(steps, (step) => step === first) : 1;
}

/** Neighbouring keys along a line, or along a zigzag of two directions from four keys on. */
function walk(keys: readonly string[]): number {
  const steps = pairs(keys, neighbourStep);
  const known = steps.slice(0, leading(steps, (step) => step !== null));
  const line = 1 + leading(known, (step) => step === known[0]);
  const zigzag = leading(known.slice(2), (step, index) => step === known[index]);
  return zigzag > 0 ? Math.max(line, zigzag + 3) : line;
}

/** The direction between neighbouring keys; null between others. */
function neighbourStep(from: string, to: string): string | null {
  const [a, b] = [place(from), place(to)];
  if (!a || !b) return null;
  const [down, right] = [b.row - a.row, b.column - a.column];
  return Math.abs(down) <= 1 && Math.abs(right) <= 1 && (down !== 0 || right !== 0) ? `${down} ${right}` : null;
}

function place(symbol: string): { row: number; column: number } | null {
  const at = SHIFTED.indexOf(symbol);
  const plain = at === -1 ? symbol : UNSHIFTED.charAt(at);
  const row = ROWS.findIndex((keys) => keys.includes(plain));
  return row === -1 ? null : { row, column: ROWS[row]?.indexOf(plain) ?? 0 };
}

function pairs<Step>(keys: readonly string[], step: (from: string, to: string) => Step): Step[] {
  return keys.slice(1).map((to, index) => step(keys[index] ?? '', to));
}

function leading<Value>(values: readonly Value[], holds: (value: Value, index: number) => boolean): number {
  const end = values.findIndex((value, index) => !holds(value, index));
  return end === -1 ? values.length : end;
}

/** The length of the shortest unit whose repetition is the text; the last one may be cut. */
function period(text: readonly string[]): number {
  for (let shift = 1; 2 * shift <= text.length; shift += 1) if (text.slice(shift).every((key, index) => key === text[index])) return shift;
  return text.length;
}
