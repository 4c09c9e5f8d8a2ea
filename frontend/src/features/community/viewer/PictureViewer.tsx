import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { altOf } from '@/features/community/pictureAlt';
import type { Picture } from '@/features/community/types';
import { BackIcon } from '@/shared/ui/icons';
import { useModal } from '@/shared/ui/useModal';
import { viewerCopy } from './copy.viewer';
import styles from './PictureViewer.module.css';
import { useZoom } from './zoom';

const AUTOPLAY_MS = 2_000;

interface PictureViewerProps {
  pictures: readonly Picture[];
  nickname: string;
  /** The place of the first picture that is shown; null while the viewer is closed. */
  at: number | null;
  onClose: () => void;
}

/** Pictures over the whole screen, one beside the other. Back closes the viewer alone. */
export function PictureViewer(props: PictureViewerProps) {
  const { ref, isPresent } = useModal(props.at !== null, props.onClose);
  // While it closes, it goes on showing what it showed.
  const [shownFrom, setShownFrom] = useState(props.at);
  if (props.at !== null && props.at !== shownFrom) setShownFrom(props.at);
  if (!isPresent) return null;
  return (
    <dialog ref={ref} className={styles.viewer} aria-label={viewerCopy.title}>
      {props.at !== null && <Slides key={props.at} {...props} at={shownFrom ?? 0} />}
    </dialog>
  );
}

function Slides({ pictures, nickname, at, onClose }: PictureViewerProps & { at: number }) {
  const track = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState(at);
  const [isPlaying, setPlaying] = useState(() => pictures.length > 1 && !prefersStillness());
  const [isZoomed, setZoomed] = useState(false);
  const count = pictures.length;

  const goTo = (next: number, isSmooth = true) => {
    setPlace(next);
    const element = track.current;
    element?.scrollTo({ left: next * element.clientWidth, behavior: isSmooth && !prefersStillness() ? 'smooth' : 'instant' });
  };
  useEffect(() => {
    const element = track.current;
    element?.scrollTo({ left: at * element.clientWidth, behavior: 'instant' });
  }, [at]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => goTo((place + 1) % count, place + 1 < count), AUTOPLAY_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, place, count]);

  const stop = () => setPlaying(false);
  const step = (by: number) => {
    stop();
    const next = place + by;
    if (next >= 0 && next < count) goTo(next);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowLeft') step(-1);
  };
  const onScroll = () => {
    const element = track.current;
    // What plays scrolls by itself, past pictures that it does not stop at.
    if (element === null || isPlaying || element.clientWidth === 0) return;
    setPlace(Math.round(element.scrollLeft / element.clientWidth));
  };

  return (
    // The arrows do what the buttons below do.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.frame} onKeyDown={onKey}>
      <header className={styles.bar}>
        <button type="button" className={styles.button} aria-label={viewerCopy.back} ref={focusOnMount} onClick={onClose}>
          <BackIcon />
        </button>
        <p aria-live={isPlaying ? 'off' : 'polite'}>{viewerCopy.place(place + 1, count)}</p>
        {count > 1 ? (
          <button type="button" className={styles.button} aria-label={isPlaying ? viewerCopy.pause : viewerCopy.play} onClick={() => setPlaying(!isPlaying)}>
            {isPlaying ? <PauseIcon /> : <PlayIcon />}
          </button>
        ) : (
          <span className={styles.button} />
        )}
      </header>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard */}
      <ul ref={track} tabIndex={0} className={`${styles.track} ${isZoomed ? styles.still : ''}`} onScroll={onScroll}>
        {pictures.map((picture, index) => (
          <Slide
            key={picture.url}
            picture={picture}
            alt={altOf(picture, nickname, index)}
            isCurrent={index === place}
            isNear={Math.abs(index - place) <= 1}
            onTouch={stop}
            onZoom={setZoomed}
          />
        ))}
      </ul>
      {count > 1 && (
        <footer className={styles.dots}>
          <button type="button" className={styles.button} aria-label={viewerCopy.previous} aria-disabled={place === 0 || undefined} onClick={() => step(-1)}>
            <BackIcon />
          </button>
          <span className={styles.dotRow} aria-hidden="true">
            {pictures.map(({ url }, index) => (
              <span key={url} className={index === place ? styles.dotOn : styles.dot} />
            ))}
          </span>
          <button
            type="button"
            className={`${styles.button} ${styles.turned}`}
            aria-label={viewerCopy.next}
            aria-disabled={place === count - 1 || undefined}
            onClick={() => step(1)}
          >
            <BackIcon />
          </button>
        </footer>
      )}
    </div>
  );
}

interface SlideProps {
  picture: Picture;
  alt: string;
  isCurrent: boolean;
  /** It or its neighbour is shown. */
  isNear: boolean;
  onTouch: () => void;
  onZoom: (isZoomed: boolean) => void;
}

/** One picture, over its small one until it has arrived. */
function Slide({ picture, alt, isCurrent, isNear, onTouch, onZoom }: SlideProps) {
  const [isFailed, setFailed] = useState(false);
  const { zoom, reset, handlers } = useZoom(onTouch);
  const isZoomed = zoom.scale > 1;
  useEffect(() => {
    if (isCurrent) onZoom(isZoomed);
    else reset();
    // Only what is shown and whether it is enlarged count.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isCurrent, isZoomed]);
  return (
    <li className={styles.slide} aria-hidden={!isCurrent || undefined} data-zoomed={isZoomed || undefined} {...handlers}>
      {isFailed ? (
        <p className={styles.failed}>{viewerCopy.failed}</p>
      ) : (
        <img
          src={isNear ? picture.url : picture.thumbUrl}
          alt={alt}
          width={picture.width}
          height={picture.height}
          draggable={false}
          className={styles.picture}
          style={{
            backgroundColor: picture.placeholder,
            backgroundImage: `url("${picture.thumbUrl}")`,
            transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`,
          }}
          onError={() => setFailed(true)}
        />
      )}
    </li>
  );
}

function focusOnMount(button: HTMLElement | null): void {
  // Modal dialogs move focus to the first `autofocus` element when they open.
  button?.setAttribute('autofocus', '');
}

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const PauseIcon = () => (
  <svg className="icon" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
    <path d="M8.5 5v14m7-14v14" />
  </svg>
);

const PlayIcon = () => (
  <svg className="icon" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
    <path d="M7.5 4.5 19 12 7.5 19.5z" />
  </svg>
);
