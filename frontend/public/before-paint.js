// Runs before the first paint, so a theme chosen by hand never flashes the other one, and the page already has the shape of the
// screen that is coming, with the sentence about its prices.
try {
  var chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be switched off; the device's theme applies.
}
var screenOf = /^\/invest-v2\/(stock|coin|gold|stock-etf)(\/[^/]+)?\/?$/.exec(location.pathname);
if (screenOf) document.documentElement.dataset.boot = screenOf[2] ? 'detail' : screenOf[1];
// A visitor who asks for home comes to the login.
else if (/^\/home\/?$/.test(location.pathname) && /(^|; )memberSid=/.test(document.cookie)) document.documentElement.dataset.boot = 'home';
// A page that was kept for offline may be older than this file.
var embedded = document.getElementById('runtime-config')?.textContent;
var prices = embedded ? JSON.parse(embedded) : {};
if (prices.clock === 'replay') document.documentElement.dataset.prices = 'replay';
else if (prices.simulated) document.documentElement.dataset.prices = 'practice';
