/* global ROUTE_FILES, document, location */
// Runs while the entry is loading. The build inserts the table: path patterns, each with the files of its screen and, for a
// member's screen, those of the screen a visitor gets instead.
const found = ROUTE_FILES.find(([pattern]) => new RegExp(pattern).test(location.pathname));
const [, files = [], filesOfVisitor = files] = found ?? [];
const isMember = /(^|; )memberSid=/.test(document.cookie);

for (const file of isMember ? files : filesOfVisitor) {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = file.endsWith('.css') ? 'style' : 'script';
  link.href = `/${file}`;
  document.head.append(link);
}

// Creating the first formatter takes a phone tens of milliseconds, which would otherwise be spent waiting for the line.
setTimeout(() => new Intl.NumberFormat('ko-KR'));
