import { type PointerEvent, useId, useRef, useState } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { useModal } from '@/shared/ui/useModal';
import { tutorialCopy } from './copy';
import { FillPicture, LevelPicture, MarketPicture } from './pictures';
import styles from './Tutorial.module.css';

const PICTURES = [MarketPicture, FillPicture, LevelPicture];
const CARDS = tutorialCopy.cards;
const SWIPE_PX = 40;

/** The tour: cards to swipe or step through. Skipping, back and the last button end it. */
export function TutorialDialog({ open, onDone }: { open: boolean; onDone: () => void }) {
  const { ref, isPresent } = useModal(open, onDone);
  const [place, setPlace] = useState(0);
  const titleId = useId();
  const swipe = useSwipe((step) => setPlace((current) => Math.min(CARDS.length - 1, Math.max(0, current + step))));
  if (!isPresent) return null;
  const isLast = place === CARDS.length - 1;
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={titleId}>
      <div className={styles.head}>
        {/* The title gets the focus, so that it is read and no button is pressed by accident. */}
        <h2 id={titleId} tabIndex={-1} ref={focusOnOpen} className="sr-only">
          {tutorialCopy.title}
        </h2>
        <Button tone="text" onClick={onDone}>
          {tutorialCopy.skip}
        </Button>
      </div>
      <div className={styles.window} {...swipe}>
        <div className={styles.strip} style={{ transform: `translateX(${-100 * place}%)` }}>
          {CARDS.map(({ title, body }, index) => {
            const Picture = PICTURES[index];
            return (
              <section key={title} className={styles.card} inert={index !== place} aria-labelledby={`${titleId}-${index}`}>
                <div className={styles.picture} aria-hidden="true">
                  {Picture && <Picture />}
                </div>
                <h3 id={`${titleId}-${index}`} className={styles.title}>
                  {title}
                </h3>
                <p className={styles.body}>{body}</p>
              </section>
            );
          })}
        </div>
      </div>
      <p className={styles.dots} role="status">
        <span className="sr-only">{tutorialCopy.position(place + 1, CARDS.length)}</span>
        {CARDS.map(({ title }, index) => (
          <span key={title} aria-hidden="true" className={index === place ? styles.dotHere : styles.dot} />
        ))}
      </p>
      <div className={styles.actions}>
        {place > 0 && (
          <Button tone="neutral" size="large" onClick={() => setPlace(place - 1)}>
            {action.previous}
          </Button>
        )}
        <Button size="large" onClick={() => (isLast ? onDone() : setPlace(place + 1))}>
          {isLast ? tutorialCopy.start : action.next}
        </Button>
      </div>
    </dialog>
  );
}

function focusOnOpen(title: HTMLElement | null): void {
  title?.setAttribute('autofocus', '');
}

/** A horizontal swipe: left is one forward, right one back. The buttons do the same. */
function useSwipe(onStep: (step: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      from.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: (event: PointerEvent) => {
      if (!from.current) return;
      const right = event.clientX - from.current.x;
      const down = event.clientY - from.current.y;
      from.current = null;
      if (Math.abs(right) > SWIPE_PX && Math.abs(right) > Math.abs(down)) onStep(right < 0 ? 1 : -1);
    },
    onPointerCancel: () => {
      from.current = null;
    },
  };
}
