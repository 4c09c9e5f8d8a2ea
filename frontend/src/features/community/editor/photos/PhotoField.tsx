import { type ChangeEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { photosCopy } from '@/features/community/copy.photos';
import type { DraftPicture } from '@/features/community/editor/writing';
import { Button } from '@/shared/ui/Button';
import { BackIcon, CloseIcon } from '@/shared/ui/icons';
import { AltField } from './AltField';
import { moved } from './moved';
import styles from './PhotoField.module.css';
import type { Upload } from './usePhotos';

interface PhotoFieldProps {
  pictures: readonly DraftPicture[];
  most: number;
  uploads: readonly Upload[];
  onChange: (pictures: readonly DraftPicture[]) => void;
  /** Taken out of the text by the member. */
  onRemove: (picture: DraftPicture) => void;
  onAdd: (files: readonly File[]) => void;
  onRetry: (id: number) => void;
  onDrop: (upload: Upload) => void;
  /** The picture whose description is asked for; null for none. */
  described: string | null;
  onDescribe: (url: string | null) => void;
}

/** The photos of a text: choosing, order, description. */
export function PhotoField({ pictures, most, uploads, onChange, onRemove, onAdd, onRetry, onDrop, described, onDescribe }: PhotoFieldProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const limitId = useId();
  const [said, setSaid] = useState('');
  const count = pictures.length + uploads.length;
  const isFull = count >= most;
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // The same file may be chosen again.
    target.value = '';
    onAdd(files.slice(0, most - count));
    setSaid(files.length > most - count ? photosCopy.full(most) : '');
  };
  const move = (from: number, to: number) => {
    onChange(moved(pictures, from, to));
    setSaid(photosCopy.moved(to + 1, pictures.length));
  };
  const drag = useDrag(move);
  const place = pictures.findIndex(({ url }) => url === described);
  const asked = pictures[place];
  return (
    <section className={styles.photos} aria-label={photosCopy.photos}>
      {count > 0 && (
        <ul className={styles.row}>
          {pictures.map((picture, index) => (
            <li key={picture.url} className={styles.tile} data-photo={index}>
              <img
                src={picture.thumbUrl}
                alt={picture.alt || photosCopy.photo(index + 1)}
                width={112}
                height={112}
                draggable={false}
                className={styles.image}
                style={{ backgroundColor: picture.placeholder }}
                {...(pictures.length > 1 && drag(index))}
              />
              <button type="button" className={styles.remove} aria-label={photosCopy.remove(index + 1)} onClick={() => onRemove(picture)}>
                <CloseIcon size={16} />
              </button>
              <div className={styles.tools}>
                <MoveButton label={photosCopy.earlier(index + 1)} isPossible={index > 0} onClick={() => move(index, index - 1)} />
                <button type="button" className={styles.tool} aria-label={photosCopy.describeButton(index + 1)} onClick={() => onDescribe(picture.url)}>
                  {photosCopy.describeShort}
                </button>
                <MoveButton label={photosCopy.later(index + 1)} isPossible={index < pictures.length - 1} isTurned onClick={() => move(index, index + 1)} />
              </div>
            </li>
          ))}
          {uploads.map((upload, index) => (
            <UploadTile key={upload.id} upload={upload} place={pictures.length + index + 1} onRetry={() => onRetry(upload.id)} onDrop={() => onDrop(upload)} />
          ))}
        </ul>
      )}
      {asked && (
        <AltField
          key={asked.url}
          place={place + 1}
          value={asked.alt}
          onDone={(alt) => {
            onChange(pictures.map((picture) => (picture === asked ? { ...picture, alt } : picture)));
            onDescribe(null);
          }}
          onSkip={() => onDescribe(null)}
        />
      )}
      <input ref={chooser} type="file" aria-label={photosCopy.photos} accept="image/jpeg,image/png,image/webp" multiple hidden data-photo-chooser="" onChange={choose} />
      <Button tone="neutral" disabled={isFull} describedBy={limitId} onClick={() => chooser.current?.click()}>
        {photosCopy.add(count, most)}
      </Button>
      <p id={limitId} role="status" className={said || isFull ? styles.note : 'sr-only'}>
        {said || (isFull ? photosCopy.full(most) : '')}
      </p>
    </section>
  );
}

function MoveButton({ label, isPossible, isTurned = false, onClick }: { label: string; isPossible: boolean; isTurned?: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`${styles.tool} ${isTurned ? styles.turned : ''}`}
      aria-label={label}
      aria-disabled={!isPossible || undefined}
      onClick={() => isPossible && onClick()}
    >
      <BackIcon size={18} />
    </button>
  );
}

function UploadTile({ upload: { preview, sent, problem }, place, onRetry, onDrop }: { upload: Upload; place: number; onRetry: () => void; onDrop: () => void }) {
  const percent = Math.round(sent * 100);
  return (
    <li className={styles.tile}>
      <div className={styles.pending}>
        {preview !== '' && <img src={preview} alt="" width={112} height={112} className={styles.image} />}
        {problem === null ? (
          <progress className={styles.progress} max={100} value={percent} aria-label={photosCopy.uploading(place)} />
        ) : (
          <button type="button" className={styles.retry} onClick={onRetry}>
            {photosCopy.retry}
          </button>
        )}
      </div>
      <button type="button" className={styles.remove} aria-label={photosCopy.remove(place)} onClick={onDrop}>
        <CloseIcon size={16} />
      </button>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </li>
  );
}

/** Dragging a photo onto the place of another one. The buttons do the same for the keyboard. */
function useDrag(onMove: (from: number, to: number) => void) {
  const from = useRef<number | null>(null);
  return (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      from.current = index;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const start = from.current;
      from.current = null;
      const below = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest<HTMLElement>('[data-photo]'));
      const target = Number(below.find((tile) => tile !== null)?.dataset.photo ?? NaN);
      if (start !== null && Number.isInteger(target) && target !== start) onMove(start, target);
    },
    onPointerCancel: () => {
      from.current = null;
    },
  });
}
