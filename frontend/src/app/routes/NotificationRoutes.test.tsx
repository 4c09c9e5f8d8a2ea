import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnreadWatcher } from '@/features/notification/inbox/UnreadWatcher';
import type { Notification, NotificationSettings, NotificationType } from '@/features/notification/notificationTypes';
import { endSession, startSession } from '@/shared/api/session';
import { emitNotice } from '@/shared/realtime/notices';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import { AppTabs } from '../AppTabs';
import { LazyBell } from '../LazyBell';
import NotificationsRoute from './NotificationsRoute';
import SettingsNotificationsRoute from './SettingsNotificationsRoute';

const push = vi.hoisted(() => ({ state: 'on', subscribed: 0, fails: false }));
vi.mock('@/shared/platform/push', () => ({
  pushState: () => Promise.resolve(push.state),
  unsubscribeFromPush: () => {
    push.state = 'off';
    return Promise.resolve();
  },
  subscribeToPush: () => {
    push.subscribed += 1;
    if (push.fails) return Promise.reject(new Error('no push service'));
    push.state = 'on';
    return Promise.resolve(push.state);
  },
}));

const note = (sid: number, changes: Partial<Notification> = {}): Notification => ({
  sid,
  type: 'COMMENT',
  title: `알림 ${String(sid)}`,
  body: '좋은 글이에요',
  link: `/community/detail?communitySid=${String(sid)}`,
  createdAt: '2026-11-25T09:00:00',
  isRead: false,
  ...changes,
});

let inbox: Notification[];
let settings: NotificationSettings;
let sent: unknown[];
let refuses: boolean;
/** What the service waits for before it answers a change of the settings. */
let answering: Promise<void>;

const unreadOf = () => ({
  unread: inbox.filter(({ isRead }) => !isRead).length,
  byType: [{ type: 'COMMENT', unread: inbox.filter(({ isRead, type }) => !isRead && type === 'COMMENT').length }],
});

const open = (at = '/notifications') =>
  renderApp(
    <>
      <Routes>
        <Route path="/notifications" element={<NotificationsRoute />} />
        <Route path="/settings/notifications" element={<SettingsNotificationsRoute />} />
        <Route path="*" element={<p>elsewhere</p>} />
      </Routes>
      <UnreadWatcher memberSid={MEMBER_SID} />
      <LazyBell />
      <AppTabs />
    </>,
    { at },
  );
const address = () => screen.getByTestId('address').textContent;
const tab = () => within(screen.getByRole('navigation', { name: '주요 메뉴' })).getByRole('link', { name: /마이/ });
const row = (sid: number) => screen.findByRole('link', { name: new RegExp(`^알림 ${String(sid)}`) });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T12:00:00+09:00') });
  Object.assign(push, { state: 'on', subscribed: 0, fails: false });
  inbox = [note(3), note(2, { createdAt: '2026-11-23T09:00:00', type: 'FILL', link: '/my/orders/history', isRead: true }), note(1, { createdAt: '2026-10-01T09:00:00' })];
  settings = {
    types: (['FILL', 'COMMENT', 'STREAK', 'COMPETITION', 'NOTICE'] satisfies NotificationType[]).map((type) => ({ type, inbox: true, push: type !== 'COMMENT' })),
    quiet: { from: '21:00', until: '08:00' },
    digest: false,
  };
  sent = [];
  refuses = false;
  answering = Promise.resolve();
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/notification/list/:sid', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const list = inbox.filter(({ type }) => [null, type].includes(query.get('type') as NotificationType | null));
      return HttpResponse.json(query.get('cursor') === null ? { list: list.slice(0, 2), cursor: list.length > 2 ? 'next' : null } : { list: list.slice(2), cursor: null });
    }),
    http.get('*/api/v1/notification/unread/:sid', () => HttpResponse.json(unreadOf())),
    http.put('*/api/v1/notification/read', async ({ request }) => {
      const body = (await request.json()) as { sids?: number[]; all?: boolean };
      sent.push(body);
      if (refuses) return problem(503, 9001, 'UNAVAILABLE');
      inbox = inbox.map((one) => (body.all === true || body.sids?.includes(one.sid) ? { ...one, isRead: true } : one));
      return HttpResponse.json({ unread: unreadOf().unread });
    }),
    http.get('*/api/v1/notification/setting/:sid', () => HttpResponse.json(settings)),
    http.put('*/api/v1/notification/setting', async ({ request }) => {
      const { memberSid, types = [], ...change } = (await request.json()) as Partial<NotificationSettings> & { memberSid: number };
      expect(memberSid).toBe(MEMBER_SID);
      sent.push({ types, ...change });
      await answering;
      if (refuses) return problem(503, 9001, 'UNAVAILABLE');
      settings = { ...settings, ...change, types: settings.types.map((known) => types.find(({ type }) => type === known.type) ?? known) };
      return HttpResponse.json(settings);
    }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  act(() => endSession('logout'));
});

