import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The frame of a phone of 412 px less its gutters, until the box is measured. */
const USUAL_WIDTH_PX = 372;

/** A box and its width, so that charts are drawn in real pixels and their text keeps its size. */
export function useWidth(): { ref: RefObject<HTMLDivElement | null>; widthPx: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [widthPx, setWidth] = useState(USUAL_WIDTH_PX);
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return undefined;
    const measure = () => {
      if (box.clientWidth > 0) setWidth(box.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { ref, widthPx };
}
