import { lazy, Suspense, useState } from 'react';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import styles from './Community.module.css';
import { postCopy } from './copy';
import { altOf } from './pictureAlt';
import type { Picture } from './types';

const PictureViewer = lazy(() => import(/* webpackChunkName: "community-viewer" */ './viewer/PictureViewer').then(({ PictureViewer: Loaded }) => ({ default: Loaded })));

interface ThumbsProps {
  images: readonly Picture[];
  nickname: string;
  /** Whether they are in view when the screen opens: the first is then not held back until the screen is laid out. */
  isInView?: boolean;
}

/** The pictures of a text in a row that scrolls sideways. Each opens the viewer. */
export function Thumbs({ images, nickname, isInView = false }: ThumbsProps) {
  const [at, setAt] = useState<number | null>(null);
  const wasOpened = useWasOpened(at !== null);
  if (images.length === 0) return null;
  return (
    <>
      <ul className={styles.thumbs}>
        {images.map((image, index) => (
          <li key={image.url}>
            <button type="button" className={styles.thumbButton} onClick={() => setAt(index)}>
              <img
                src={image.thumbUrl}
                alt={altOf(image, nickname, index)}
                width={223}
                height={223}
                {...(isInView && index === 0 ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy' } as const))}
                decoding="async"
                className={styles.thumb}
                style={{ backgroundColor: image.placeholder }}
              />
              <span className="sr-only">{postCopy.enlarge(index + 1, images.length)}</span>
            </button>
          </li>
        ))}
      </ul>
      {wasOpened && (
        <Suspense fallback={null}>
          <PictureViewer pictures={images} nickname={nickname} at={at} onClose={() => setAt(null)} />
        </Suspense>
      )}
    </>
  );
}
