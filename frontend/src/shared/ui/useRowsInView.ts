import { type RefObject, useCallback, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRowPlaces, type RowPlaces } from './rowPlaces';

/** Rows drawn before anything is measured: the first screen of a phone. */
const FIRST_ROWS = 12;
/** Rows drawn beyond the edge that is scrolled towards, and beyond the one that is left behind. */
const ROWS_AHEAD = 3;
const ROWS_BEHIND = 1;

interface View {
  first: number;
  last: number;
}

/** Follows the height of a drawn row; returns the function that stops it. */
export type WatchRow = (row: Element, index: number) => () => void;

export interface RowsInView<List extends HTMLElement> extends View {
  /** Goes on the element that is as high as all rows together. */
  list: RefObject<List | null>;
  places: RowPlaces;
  watch: WatchRow;
}

/** Who wants to know which row stands at a distance from the top of the screen. */
interface RowAt {
  stickAtPx: number;
  onRowAt: (index: number) => void;
}

/**
 * Which of `count` rows to draw while the page is scrolled, or the sheet that the list lies in. A row is drawn in the very frame
 * it comes into view, and scrolling renders nothing until another row does.
 */
export function useRowsInView<List extends HTMLElement>(count: number, usualPx: number, rowAt?: RowAt): RowsInView<List> {
  const list = useRef<List>(null);
  const [places] = useState(() => createRowPlaces(usualPx));
  const [view, setView] = useState<View>({ first: 0, last: Math.min(FIRST_ROWS, count) - 1 });
  const [, setMoves] = useState(0);
  const scroller = useRef<HTMLElement>(null);
  const observer = useRef<ResizeObserver>(null);
  const watched = useRef(new Map<Element, number>());
  const seenFromPx = useRef(Number.NEGATIVE_INFINITY);

  const lookAgain = useEffectEvent((): View => {
    if (!list.current) return view;
    const fromPx = (scroller.current?.getBoundingClientRect().top ?? 0) - list.current.getBoundingClientRect().top;
    const toPx = fromPx + (scroller.current?.clientHeight ?? window.innerHeight);
    const isUpwards = fromPx < seenFromPx.current;
    seenFromPx.current = fromPx;
    const first = places.indexAt(fromPx - usualPx * (isUpwards ? ROWS_AHEAD : ROWS_BEHIND), count);
    const last = places.indexAt(toPx + usualPx * (isUpwards ? ROWS_BEHIND : ROWS_AHEAD), count);
    rowAt?.onRowAt(places.indexAt(fromPx + rowAt.stickAtPx, count));
    return first === view.first && last === view.last ? view : { first, last };
  });

  /** Returns whether anything has moved that the view depends on. */
  const takeHeights = useEffectEvent((entries: readonly ResizeObserverEntry[]): boolean => {
    let movedPx = 0;
    let shiftPx = 0;
    for (const { target, contentRect } of entries) {
      const index = watched.current.get(target);
      if (index === undefined || contentRect.height === 0) continue;
      const isAbove = places.topOf(index + 1) <= seenFromPx.current;
      const difference = places.measure(index, contentRect.height);
      movedPx += Math.abs(difference);
      if (isAbove) shiftPx += difference;
    }
    if (movedPx > 0) flushSync(() => setMoves((moves) => moves + 1));
    // What is being read stays where it is when a row above it turns out to be higher.
    if (shiftPx !== 0) (scroller.current ?? window).scrollBy(0, shiftPx);
    return movedPx > 0 || entries.some(({ target }) => !watched.current.has(target));
  });

  useLayoutEffect(() => {
    scroller.current = list.current?.closest<HTMLElement>('[data-sheet-content]') ?? null;
    const place = scroller.current ?? window;
    // Within the event, so that rows are laid out once: together with whatever else this frame changes.
    const follow = () => {
      const next = lookAgain();
      flushSync(() => setView(next));
    };
    const heights = new ResizeObserver((entries) => {
      if (takeHeights(entries)) follow();
    });
    observer.current = heights;
    // What stands above the list may come late and push it down.
    heights.observe(scroller.current ?? document.body);
    for (const row of watched.current.keys()) heights.observe(row);
    place.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    return () => {
      observer.current = null;
      heights.disconnect();
      place.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
    };
  }, []);

  useLayoutEffect(() => setView(lookAgain()), [count]);

  const watch = useCallback<WatchRow>((row, index) => {
    watched.current.set(row, index);
    observer.current?.observe(row);
    return () => {
      watched.current.delete(row);
      observer.current?.unobserve(row);
    };
  }, []);

  return { list, places, watch, ...view };
}
