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
  /** A control of its own beside the link, such as a heart. */
  control?: ReactNode;
  /** The line under the name instead of the code. */
  meta?: string;
  /** The name with a part set off, as search results show it. */
  name?: ReactNode;
}

/**
 * What a `ListRow` shows of an instrument: the whole row is the link, a control sits beside it and not inside. A list draws many of
 * these, so each element costs.
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

/** A name that takes another line between its words and not within them. */
function breakable(name: string): ReactNode {
  return nameParts(name).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
