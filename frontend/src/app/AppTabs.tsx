import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { onSessionChange } from '@/shared/api/session';
import { useUnread } from '@/shared/api/unread';
import { nav } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { BottomTab, type TabItem } from '@/shared/ui/BottomTab';
import { BookIcon, ChartIcon, HomeIcon, PersonIcon, TalkIcon } from '@/shared/ui/icons';

const TABS: readonly TabItem[] = [
  { label: nav.home, to: paths.home, prefixes: [paths.home, paths.marketTrend], icon: HomeIcon },
  { label: nav.invest, to: paths.invest, prefixes: [paths.invest], icon: ChartIcon },
  { label: nav.learn, to: paths.learn, prefixes: [paths.learn], icon: BookIcon },
  { label: nav.community, to: paths.community, prefixes: [paths.community], icon: TalkIcon },
  { label: nav.my, to: paths.my, prefixes: [paths.my], icon: PersonIcon },
];

/** Where each tab was left, so that returning restores it. */
const leftAt = new Map<string, string>();
// The next member must not see where the previous one was.
onSessionChange(() => leftAt.clear());

/** The tab bar of the app. A tab leads to where it was left; tapping it again leads to its root. */
export function AppTabs() {
  const { pathname, search } = useLocation();
  const current = TABS.find(({ prefixes }) => prefixes.some((prefix) => pathname.startsWith(prefix)));
  useEffect(() => {
    if (current) leftAt.set(current.label, pathname + search);
  }, [current, pathname, search]);
  const unread = useUnread();
  const items = TABS.map((tab) => ({
    ...tab,
    to: tab === current ? tab.to : (leftAt.get(tab.label) ?? tab.to),
    news: tab.to === paths.my && unread > 0 ? nav.unread(unread) : undefined,
  }));
  return <BottomTab items={items} />;
}
