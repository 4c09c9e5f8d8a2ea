// Runs before the first paint, so a theme chosen by hand never flashes the other one.
try {
  var chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be switched off; the device's theme applies.
}
