import type { MouseEvent, ReactNode, Ref } from 'react';
import { Link, type To } from 'react-router';
import styles from './Button.module.css';
import { Spinner } from './Spinner';

export type ButtonTone = 'primary' | 'buy' | 'sell' | 'tint' | 'danger' | 'neutral' | 'text';

interface Look {
  tone?: ButtonTone;
  size?: 'medium' | 'large';
  block?: boolean;
}

export interface ButtonProps extends Look {
  children: ReactNode;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  type?: 'button' | 'submit';
  /** Keeps the width and shows a spinner; taps are ignored. */
  busy?: boolean;
  /** Ignores taps because it has just appeared, without looking disabled. */
  resting?: boolean;
  /** Stays focusable so that its reason (`describedBy`) can be read. */
  disabled?: boolean;
  describedBy?: string | undefined;
  label?: string;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ children, onClick, type = 'button', busy, resting, disabled, describedBy, label, ref, ...look }: ButtonProps) {
  const isBlocked = busy === true || resting === true || disabled === true;
  return (
    <button
      ref={ref}
      type={type}
      aria-label={label}
      aria-disabled={isBlocked || undefined}
      aria-busy={busy || undefined}
      data-resting={(resting && !disabled) || undefined}
      aria-describedby={describedBy}
      className={`${classOf(look)} ${busy ? styles.busy : ''}`}
      onClick={(event) => {
        if (isBlocked) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={styles.label}>{children}</span>
      {busy && <Spinner className={styles.spinner} />}
    </button>
  );
}

/** A link styled as a button. */
export function ButtonLink({ to, replace, children, ...look }: Look & { to: To; replace?: boolean; children: ReactNode }) {
  return (
    <Link to={to} replace={replace ?? false} className={classOf(look)}>
      <span className={styles.label}>{children}</span>
    </Link>
  );
}

function classOf({ tone = 'primary', size = 'medium', block = false }: Look): string {
  return [styles.button, styles[tone], size === 'large' && styles.large, block && styles.block].filter(Boolean).join(' ');
}
