import { POST_CATEGORIES, type PostCategory, type PostTag } from '@/features/community/types';

/** What is in the editor. Comments have only the text. */
export interface Writing {
  content: string;
  category: PostCategory;
  tags: readonly Pick<PostTag, 'code' | 'name'>[];
  /** Whether tags may say that the author holds the instrument. */
  showsHeld: boolean;
}

export const MOST_TAGS = 5;

export const NOTHING: Writing = { content: '', category: 'FREE', tags: [], showsHeld: false };

export function isSame(one: Writing, other: Writing): boolean {
  return textOf(one) === textOf(other);
}

/** The stored form, the same for the same content. */
export function textOf({ content, category, tags, showsHeld }: Writing): string {
  return JSON.stringify({ content, category, tags: tags.map(({ code, name }) => ({ code, name })), showsHeld });
}

/** Reads a stored form; null when another release wrote it, or it was edited. */
export function readWriting(text: string | null): Writing | null {
  try {
    const { content, category, tags, showsHeld } = JSON.parse(text ?? 'null') as Partial<Record<keyof Writing, unknown>>;
    const known = POST_CATEGORIES.find((one) => one === category);
    if (typeof content !== 'string' || known === undefined || !Array.isArray(tags) || !tags.every(isTag)) return null;
    return { content, category: known, tags, showsHeld: showsHeld === true };
  } catch {
    return null;
  }
}

function isTag(value: unknown): value is Writing['tags'][number] {
  if (typeof value !== 'object' || value === null) return false;
  const { code, name } = value as Record<string, unknown>;
  return typeof code === 'string' && typeof name === 'string';
}