describe('the inbox', () => {
  it('groups by when they came, marks the unread, and loads further pages', async () => {
    const { user, container } = open();
    expect(await row(3)).toHaveTextContent('알림 3좋은 글이에요3시간 전읽지 않음');
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['오늘', '이번 주']);
    expect(await row(2)).not.toHaveTextContent('읽지 않음');
    await user.click(screen.getByRole('button', { name: '더 보기' }));
    expect(await row(1)).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: '이전' })).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('opens the link of one and marks it as read, here and in the badge', async () => {
    const { user } = open();
    await waitFor(() => expect(tab()).toHaveAccessibleName('마이 읽지 않은 알림 2개'));
    expect(await screen.findByRole('link', { name: '알림, 읽지 않은 알림 2개' })).toHaveAttribute('href', '/notifications');
    await user.click(await row(3));
    expect(address()).toBe('/community/detail?communitySid=3');
    await waitFor(() => expect(sent).toEqual([{ memberSid: MEMBER_SID, sids: [3] }]));
    await waitFor(() => expect(tab()).toHaveAccessibleName('마이 읽지 않은 알림 1개'));
  });

  it('does not mark what is read, and leads nowhere else', async () => {
    inbox = [note(5, { link: 'https://elsewhere.example/', isRead: true }), note(2, { isRead: true })];
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^알림 5/ }));
    expect(address()).toBe('/notifications');
    await user.click(await row(2));
    expect(sent).toEqual([]);
  });

  it('marks all as read, and takes it back when that failed', async () => {
    refuses = true;
    const { user } = open();
    await row(3);
    await user.click(await screen.findByRole('button', { name: '모두 읽음' }));
    expect(await screen.findByText('읽음으로 바꾸지 못했어요. 잠시 후 다시 시도해주세요.')).toBeInTheDocument();
    expect(await row(3)).toHaveTextContent('읽지 않음');
    refuses = false;
    await user.click(screen.getByRole('button', { name: '모두 읽음' }));
    expect(await screen.findByText('모두 읽었어요')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: '모두 읽음' })).toBeNull());
    expect(await row(3)).not.toHaveTextContent('읽지 않음');
    expect(tab()).toHaveAccessibleName('마이');
    expect(sent.at(-1)).toEqual({ memberSid: MEMBER_SID, all: true });
  });

  it('shows one type, remembered in the address, with how many of it are unread', async () => {
    const { user } = open();
    await row(3);
    await user.click(screen.getByRole('button', { name: '체결' }));
    expect(address()).toBe('/notifications?type=FILL');
    await waitFor(() => expect(screen.queryByRole('link', { name: /^알림 3/ })).toBeNull());
    expect(await row(2)).toBeVisible();
    expect(screen.getByRole('button', { name: '댓글 2' })).toHaveAttribute('aria-pressed', 'false');
    await user.click(screen.getByRole('button', { name: '공지' }));
    expect(await screen.findByText('아직 온 알림이 없어요')).toBeVisible();
  });

  it('shows a new one at once', async () => {
    open();
    await row(3);
    inbox = [note(4), ...inbox];
    act(() => emitNotice({ unread: 3 }));
    await waitFor(() => expect(tab()).toHaveAccessibleName('마이 읽지 않은 알림 3개'));
    expect(await row(4)).toBeVisible();
  });

  it('says that it could not be loaded, and tries again', async () => {
    server.use(http.get('*/api/v1/notification/list/:sid', () => problem(503, 9001, 'UNAVAILABLE'), { once: true }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await row(3)).toBeVisible();
  });

  it('keeps what is known while offline, and does not write', async () => {
    const { user } = open();
    await row(3);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    const all = screen.getByRole('button', { name: '모두 읽음' });
    expect(all).toHaveAccessibleDescription('연결되면 할 수 있어요');
    await user.click(all);
    expect(sent).toEqual([]);
    expect(await row(3)).toBeVisible();
  });
});

