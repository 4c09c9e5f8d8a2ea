import { postCopy } from './copy';
import type { Picture } from './types';

/** What a picture is called: in its author's words where there are any. */
export function altOf({ alt }: Pick<Picture, 'alt'>, nickname: string, index: number): string {
  return alt || postCopy.photo(nickname, index + 1);
}
