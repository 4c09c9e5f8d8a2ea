import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import * as v from 'valibot';
import { queryKeys } from '@/shared/api/queryKeys';
import { sessionFetch } from '@/shared/api/sessionFetch';

/** What the worker appends to the address of a tapped push. */
const PARAMETER = 'notification';

const Open = v.object({ type: v.literal('open'), path: v.pipe(v.string(), v.regex(/^\/(?![/\\])/)) });

/** Goes where a tapped push leads, marks its notification as read, and keeps the subscription of the device alive. */
export function OpenedPush({ memberSid }: { memberSid: number }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { pathname, search, hash } = useLocation();

  useEffect(() => {
    import(/* webpackChunkName: "push" */ '@/shared/platform/push').then(
      ({ renewPush }) => renewPush(memberSid),
      // The next visit tries again.
      () => undefined,
    );
  }, [memberSid]);

  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const onMessage = ({ data, ports }: MessageEvent) => {
      const message = v.safeParse(Open, data);
      if (!message.success) return;
      ports[0]?.postMessage('taken');
      void navigate(message.output.path);
    };
    const { serviceWorker } = navigator;
    serviceWorker.addEventListener('message', onMessage);
    return () => serviceWorker.removeEventListener('message', onMessage);
  }, [navigate]);

  useEffect(() => {
    const parameters = new URLSearchParams(search);
    const sid = parameters.get(PARAMETER);
    if (sid === null) return;
    parameters.delete(PARAMETER);
    void navigate({ pathname, search: parameters.toString(), hash }, { replace: true });
    if (!/^[1-9]\d{0,15}$/.test(sid)) return;
    void markRead(memberSid, Number(sid)).then(() => queryClient.invalidateQueries({ queryKey: [...queryKeys.account(memberSid), 'inbox'] }));
  }, [memberSid, pathname, search, hash, navigate, queryClient]);

  return null;
}

/** Never rejects: an unread notification is only shown once more. */
async function markRead(memberSid: number, sid: number): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ memberSid, sids: [sid] });
  const url = new URL('/api/v1/notification/read', location.origin);
  await sessionFetch(new Request(url, { method: 'PUT', headers, body })).catch(() => undefined);
}
