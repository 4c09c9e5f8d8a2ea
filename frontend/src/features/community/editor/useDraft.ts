import { useCallback, useEffect, useRef, useState } from 'react';
import { newRequestId } from '@/shared/api/requestId';
import { memberSid as memberSidNow } from '@/shared/api/session';
import { readDraft, removeDraft, writeDraft } from '@/shared/platform/memberDrafts';
import { draftOf, isSame, readDraftOf, textOf, type Writing } from './writing';

const SAVED_AFTER_MS = 1_000;

interface Draft {
  writing: Writing;
  setWriting: (change: Partial<Writing>) => void;
  /** The text was found on this device, and is as it was found. */
  isRestored: boolean;
  /** Goes back to the beginning. */
  discard: () => void;
  /** Another tab has changed what is kept since this page opened it. It may send, or have sent, the text with all its pictures. */
  isShared: () => boolean;
  /**
   * Keeps it now, before it is sent: the session or the page may be over by then. Returns the id of the request, which stays with the
   * text until it is published.
   */
  saveToSend: () => string;
  /** The id is spent: whatever is sent next is another request. */
  forgetAttempt: () => void;
  /** It is sent: nothing is left to keep. */
  finish: () => void;
}

/** What is being written, kept on this device while it differs from the beginning: it outlives the page and the tab. */
export function useDraft(memberSid: number, name: string, begin: Writing): Draft {
  const [found] = useState(() => stored(memberSid, name));
  const [kept] = useState(() => readDraftOf(found));
  const [{ writing, isRestored }, setState] = useState(() =>
    kept === null || isSame(kept.writing, begin) ? { writing: begin, isRestored: false } : { writing: kept.writing, isRestored: true },
  );
  const latest = useRef({ writing, attempt: kept?.attempt ?? null, isFinished: false, stored: found, isShared: false });
  useEffect(() => {
    latest.current.writing = writing;
  }, [writing]);

  const isShared = useCallback(() => {
    latest.current.isShared ||= stored(memberSid, name) !== latest.current.stored;
    return latest.current.isShared;
  }, [memberSid, name]);
  const save = useCallback(() => {
    // Looked at now, because what another tab left is overwritten.
    isShared();
    const { writing: now, attempt, isFinished } = latest.current;
    store(memberSid, name, isFinished || isSame(now, begin) ? null : draftOf(now, attempt));
    latest.current.stored = stored(memberSid, name);
    // The beginning never changes while the editor is open.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isShared, memberSid, name]);
  useEffect(() => {
    const timer = setTimeout(save, SAVED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [save, writing]);
  useEffect(() => {
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [save]);

  return {
    writing,
    setWriting: (change) => setState((now) => ({ writing: { ...now.writing, ...change }, isRestored: false })),
    isRestored,
    discard: () => setState({ writing: begin, isRestored: false }),
    isShared,
    saveToSend: () => {
      const { writing: now, attempt } = latest.current;
      const text = textOf(now);
      const { reqSid } = attempt?.text === text ? attempt : { reqSid: newRequestId() };
      latest.current.attempt = { text, reqSid };
      save();
      return reqSid;
    },
    forgetAttempt: () => {
      latest.current.attempt = null;
      save();
    },
    finish: () => {
      latest.current.isFinished = true;
      save();
    },
  };
}

function stored(memberSid: number, name: string): string | null {
  try {
    return readDraft(memberSid, name, localStorage);
  } catch {
    // Storage is unavailable: nothing was kept.
    return null;
  }
}

function store(memberSid: number, name: string, text: string | null): void {
  // Logging out removes the drafts before it removes the editor, which must not keep its own again.
  if (memberSidNow() !== memberSid) return;
  try {
    if (text === null) removeDraft(memberSid, name, localStorage);
    else writeDraft(memberSid, name, text, localStorage);
  } catch {
    // Storage is unavailable or full: the text lasts as long as the page.
  }
}
