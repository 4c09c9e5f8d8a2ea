import type { ReactNode } from 'react';
import styles from './Theme.module.css';

const SHAPES: Record<string, ReactNode> = {
  money: <path d="M4 7.5h15a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H5.5A1.5 1.5 0 0 1 4 18zm0 0A2.5 2.5 0 0 1 6.5 5H17m-.5 8.5h.01" />,
  deposits: <path d="M4 10 12 4.5l8 5.5M5.5 10v8m4.3-8v8m4.4-8v8m4.3-8v8M4 19.5h16" />,
  rates: <path d="m6 18 12-12M8 9.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm8 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" />,
  stocks: <path d="M4 19.5h16M7 15.5v-4m5 4V6.5m5 9v-6" />,
  orders: <path d="M6 3.5h12v17l-2.4-1.6-1.8 1.6-1.8-1.6-1.8 1.6-1.8-1.6L6 20.5zM9 8.5h6M9 12.5h6" />,
  statements: <path d="M4 5.5h16v13H4zM4 10h16M4 14.25h16M10 5.5v13" />,
  etf: <path d="M12 3.5a8.5 8.5 0 1 0 8.5 8.5H12zM15.5 3.5a5.5 5.5 0 0 1 5 5h-5z" />,
  us: <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c2.6 2.5 3.5 5.3 3.5 8.5s-.9 6-3.5 8.5c-2.6-2.5-3.5-5.3-3.5-8.5s.9-6 3.5-8.5Z" />,
  coins: <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9.5 8h4a2 2 0 0 1 0 4h-4zm0 4h4.5a2 2 0 0 1 0 4H9.5zm0-4v8M11 6v2m0 8v2" />,
  gold: <path d="M3.5 18.5 5.5 12h5l2 6.5zm8.5 0 2-6.5h5l1.5 6.5zM7.5 10.5l2-5.5h5l2 5.5" />,
  taxes: <path d="M7 3.5h10v17H7zM9.5 7h5M9.5 11.5h.01M12 11.5h.01m2.49 0h.01M9.5 14.5h.01m2.49 0h.01m2.49 0h.01M9.5 17.5h5" />,
  protection: <path d="m12 3.5 7.5 2.5v5.5c0 4.5-3 7.5-7.5 9-4.5-1.5-7.5-4.5-7.5-9V6zm-3.5 8.5 2.5 2.5 4.5-4.5" />,
};

/** The picture of a theme; one whose id is not known has a book. */
export function ThemeIcon({ themeSid }: { themeSid: string }) {
  return (
    <span className={styles.icon} aria-hidden="true">
      <svg className="icon" width={22} height={22} viewBox="0 0 24 24">
        {SHAPES[themeSid] ?? <path d="M12 6.5C10 5 7 4.5 4 5v13.5c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5Zm0 0V20" />}
      </svg>
    </span>
  );
}
