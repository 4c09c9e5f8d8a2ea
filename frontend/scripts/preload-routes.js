/* global ROUTE_FILES, document, location */
// Runs while the entry is still on its way. The build puts the table in: patterns of paths, each with the files of its screen
// and with what the screen asks first for somebody without a session.
const found = ROUTE_FILES.find(([pattern]) => new RegExp(pattern).test(location.pathname));

function preload(href, as) {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = as;
  link.href = href;
  // An answer is taken for the later request only if both are of the same mode.
  if (as === 'fetch') link.crossOrigin = 'anonymous';
  document.head.append(link);
}

if (found) {
  const [pattern, files, read] = found;
  for (const file of files) preload(`/${file}`, file.endsWith('.css') ? 'style' : 'script');
  const hasSession = /(^|; )access_token=./.test(document.cookie);
  if (read && !hasSession && location.search === '') preload(location.pathname.replace(new RegExp(pattern), read), 'fetch');
}

// Making the first of these takes a phone tens of milliseconds. Now is when it would only wait for the line.
setTimeout(() => new Intl.NumberFormat('ko-KR'));
