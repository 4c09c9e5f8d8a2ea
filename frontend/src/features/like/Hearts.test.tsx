import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryKeys } from '@/shared/api/queryKeys';
import { endSession, startSession } from '@/shared/api/session';
import type { Item } from '@/shared/api/types';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import { ItemHeart } from './Hearts';

let onServer = false;
let sent: unknown[] = [];
let lists = 0;

function Popular() {
  const { data } = useQuery({
    queryKey: [...queryKeys.popular, 'stock', 1],
    queryFn: async (): Promise<Item[]> => (await fetch('/popular')).json() as Promise<Item[]>,
  });
  return data?.map((item) => <ItemHeart key={item.isuSrtCd} item={item} />);
}

const answer = (reply: () => Response | Promise<Response>) =>
  server.use(
    http.put('*/api/v1/member/stock-like', async ({ request }) => {
      const body = (await request.json()) as { like: boolean };
      sent.push(body);
      const response = await reply();
      if (response.ok) onServer = body.like;
      return response;
    }),
  );
const accept = () => HttpResponse.json({ targetCode: '005930', type: 'STOCK', like: true });
const heart = () => screen.findByRole('button', { name: /관심 종목/ });

beforeEach(() => {
  onServer = false;
  sent = [];
  lists = 0;
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/popular', () => {
      lists += 1;
      return HttpResponse.json([{ ...samsung, like: onServer }]);
    }),
  );
});
afterEach(() => endSession('logout'));

/** A server whose replies the test releases. */
function answerLater() {
  const finish: (() => void)[] = [];
  answer(async () => {
    await new Promise<void>((resolve) => finish.push(resolve));
    return accept();
  });
  return finish;
}

describe('a heart', () => {
  it('flips before the server answers, and then the popular list is refetched', async () => {
    let finish = () => undefined as void;
    answer(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return accept();
    });
    const { user } = renderApp(<Popular />);
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
    await user.click(await heart());
    expect(await heart()).toHaveAttribute('aria-pressed', 'true');
    expect(await heart()).toHaveAccessibleName('삼성전자 관심 종목에서 빼기');
    await waitFor(() => expect(sent).toEqual([{ memberSid: MEMBER_SID, targetCode: '005930', like: true, type: 'STOCK' }]));
    expect(lists).toBe(1);
    act(() => finish());
    await waitFor(() => expect(lists).toBe(2));
    expect(await heart()).toHaveAttribute('aria-pressed', 'true');
  });

  it('is rolled back when the server fails, with a message', async () => {
    answer(() => problem(500, 9999, 'INTERNAL', 'boom'));
    const { user } = renderApp(<Popular />);
    await user.click(await heart());
    expect(await screen.findByText('관심 종목을 바꾸지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
    expect(lists).toBe(1);
  });

  it('shows the server\'s message of a rejection', async () => {
    answer(() => problem(422, 4006, 'TOO_MANY_LIKES', '관심 종목은 500개까지 담을 수 있어요.'));
    const { user } = renderApp(<Popular />);
    await user.click(await heart());
    expect(await screen.findByText('관심 종목은 500개까지 담을 수 있어요.')).toBeInTheDocument();
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
  });

  it('tapped again while a request is in flight sends one after the other, and the last tap wins', async () => {
    const finish = answerLater();
    const { user } = renderApp(<Popular />);
    await user.click(await heart());
    await waitFor(() => expect(finish).toHaveLength(1));
    await user.click(await heart());
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
    expect(sent).toHaveLength(1);
    act(() => finish[0]?.());
    await waitFor(() => expect(finish).toHaveLength(2));
    act(() => finish[1]?.());
    await waitFor(() => expect(lists).toBe(2));
    expect(sent).toEqual([expect.objectContaining({ like: true }), expect.objectContaining({ like: false })]);
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
  });

  it('tapped again by a member who has left is not sent for the next one', async () => {
    const finish = answerLater();
    const { user } = renderApp(<Popular />);
    await user.click(await heart());
    await waitFor(() => expect(finish).toHaveLength(1));
    await user.click(await heart());
    act(() => startSession({ accessToken: 'theirs', memberSid: MEMBER_SID + 1 }));
    act(() => finish[0]?.());
    await waitFor(() => expect(onServer).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(sent).toHaveLength(1);
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
  });

  it('shows nothing of the previous member, and is sent for the next one at once', async () => {
    const finish = answerLater();
    const { user } = renderApp(<Popular />);
    await user.click(await heart());
    await waitFor(() => expect(finish).toHaveLength(1));
    act(() => startSession({ accessToken: 'theirs', memberSid: MEMBER_SID + 1 }));
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
    await user.click(await heart());
    await waitFor(() => expect(finish).toHaveLength(2));
    expect(sent[1]).toMatchObject({ memberSid: MEMBER_SID + 1, like: true });
    act(() => finish[0]?.());
    act(() => finish[1]?.());
    await waitFor(() => expect(lists).toBe(2));
    expect(await heart()).toHaveAttribute('aria-pressed', 'true');
  });

  it('does nothing for a visitor', async () => {
    endSession('logout');
    answer(accept);
    const { user } = renderApp(<ItemHeart item={{ ...samsung, like: true }} />);
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
    await user.click(await heart());
    expect(sent).toEqual([]);
    expect(await heart()).toHaveAttribute('aria-pressed', 'false');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
