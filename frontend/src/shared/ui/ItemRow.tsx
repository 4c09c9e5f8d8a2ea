import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Item } from '@/shared/api/types';
import { nameParts } from '@/shared/format/nameParts';
import { Avatar } from './Avatar';
import { MarketFlag } from './MarketFlag';
import styles from './ItemRow.module.css';
import { PriceCell } from './PriceCell';
import { SessionMark } from './SessionMark';
import { Sparkline } from './Sparkline';
import { WarningMark } from './WarningMark';

interface ItemRowProps {
  item: Item;
  to: string;
  /** A control next to the link, such as a heart. */
  control?: ReactNode;
  /** The line below the name; the code by default. */
  meta?: string;
  /** The name with a highlighted part, as in search results. */
  name?: ReactNode;
}

/**
 * The content of a `ListRow` for an instrument: the whole row is the link, with the control next to it. Lists render many of
 * these, so each element counts.
 */
export function ItemRow({ item, to, control, meta = item.isuSrtCd, name = breakable(item.isuKorNm) }: ItemRowProps) {
  return (
    <>
      <Avatar name={item.isuKorNm} />
      <div className={styles.text}>
        <Link to={to} className={styles.link}>
          {name}
        </Link>
        <MarketFlag marketCode={item.marketCode} className={styles.flag} />
        <div className={styles.meta}>
          <Sparkline item={item} />
          <WarningMark code={item.warnCode} />
          <SessionMark item={item} />
          {meta}
        </div>
      </div>
      <PriceCell key={item.isuSrtCd} item={item} />
      {control}
    </>
  );
}

/** Lets a name wrap between its parts and not within them. */
function breakable(name: string): ReactNode {
  return nameParts(name).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
