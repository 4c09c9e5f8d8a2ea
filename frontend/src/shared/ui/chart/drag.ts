/** A shorter movement is not a drag. */
const DRAG_PX = 16;

interface DragHandlers {
  /** Whether a finger is reading bars instead of moving them. */
  isReading: () => boolean;
  /** A finger or a mouse drags towards the past; called once per touch. */
  onPast: () => void;
  /** The system has cancelled the touch, so its end will not come. */
  onCancel: () => void;
}

/** Listens to drags over an element. Returns the cleanup. */
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