describe('the offer of pushes', () => {
  it('is there while they are off, and says when they are on', async () => {
    push.state = 'off';
    const { user } = open();
    const card = await screen.findByRole('region', { name: '체결되면 바로 알려드릴게요' });
    push.fails = true;
    await user.click(within(card).getByRole('button', { name: '알림 켜기' }));
    expect(await screen.findByText('알림을 켜지 못했어요. 잠시 후 다시 시도해주세요.')).toBeInTheDocument();
    push.fails = false;
    await user.click(within(card).getByRole('button', { name: '알림 켜기' }));
    expect(await screen.findByText('알림을 켰어요')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('region', { name: '체결되면 바로 알려드릴게요' })).toBeNull());
  });

  it('can be taken back in the settings', async () => {
    const { user, container } = open('/settings/notifications');
    const card = await screen.findByRole('region', { name: '이 기기에서 푸시를 받고 있어요' });
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(card).getByRole('button', { name: '끄기' }));
    expect(await screen.findByText('이 기기에서 푸시를 껐어요')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: '알림 켜기' })).toBeVisible();
  });

  it('is absent where the browser refuses, which the settings explain', async () => {
    push.state = 'blocked';
    const { unmount } = open();
    await row(3);
    expect(screen.queryByText('브라우저에서 알림을 막아두었어요')).toBeNull();
    unmount();
    open('/settings/notifications');
    expect(await screen.findByText('브라우저에서 알림을 막아두었어요')).toBeVisible();
  });
});

describe('the settings of notifications', () => {
  it('are switches by type and channel, in groups', async () => {
    const { container } = open('/settings/notifications');
    expect(await screen.findByRole('switch', { name: '내 글의 댓글 알림함' })).toBeChecked();
    expect(screen.getByRole('switch', { name: '내 글의 댓글 푸시' })).not.toBeChecked();
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['이 기기에서 푸시를 받고 있어요', '투자', '커뮤니티', '공부', '대회', '소식', '받는 시간']);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('change at once, and back when that failed', async () => {
    refuses = true;
    let answer = () => {};
    answering = new Promise((resolve) => (answer = resolve));
    const { user } = open('/settings/notifications');
    const ofComments = await screen.findByRole('switch', { name: '내 글의 댓글 알림함' });
    await user.click(ofComments);
    await waitFor(() => expect(ofComments).not.toBeChecked());
    answer();
    expect(await screen.findByText('바꾸지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    expect(ofComments).toBeChecked();
    refuses = false;
    await user.click(ofComments);
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ types: [{ type: 'COMMENT', inbox: false, push: false }] });
    expect(ofComments).not.toBeChecked();
  });

  it('have quiet hours, and a digest', async () => {
    const { user } = open('/settings/notifications');
    const quiet = await screen.findByRole('switch', { name: '방해 금지 시간' });
    expect(screen.getByRole('combobox', { name: '시작' })).toHaveDisplayValue('오후 9시');
    await user.selectOptions(screen.getByRole('combobox', { name: '끝' }), '오전 7시');
    await user.click(quiet);
    await waitFor(() => expect(screen.queryByRole('combobox', { name: '시작' })).toBeNull());
    await user.click(screen.getByRole('switch', { name: '아침에 모아서 받기' }));
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent).toEqual([
      { types: [], quiet: { from: '21:00', until: '07:00' } },
      { types: [], quiet: { from: '00:00', until: '00:00' } },
      { types: [], digest: true },
    ]);
    expect(screen.getByRole('switch', { name: '아침에 모아서 받기' })).toBeChecked();
  });
});
