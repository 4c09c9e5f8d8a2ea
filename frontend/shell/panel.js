// The buttons of the panel and the message log. Communicates with player.js over a BroadcastChannel.
const channel = new BroadcastChannel('shell');
const log = document.getElementById('log');

channel.addEventListener('message', ({ data: { from, message } }) => {
  if (from === 'panel') return;
  const line = document.createElement('li');
  line.dataset.from = from;
  line.textContent = `${message.type} ${JSON.stringify(message.payload)}`;
  log.prepend(line);
});

document.getElementById('start').addEventListener('submit', (event) => {
  event.preventDefault();
  const { path, lateMs, refuses, ...rest } = Object.fromEntries(new FormData(event.currentTarget));
  localStorage.setItem('shell', JSON.stringify({ ...rest, lateMs: Number(lateMs), refuses: refuses !== '' }));
  // A separate window: the client offers no bridge to a page in a frame.
  window.open(path, 'client', 'popup,width=412,height=915');
});

const say = (type, payload) => channel.postMessage({ from: 'panel', type, payload });
document.getElementById('say').addEventListener('submit', (event) => {
  event.preventDefault();
  say('deepLink', { path: new FormData(event.currentTarget).get('path') });
});
for (const button of document.querySelectorAll('[data-type]')) {
  button.addEventListener('click', () => say(button.dataset.type, JSON.parse(button.dataset.payload)));
}
