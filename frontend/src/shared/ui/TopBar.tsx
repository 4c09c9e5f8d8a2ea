import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useCompetes } from '@/shared/api/memberQuery';
import { useMemberSid } from '@/shared/api/session';
import { nav } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { BackIcon } from './icons';
import { announceScreen } from './screenAnnouncer';
import styles from './TopBar.module.css';

interface TopBarProps {
  /** The screen's heading, window title and announcement. */
  title: string;
  /**
   * Where back leads when this screen was opened first: for visitors this path, for members home. Without it there is no back
   * button (tab screens).
   */
  backTo?: string;
  /** Replaces what the back button does, for screens that lead elsewhere or ask first. */
  onBack?: () => void;
  /** At most three controls on the right. */
  actions?: ReactNode;
  /** Whether the heading is visible; detail screens show it once their own header has scrolled away. */
  titleShown?: boolean;
}

/** The 52 px bar with the screen's heading, which gets the focus on arrival. */
export function TopBar({ title, backTo, onBack, actions, titleShown = true }: TopBarProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const { key } = useLocation();
  const isFirstEntry = key === 'default';
  const isMember = useMemberSid() !== null;
  const competes = useCompetes();

  useEffect(() => {
    announceScreen(title);
  }, [title]);

  useEffect(() => {
    // The first screen leaves the focus where the browser put it.
    if (!isFirstEntry) heading.current?.focus({ preventScroll: true });
    // Only arrival counts: an overlay's history entry must not move focus.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const goBack = () => {
    if ((isFirstEntry || isFirstIndex(window.history.state)) && backTo !== undefined) void navigate(isMember ? paths.home : backTo, { replace: true });
    else void navigate(-1);
  };

  return (
    <header className={styles.bar}>
      {backTo !== undefined && (
        <button type="button" className={styles.button} aria-label={nav.back} onClick={onBack ?? goBack}>
          <BackIcon />
        </button>
      )}
      <h1
        ref={heading}
        tabIndex={-1}
        className={[styles.title, backTo === undefined && styles.large, !titleShown && styles.quiet].filter(Boolean).join(' ')}
      >
        {title}
      </h1>
      {competes && <span className={styles.mode}>{nav.competition}</span>}
      {actions}
    </header>
  );
}

/** Whether the router's entry is its first in this page load, also after it was replaced. */
function isFirstIndex(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'idx' in state && state.idx === 0;
}

/** A square icon button for `actions`. */
export function TopBarButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.button} aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
