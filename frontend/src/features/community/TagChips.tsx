import { Link } from 'react-router';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { quoteChange, useTick } from '@/shared/realtime/useTick';
import { ToneText } from '@/shared/ui/ToneText';
import styles from './Community.module.css';
import { postCopy } from './copy';
import { tagDestination, tagHref } from './itemOfTag';
import type { PostTag } from './types';

interface TagChipsProps {
  tags: readonly PostTag[];
  /** Shows how the prices change; in a list the chips are names alone. */
  isLive?: boolean;
}

/** The instruments a post is about, each a link to its detail. */
export function TagChips({ tags, isLive = false }: TagChipsProps) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label={postCopy.tags}>
      {tags.map((tag) => (
        <li key={tag.code}>
          <Link to={tagHref(tag.code)} className={styles.tag}>
            {`$${tag.name}`}
            {isLive && <LiveChange code={tag.code} />}
            {tag.isHeld && <span className={styles.holding}>{postCopy.holding}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function LiveChange({ code }: { code: string }) {
  const tick = useTick(code, tagDestination(code));
  if (!tick) return null;
  const change = quoteChange(tick);
  return <ToneText value={shownPct(change)}>{unsignedPct(change)}</ToneText>;
}
