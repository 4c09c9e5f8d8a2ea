import { useEffect, useReducer, useRef } from 'react';
import { photosCopy } from '@/features/community/copy.photos';
import { messageOf } from '@/features/community/messageOf';
import type { DraftPicture } from '@/features/community/editor/writing';
import { discardPhoto, uploadPhoto } from './photoApi';
import { shrinkPhoto } from './shrinkPhoto';

/** A photo that is not uploaded yet. */
export interface Upload {
  id: number;
  file: File;
  /** Of the file on this device. */
  preview: string;
  /** From 0 to 1. */
  sent: number;
  /** What is wrong; null while it waits or is sent. */
  problem: string | null;
}

type Change = { add: Upload[] } | { drop: number } | { id: number; set: Partial<Pick<Upload, 'sent' | 'problem'>> };

function changed(uploads: readonly Upload[], change: Change): readonly Upload[] {
  if ('add' in change) return [...uploads, ...change.add];
  if ('drop' in change) return uploads.filter(({ id }) => id !== change.drop);
  return uploads.map((upload) => (upload.id === change.id ? { ...upload, ...change.set } : upload));
}

let lastId = 0;

/** Uploads photos one after the other. A failed one waits for another try and holds up no other. */
export function usePhotos(onUploaded: (picture: DraftPicture) => void) {
  const [uploads, dispatch] = useReducer(changed, []);
  const running = useRef<{ id: number; abort: AbortController } | null>(null);
  const report = useRef(onUploaded);
  useEffect(() => {
    report.current = onUploaded;
  });

  const next = uploads.find(({ problem }) => problem === null);
  const nextId = next?.id ?? null;
  useEffect(() => {
    if (next === undefined || running.current !== null) return;
    const { id, file, preview } = next;
    const abort = new AbortController();
    running.current = { id, abort };
    const upload = async () => {
      try {
        const photo = await shrinkPhoto(file);
        const picture = await uploadPhoto(photo, (sent) => dispatch({ id, set: { sent } }), abort.signal);
        if (abort.signal.aborted) {
          void discardPhoto(picture.url);
          return;
        }
        report.current({ ...picture, alt: '' });
        dispatch({ drop: id });
        release(preview);
      } catch (problem) {
        dispatch({ id, set: { sent: 0, problem: messageOf(problem, photosCopy.failed) } });
      } finally {
        running.current = null;
      }
    };
    void upload();
    // One at a time, whatever else changes of it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [nextId]);
  useEffect(() => () => running.current?.abort.abort(), []);

  return {
    uploads,
    add: (files: readonly File[]) => {
      const added = files.map((file) => ({ id: (lastId += 1), file, preview: previewOf(file), sent: 0, problem: null }));
      dispatch({ add: added });
    },
    retry: (id: number) => dispatch({ id, set: { problem: null } }),
    drop: ({ id, preview }: Upload) => {
      if (running.current?.id === id) running.current.abort.abort();
      dispatch({ drop: id });
      release(preview);
    },
  };
}

function previewOf(file: File): string {
  return typeof URL.createObjectURL === 'function' ? URL.createObjectURL(file) : '';
}

function release(preview: string): void {
  if (preview !== '') URL.revokeObjectURL(preview);
}
