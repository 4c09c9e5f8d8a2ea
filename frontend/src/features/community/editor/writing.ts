import { type Picture, POST_CATEGORIES, type PostCategory, type PostTag } from '@/features/community/types';

/** A picture of the text that is written; `alt` says what it shows, or is empty. */
export type DraftPicture = Picture;

/** What is in the editor. Comments have only the text and pictures. */
export interface Writing {
  content: string;
  category: PostCategory;
  tags: readonly Pick<PostTag, 'code' | 'name'>[];
  /** Whether tags may say that the author holds the instrument. */
  showsHeld: boolean;
  pictures: readonly DraftPicture[];
}

/** A text that was sent, and the id of its request. It may have been published, whatever was answered to a later send. */
interface Attempt {
  /** As `textOf` writes it. */
  text: string;
  reqSid: string;
}

export interface KeptDraft {
  writing: Writing;
  /** Of this very text. */
  attempt: Attempt | null;
}

export const MOST_TAGS = 5;

const REQ_SID = /^[\w-]{8,64}$/;

export const NOTHING: Writing = { content: '', category: 'FREE', tags: [], showsHeld: false, pictures: [] };

export function isSame(one: Writing, other: Writing): boolean {
  return textOf(one) === textOf(other);
}

/** The same for the same content. */
export function textOf(writing: Writing): string {
  return JSON.stringify(fieldsOf(writing));
}

/** The stored form. An attempt is kept with the text that it sent. */
export function draftOf(writing: Writing, attempt: Attempt | null): string {
  const isAttempted = attempt !== null && attempt.text === textOf(writing);
  return JSON.stringify({ ...fieldsOf(writing), ...(isAttempted && { reqSid: attempt.reqSid }) });
}

/** Reads a stored form; null when another release wrote it, or it was edited. */
export function readDraftOf(stored: string | null): KeptDraft | null {
  const writing = readWriting(stored);
  if (writing === null) return null;
  const { reqSid } = JSON.parse(stored ?? 'null') as { reqSid?: unknown };
  return { writing, attempt: typeof reqSid === 'string' && REQ_SID.test(reqSid) ? { text: textOf(writing), reqSid } : null };
}

function readWriting(stored: string | null): Writing | null {
  try {
    const { content, category, tags, showsHeld, pictures = [] } = JSON.parse(stored ?? 'null') as Partial<Record<keyof Writing, unknown>>;
    const known = POST_CATEGORIES.find((one) => one === category);
    if (typeof content !== 'string' || known === undefined || !Array.isArray(tags) || !tags.every(isTag)) return null;
    if (!Array.isArray(pictures) || !pictures.every(isPicture)) return null;
    return { content, category: known, tags, showsHeld: showsHeld === true, pictures };
  } catch {
    return null;
  }
}

function fieldsOf({ content, category, tags, showsHeld, pictures }: Writing): Writing {
  return { content, category, tags: tags.map(({ code, name }) => ({ code, name })), showsHeld, pictures: pictures.map(pictureFields) };
}

function isTag(value: unknown): value is Writing['tags'][number] {
  if (typeof value !== 'object' || value === null) return false;
  const { code, name } = value as Record<string, unknown>;
  return typeof code === 'string' && typeof name === 'string';
}

/** In one order, so that equal ones read alike. */
function pictureFields({ url, thumbUrl, width, height, placeholder, alt }: DraftPicture): DraftPicture {
  return { url, thumbUrl, width, height, placeholder, alt };
}

function isPicture(value: unknown): value is DraftPicture {
  if (typeof value !== 'object' || value === null) return false;
  const { url, thumbUrl, width, height, placeholder, alt } = value as Record<string, unknown>;
  const areTexts = [url, thumbUrl, placeholder, alt].every((text) => typeof text === 'string');
  return areTexts && typeof width === 'number' && typeof height === 'number';
}
