/* global ROUTE_FILES, document, location */
// Runs while the entry is still on its way. The build puts the table in: patterns of paths, each with the files of its screen and,
// where that is a member's, those of the screen a visitor comes to instead.
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

// Making the first of these takes a phone tens of milliseconds. Now is when it would only wait for the line.
setTimeout(() => new Intl.NumberFormat('ko-KR'));
