import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Item } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { signedPct } from '@/shared/format/pct';
import { haptic } from '@/shared/platform/haptics';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';
import { AmountDisplay } from '@/shared/ui/AmountDisplay';
import { EMPTY_ENTRY, entryValue, type KeypadKey, pressKey } from '@/shared/ui/amountEntry';
import { AmountKeypad } from '@/shared/ui/AmountKeypad';
import { Button } from '@/shared/ui/Button';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { Sheet } from '@/shared/ui/Sheet';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import styles from './Alert.module.css';
import { alertsQuery } from './alertApi';
import { AlertRow } from './AlertRow';
import { useCommitOnLeave, useHiddenAlerts } from './alertRemoval';
import { entryRules, priceText, signedValue } from './condition';
import { type AlertKind, alertCopy, type Direction } from './copy';
import { useCreateAlert } from './useCreateAlert';

const KINDS = ['ABOVE', 'BELOW', 'PERCENT'] as const;
const DIRECTIONS = ['up', 'down'] as const;

interface AlertSheetProps {
  memberSid: number;
  item: Item;
  open: boolean;
  onClose: () => void;
}

/** Asks at which price, or after which change, the member wants to be told; below it the alerts that wait for it already. */
export function AlertSheet({ memberSid, item, open, onClose }: AlertSheetProps) {
  const [kind, setKind] = useState<AlertKind>('ABOVE');
  const [direction, setDirection] = useState<Direction>('up');
  const [entry, setEntry] = useState(EMPTY_ENTRY);
  const [shakes, setShakes] = useState(0);
  const [isTried, setTried] = useState(false);
  const isOnline = useIsOnline();
  const ids = useId();
  const clear = () => {
    setEntry(EMPTY_ENTRY);
    setTried(false);
    reset();
  };
  const { create, isSending, problem, reset } = useCreateAlert(() => {
    clear();
    onClose();
    showSnackbar(alertCopy.created);
  });
  const rules = entryRules(kind, direction, item);
  const typed = entryValue(entry);
  const isEmpty = typed === null || typed === 0;
  const isPercent = kind === 'PERCENT';
  const error = problem ?? (isTried && isEmpty ? alertCopy.noValue : null);

  const shake = () => {
    haptic('warning');
    setShakes((count) => count + 1);
  };
  const press = (key: KeypadKey) => {
    const next = pressKey(entry, key, rules);
    if (next === entry && key !== 'back' && key !== 'clear') shake();
    setTried(false);
    reset();
    setEntry(next);
  };
  const submit = () => {
    if (isEmpty) {
      setTried(true);
      shake();
      return;
    }
    create({ memberSid, code: item.isuSrtCd, kind, value: signedValue(kind, direction, typed) });
  };

  return (
    <Sheet
      open={open}
      title={alertCopy.screen}
      onClose={onClose}
      footer={
        <>
          {!isOnline && (
            <p id={`${ids}-blocked`} className={styles.blocked}>
              {state.offlineBlocked}
            </p>
          )}
          <Button
            size="large"
            block
            busy={isSending}
            disabled={!isOnline}
            describedBy={isOnline ? (error ? `${ids}-value` : undefined) : `${ids}-blocked`}
            onClick={submit}
          >
            {alertCopy.confirm}
          </Button>
        </>
      }
    >
      <PriceNow item={item} />
      <div className={styles.fullWidth}>
        <ChoiceChips
          label={alertCopy.kind}
          values={KINDS}
          names={alertCopy.kinds}
          value={kind}
          onChange={(next) => {
            setKind(next);
            clear();
          }}
        />
        {isPercent && (
          <ChoiceChips
            label={alertCopy.direction}
            values={DIRECTIONS}
            names={alertCopy.directions}
            value={direction}
            onChange={(next) => {
              setDirection(next);
              clear();
            }}
          />
        )}
        <AmountDisplay
          label={isPercent ? alertCopy.askPercent : alertCopy.askPrice}
          entry={entry}
          unit={isPercent ? '%' : item.currency === 'USD' ? '' : alertCopy.won}
          prefix={!isPercent && item.currency === 'USD' ? '$' : ''}
          placeholder={isPercent ? alertCopy.percentPlaceholder : alertCopy.pricePlaceholder}
          isActive
          onActivate={() => undefined}
          shakes={shakes}
          error={error}
          helper={alertCopy.once}
          errorId={`${ids}-value`}
        />
        <AmountKeypad label={alertCopy.keypad} hasPoint={rules.decimals > 0} onKey={press} isActive={open} />
      </div>
      <OwnAlerts memberSid={memberSid} code={item.isuSrtCd} />
    </Sheet>
  );
}

function PriceNow({ item }: { item: Item }) {
  const quote = useLiveQuote(item);
  return (
    <p className={styles.now}>
      <span className={styles.nowLabel}>{`${item.isuKorNm} ${alertCopy.now}`}</span>
      <span>{`${priceText(quote.price, quote.currency)} (${signedPct(quoteChange(quote))})`}</span>
    </p>
  );
}

/** The member's active alerts of the instrument. */
function OwnAlerts({ memberSid, code }: { memberSid: number; code: string }) {
  const { data } = useQuery(alertsQuery(memberSid));
  const hidden = useHiddenAlerts();
  useCommitOnLeave();
  const alerts = data?.active.filter(({ sid, isuSrtCd }) => isuSrtCd === code && !hidden.has(sid)) ?? [];
  if (alerts.length === 0) return null;
  return (
    <section className={styles.mine} aria-labelledby={`alerts-${code}`}>
      <h3 id={`alerts-${code}`} className={styles.mineTitle}>
        {alertCopy.mine}
      </h3>
      <ul>
        {alerts.map((alert) => (
          <AlertRow key={alert.sid} memberSid={memberSid} alert={alert} named={false} />
        ))}
      </ul>
    </section>
  );
}
