// Runs before the first paint, so that a chosen theme never flashes the other one and the page already has the skeleton of its
// screen and its price note.
try {
  var chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  var accent = localStorage.getItem('accent');
  if (accent) document.documentElement.dataset.accent = accent;
} catch {
  // Storage is unavailable: the device's theme applies.
}
var screenOf = /^\/invest-v2\/(stock|coin|gold|stock-etf)(\/[^/]+)?\/?$/.exec(location.pathname);
if (screenOf) document.documentElement.dataset.boot = screenOf[2] ? 'detail' : screenOf[1];
// A visitor who opens home gets the login.
else if (/^\/home\/?$/.test(location.pathname) && /(^|; )memberSid=/.test(document.cookie)) document.documentElement.dataset.boot = 'home';
// A page cached for offline use may be older than this file.
var embedded = document.getElementById('runtime-config')?.textContent;
var prices = embedded ? JSON.parse(embedded) : {};
if (prices.clock === 'replay') document.documentElement.dataset.prices = 'replay';
else if (prices.simulated) document.documentElement.dataset.prices = 'practice';
