import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PriceAlert } from '@/shared/api/types';
import { asOf, parseServerTime } from '@/shared/format/kst';
import { itemHref } from '@/shared/paths';
import { Avatar } from '@/shared/ui/Avatar';
import { CloseIcon } from '@/shared/ui/icons';
import { MarketFlag } from '@/shared/ui/MarketFlag';
import styles from './Alert.module.css';
import { removeAlert } from './alertRemoval';
import { conditionText, priceText } from './condition';
import { alertCopy } from './copy';

interface AlertRowProps {
  memberSid: number;
  alert: PriceAlert;
  /** Whether the row names its instrument and leads there. */
  named: boolean;
}

/** One alert, with when and at which price it fired, and a button that deletes it. */
export function AlertRow({ memberSid, alert, named }: AlertRowProps) {
  const queryClient = useQueryClient();
  const { isuKorNm, currency, firedPrice } = alert;
  const condition = conditionText(alert);
  const fired = parseServerTime(alert.firedAt);
  const told = fired && firedPrice !== null && firedPrice !== undefined ? alertCopy.firedAt(asOf(fired, new Date()), priceText(firedPrice, currency)) : null;
  return (
    <li className={styles.row}>
      {named && <Avatar name={isuKorNm} />}
      <div className={styles.text}>
        {named && (
          <span className={styles.name}>
            <Link to={itemHref(alert)} className={styles.link}>
              {isuKorNm}
            </Link>{' '}
            <MarketFlag marketCode={alert.marketCode} />
          </span>
        )}
        <span className={named ? styles.detail : styles.name}>{condition}</span>
        {told && <span className={styles.detail}>{told}</span>}
      </div>
      <button
        type="button"
        className={styles.remove}
        aria-label={alertCopy.remove(isuKorNm, condition)}
        onClick={() => removeAlert(queryClient, memberSid, alert)}
      >
        <CloseIcon size={20} />
      </button>
    </li>
  );
}
