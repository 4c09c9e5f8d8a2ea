// Runs before the first paint, so a theme chosen by hand never flashes the other one, and the page already has the shape of the
// screen that is coming.
try {
  var chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be switched off; the device's theme applies.
}
var screenOf = /^\/invest-v2\/(stock|coin|gold|stock-etf)(\/[^/]+)?\/?$/.exec(location.pathname);
if (screenOf) document.documentElement.dataset.boot = screenOf[2] ? 'detail' : screenOf[1];
