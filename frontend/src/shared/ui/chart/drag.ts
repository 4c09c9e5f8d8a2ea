/** A movement of the finger that means something. */
const DRAG_PX = 16;

interface DragHandlers {
  /** Whether a finger reads bars now instead of moving them. */
  isReading: () => boolean;
  /** A finger or a mouse moves the bars towards the past; told once for each touch. */
  onPast: () => void;
  /** The system took the touch away, so that its end will never come. */
  onCancel: () => void;
}

/** Listens to drags over an element; what it returns stops that. */
export function listenToDrags(element: HTMLElement, { isReading, onPast, onCancel }: DragHandlers): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let downAt: number | null = null;
  const end = () => {
    downAt = null;
  };
  element.addEventListener('pointerdown', ({ clientX }) => (downAt = clientX), { signal });
  element.addEventListener(
    'pointermove',
    ({ clientX, pointerType }) => {
      // A mouse reads wherever it is, also while it moves the bars.
      if (downAt === null || clientX - downAt < DRAG_PX || (pointerType === 'touch' && isReading())) return;
      end();
      onPast();
    },
    { signal },
  );
  element.addEventListener('pointerup', end, { signal });
  element.addEventListener('pointercancel', end, { signal });
  element.addEventListener('touchcancel', onCancel, { signal });
  return () => listening.abort();
}
