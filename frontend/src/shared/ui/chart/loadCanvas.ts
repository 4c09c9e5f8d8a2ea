import type * as canvasModule from './canvas';

type Canvas = typeof canvasModule;

const WAIT_MS = 500;

let loading: Promise<Canvas> | undefined;

/** The chart library, loaded once and resolved when the browser is idle: drawing a chart is the longest task of its screen. */
export function loadCanvas(): Promise<Canvas> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Canvas> {
  const canvas = import(/* webpackChunkName: "chart" */ './canvas');
  await whenIdle();
  return canvas;
}

function whenIdle(): Promise<unknown> {
  if (!('requestIdleCallback' in window)) return Promise.resolve();
  return new Promise((resolve) => window.requestIdleCallback(resolve, { timeout: WAIT_MS }));
}
