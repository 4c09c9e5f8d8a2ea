import { type PointerEvent, useRef, useState } from 'react';

/** How a picture lies in its frame, from the middle, in CSS pixels. */
interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };

const MOST = 4;
const TAPPED = 2.5;
const DOUBLE_TAP_MS = 300;
/** Two taps further apart are two taps. */
const DOUBLE_TAP_PX = 30;

interface Point {
  x: number;
  y: number;
}

interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Enlarges around a point of the screen, which stays where it is. */
export function zoomedAt({ scale, x, y }: Zoom, wanted: number, at: Point, frame: Frame): Zoom {
  const next = Math.min(Math.max(wanted, 1), MOST);
  const fromMiddle = { x: at.x - frame.left - frame.width / 2, y: at.y - frame.top - frame.height / 2 };
  const ratio = next / scale;
  return within({ scale: next, x: fromMiddle.x - (fromMiddle.x - x) * ratio, y: fromMiddle.y - (fromMiddle.y - y) * ratio }, frame);
}

/** No further than its edge. */
export function within({ scale, x, y }: Zoom, { width, height }: Frame): Zoom {
  const most = { x: ((scale - 1) * width) / 2, y: ((scale - 1) * height) / 2 };
  return { scale, x: clamp(x, most.x), y: clamp(y, most.y) };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

/** Zooming by two fingers or a double tap, and moving what is zoomed. `onTouch` is called at each first touch. */
export function useZoom(onTouch: () => void) {
  const [zoom, setZoom] = useState<Zoom>(WHOLE);
  const pointers = useRef(new Map<number, Point>());
  const lastTap = useRef<(Point & { atMs: number }) | null>(null);
  const hasMoved = useRef(false);

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      onTouch();
      hasMoved.current = false;
      pointers.current.set(event.pointerId, pointOf(event));
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const before = pointers.current.get(event.pointerId);
      if (before === undefined) return;
      const now = pointOf(event);
      if (distance(before, now) > 0) hasMoved.current = hasMoved.current || distance(before, now) > 3;
      const frame = event.currentTarget.getBoundingClientRect();
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      if (other !== undefined) {
        const ratio = distance(now, other) / Math.max(distance(before, other), 1);
        setZoom((zoomed) => zoomedAt(zoomed, zoomed.scale * ratio, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }, frame));
      } else {
        setZoom((zoomed) => (zoomed.scale === 1 ? zoomed : within({ ...zoomed, x: zoomed.x + now.x - before.x, y: zoomed.y + now.y - before.y }, frame)));
      }
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      pointers.current.delete(event.pointerId);
      if (hasMoved.current || pointers.current.size > 0) return;
      const tap = { ...pointOf(event), atMs: event.timeStamp };
      const before = lastTap.current;
      const isDouble = before !== null && tap.atMs - before.atMs < DOUBLE_TAP_MS && distance(before, tap) < DOUBLE_TAP_PX;
      lastTap.current = isDouble ? null : tap;
      if (!isDouble) return;
      const frame = event.currentTarget.getBoundingClientRect();
      setZoom((zoomed) => (zoomed.scale > 1 ? WHOLE : zoomedAt(zoomed, TAPPED, tap, frame)));
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      pointers.current.delete(event.pointerId);
    },
  };
  return { zoom, reset: () => setZoom(WHOLE), handlers };
}

function pointOf({ clientX, clientY }: PointerEvent): Point {
  return { x: clientX, y: clientY };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
