// Plays the native side in the client's window, before any script of the client runs: it provides the transport chosen in the
// panel, forwards the client's messages, and sends the panel's. It is injected by server.ts and is part of no build.
(() => {
  const chosen = { platform: 'android', version: '1.0', transport: 'AppBridge', lateMs: 0, ...JSON.parse(localStorage.getItem('shell') ?? '{}') };
  const channel = new BroadcastChannel('shell');

  Object.defineProperty(navigator, 'userAgent', {
    value: `${navigator.userAgent} InvestApp/${chosen.platform}/${chosen.version}`,
    configurable: true,
  });

  const hear = (raw) => {
    const message = typeof raw === 'string' ? JSON.parse(raw) : raw;
    channel.postMessage({ from: 'client', message });
    // A shell acknowledges a request at once; the panel may reject it instead.
    if (message.type === 'share' && chosen.refuses !== true) say('reply', { ok: true }, message.id);
    if (message.type === 'share' && chosen.refuses === true) say('reply', { ok: false }, message.id);
  };
  const say = (type, payload, id = `n${Date.now()}`) => {
    const message = { v: 1, id, type, payload };
    channel.postMessage({ from: 'shell', message });
    // Each kind of shell delivers differently: by a call, or by a message event on the window or the document.
    if (chosen.transport !== 'ReactNativeWebView') window.__app?.receive(JSON.stringify(message));
    else (chosen.platform === 'android' ? document : window).dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  };
  const attach = () => {
    if (chosen.transport === 'webkit') window.webkit = { messageHandlers: { app: { postMessage: hear } } };
    else window[chosen.transport] = { postMessage: hear };
  };

  if (chosen.lateMs === 0) attach();
  else if (chosen.lateMs > 0) setTimeout(attach, chosen.lateMs);

  channel.addEventListener('message', ({ data }) => {
    if (data.from === 'panel') say(data.type, data.payload);
  });
})();
