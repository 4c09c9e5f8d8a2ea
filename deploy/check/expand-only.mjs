// Finds statements of migrations that break the previous release, or stop it for long.

/** What a statement may not do to something that the last release knows. */
const REFUSED = [
  [/\bdrop\s+(table|view|materialized\s+view|function|procedure|type|domain|sequence|schema|trigger|index|extension|policy|role|owned)\b/, 'drops something'],
  [/\bdrop\s+(column|constraint|default|not\s+null|identity|expression|attribute)\b/, 'drops part of a table'],
  // The word column may be left out.
  [/^alter\s+table\b.*[\s,]drop\s+(if\s+exists\s+)?(?!column|constraint|default|not|identity|expression)\w+/, 'drops a column'],
  [/\brename\b/, 'renames something'],
  [/\bset\s+schema\b/, 'moves something'],
  [/\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/, 'changes the type of a column'],
  [/\bset\s+not\s+null\b/, 'forbids nulls'],
  [/\badd\s+(constraint\b|check\b|unique\b|foreign\s+key\b|primary\s+key\b|exclude\b)/, 'adds a constraint'],
  [/^create\s+unique\s+index\b/, 'adds a unique index'],
  [/^create\s+(or\s+replace\s+)?(constraint\s+)?trigger\b/, 'adds a trigger'],
  [/^create\s+or\s+replace\b/, 'replaces what the last release calls'],
  [/^create\s+(rule|policy)\b/, 'adds a rule'],
  [/\benable\s+row\s+level\s+security\b/, 'hides rows'],
  [/^alter\s+(type|domain)\b(?!.*\badd\s+value\b)/, 'changes a type'],
  [/^revoke\b/, 'takes a right away'],
  [/^(delete|truncate)\b/, 'deletes rows'],
  [/^update\b/, 'changes rows'],
  [/^merge\b/, 'changes rows'],
  [/^do\b/, 'runs a block, which is not looked into'],
  [/^(begin|commit|rollback|reset|lock)\b|^set\b(?! local (statement_timeout|lock_timeout|maintenance_work_mem)\b)/, 'changes how the migration runs'],
];
// Unused, or compatible with the last release.
const ALLOWED = /^--\s*(contract|compatible):\s*\S/m;
/** What keeps everybody waiting while it reads or writes a large table from end to end. */
const SLOW = [
  [/^create\s+(unique\s+)?index\s+(?!concurrently\b)/, 'stops writers while it builds an index (create index concurrently, in a file that begins with -- no-transaction)'],
  [/\badd\s+constraint\b.*\b(check|foreign\s+key)\b(?!.*\bnot\s+valid\b)/, 'stops everybody while it checks every row (not valid, and in a later migration validate constraint)'],
  [/\badd\s+(constraint\s+\S+\s+)?(unique|primary\s+key|exclude)\b(?!.*\busing\s+index\b)/, 'stops everybody while it builds an index (using index)'],
  [/^(update|delete|merge)\b/, 'locks every row that it changes until all are changed (a procedure that commits slices, called in a file that begins with -- no-transaction)'],
];
// The table never has many rows.
const SMALL = /^--\s*small:\s*\S/m;

/** Problems of one service's migrations since its release: `[{file, sql}]`, oldest first. */
export function lint(migrations) {
  const created = new Set();
  const problems = [];
  for (const { file, sql } of migrations) {
    for (const { text, comment, line } of statements(sql)) {
      const statement = text.toLowerCase().replace(/\s+/g, ' ').trim();
      for (const name of namesOf(statement, /\bcreate (?:unlogged )?(?:table|view|function|procedure|sequence|type|domain|materialized view)(?: if not exists)? ([\w."]+)/g)) created.add(name);
      if (created.has(subject(statement))) continue;
      if (!SMALL.test(comment)) for (const what of found(SLOW, statement)) problems.push(`${file}:${line}: ${what}; -- small: REASON allows it`);
      if (ALLOWED.test(comment)) continue;
      for (const what of wrongs(statement)) problems.push(`${file}:${line}: ${what}; the last release still runs on this schema (-- contract: REASON or -- compatible: REASON allows it)`);
    }
  }
  return problems;
}

// Strings and function bodies are not executed by the migration.
function bareOf(statement) {
  return statement.replace(/\$(\w*)\$.*?\$\1\$/g, "''").replace(/'(?:[^']|'')*'/g, "''");
}

function found(patterns, statement) {
  const bare = bareOf(statement);
  return patterns.filter(([pattern]) => pattern.test(bare)).map(([, what]) => what);
}

function wrongs(statement) {
  const bare = bareOf(statement);
  const wrong = found(REFUSED, statement);
  for (const [column] of bare.matchAll(/\badd column (?:[^(),]|\([^()]*(?:\([^()]*\)[^()]*)*\))*/g)) {
    if (/\bnot null\b|\bprimary key\b/.test(column) && !/\bdefault\b|\bgenerated\b/.test(column)) wrong.push('adds a column that the last release does not fill');
    if (/\bunique\b/.test(column)) wrong.push('adds a unique column');
  }
  return [...new Set(wrong)];
}

// The table or function that a statement is about.
function subject(statement) {
  const found =
    /^(?:alter|drop|truncate) (?:table |view |function |sequence |type |domain )?(?:if exists )?(?:only )?([\w."]+)/.exec(statement) ??
    /^create (?:or replace )?(?:unique )?(?:constraint )?(?:index|trigger)\b.*? on (?:only )?([\w."]+)/.exec(statement) ??
    /^create or replace (?:function|view|procedure) ([\w."]+)/.exec(statement) ??
    /^(?:update|delete from|merge into) (?:only )?([\w."]+)/.exec(statement) ??
    /^revoke\b.*? on (?:table )?([\w."]+) from/.exec(statement);
  return found?.[1];
}

function namesOf(statement, pattern) {
  return [...statement.matchAll(pattern)].map(([, name]) => name);
}

/** Statements with the comments that stand directly above each, and their lines. */
export function statements(sql) {
  const found = [];
  let text = '';
  let comment = '';
  let at = 0;
  const token = /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[^;'"$/-]+|[\s\S]/g;
  for (const { 0: piece, index } of sql.matchAll(token)) {
    if (piece.startsWith('--') || piece.startsWith('/*')) {
      if (text.trim() === '') comment += `${piece}\n`;
    } else if (piece === ';') {
      if (text.trim() !== '') found.push({ text, comment, line: lineOf(sql, at) });
      text = comment = '';
    } else {
      if (text.trim() === '' && piece.trim() !== '') at = index + piece.search(/\S/);
      text += piece;
    }
  }
  if (text.trim() !== '') found.push({ text, comment, line: lineOf(sql, at) });
  return found;
}

function lineOf(sql, index) {
  return sql.slice(0, index).split('\n').length;
}
