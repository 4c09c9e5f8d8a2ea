import { Link } from 'react-router';
import styles from '@/features/community/Community.module.css';
import detail from './Detail.module.css';
import { tagHref } from '@/features/community/itemOfTag';
import type { PostTag } from '@/features/community/types';

/** The text of a post, in which `$name` of a tagged instrument is a link. */
export function TextWithTags({ content, tags }: { content: string; tags: readonly PostTag[] }) {
  return (
    <p className={styles.text}>
      {partsOf(content, tags).map((part, index) => {
        const tag = tags.find(({ name }) => part === `$${name}`);
        return tag ? (
          <Link key={index} to={tagHref(tag.code)} className={detail.inlineTag}>
            {part}
          </Link>
        ) : (
          part
        );
      })}
    </p>
  );
}

function partsOf(content: string, tags: readonly PostTag[]): string[] {
  if (tags.length === 0) return [content];
  // A longer name first: another may begin with it.
  const names = tags.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return content.split(new RegExp(`(\\$(?:${escaped.join('|')}))`));
}
