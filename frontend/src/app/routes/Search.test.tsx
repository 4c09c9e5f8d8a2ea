import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { chooseSearchKind, type SearchKind } from '@/features/search/searchKinds';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { deposit } from '@/testing/productSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import { SearchEntry } from './SearchEntry';

const twenty = (from: number) =>
  Array.from({ length: 20 }, (_, index) => ({ ...samsung, isuSrtCd: `A${from + index}`, isuKorNm: `삼성 ${from + index}호` }));
const address = () => screen.getByTestId('address').textContent;

let histories: Record<string, string[]> = {};
let written: { method: string; body: unknown }[] = [];

async function open({ kind = 'stock', at = '/invest-v2/stock' }: { kind?: SearchKind; at?: string } = {}) {
  const view = renderApp(
    <Routes>
      <Route path="/invest-v2/stock/:code" element={null} />
      <Route path="*" element={<SearchEntry kind={kind} />} />
    </Routes>,
    { at },
  );
  await view.user.click(screen.getByRole('button', { name: /종목을 입력하세요$/ }));
  const field = await screen.findByRole('searchbox');
  return { ...view, field, dialog: field.closest('dialog') as HTMLElement };
}

beforeEach(() => {
  chooseSearchKind(null);
  histories = { STOCK: ['삼성', '카카오'] };
  written = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/stock/popular/member/:sid', ({ request }) =>
      HttpResponse.json([new URL(request.url).searchParams.get('acno') === 'ETF' ? { ...samsung, isuKorNm: 'KODEX 200' } : samsung]),
    ),
    http.get('*/api/v1/coin/popular/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/commodity/popular/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/product/product', () => HttpResponse.json([deposit])),
    http.get('*/api/v1/search/member/:sid/type/:type', ({ params }) => {
      const type = String(params.type);
      return HttpResponse.json({ memberSid: MEMBER_SID, type, searchTxtList: histories[type] ?? [] });
    }),
    http.post('*/api/v1/search/search', async ({ request }) => {
      written.push({ method: 'POST', body: await request.json() });
      return problem(503, 9007, 'UNAVAILABLE');
    }),
    http.delete('*/api/v1/search/history', async ({ request }) => {
      const body = (await request.json()) as { searchTxt: string; type: string };
      written.push({ method: 'DELETE', body });
      histories[body.type] = body.searchTxt === '' ? [] : (histories[body.type] ?? []).filter((text) => text !== body.searchTxt);
      return HttpResponse.json({ memberSid: MEMBER_SID, type: body.type, searchTxtList: histories[body.type] });
    }),
    http.get('*/api/v1/stock/search/get-stock-list', () => HttpResponse.json([samsung])),
  );
});

describe('before anything is typed', () => {
  it('shows recent searches and popular instruments of the kind, accessibly', async () => {
    const { dialog, field, user } = await open();
    expect(field).toHaveAttribute('placeholder', '주식 종목을 입력하세요');
    expect(await within(dialog).findByRole('button', { name: '카카오' })).toBeVisible();
    expect(within(dialog).getByRole('heading', { name: '주식 인기' })).toBeVisible();
    expect(await within(dialog).findByText('삼성전자')).toBeInTheDocument();
    expect(await axeViolations(dialog)).toEqual([]);
    for (const [tab, title] of [
      ['ETF', 'ETF 인기'],
      ['코인', '코인 인기'],
      ['원자재', '원자재 인기'],
      ['예적금', '예적금 인기'],
    ] as const) {
      await user.click(within(dialog).getByRole('tab', { name: tab }));
      expect(field).toHaveAttribute('placeholder', `${tab} 종목을 입력하세요`);
      expect(within(dialog).getByRole('heading', { name: title })).toBeVisible();
      expect(await within(dialog).findByText('최근 검색 기록이 없습니다.')).toBeVisible();
    }
    expect(await within(dialog).findByText('새싹 정기예금')).toBeInTheDocument();
  });

  it('deletes one search by its cross, and all of them after a confirmation', async () => {
    const { dialog, user } = await open();
    await user.click(await within(dialog).findByRole('button', { name: '삼성 검색 기록 삭제' }));
    await waitFor(() => expect(within(dialog).queryByRole('button', { name: '삼성' })).toBeNull());
    expect(written).toEqual([{ method: 'DELETE', body: { memberSid: MEMBER_SID, searchTxt: '삼성', type: 'STOCK' } }]);

    await user.click(within(dialog).getByRole('button', { name: '전체 삭제' }));
    const question = (await screen.findByRole('heading', { name: '검색 기록을 모두 지울까요?' })).closest('dialog') as HTMLElement;
    expect(written).toHaveLength(1);
    await user.click(within(question).getByRole('button', { name: '지우기' }));
    expect(await within(dialog).findByText('최근 검색 기록이 없습니다.')).toBeVisible();
    await waitFor(() => expect(written[1]).toEqual({ method: 'DELETE', body: { memberSid: MEMBER_SID, searchTxt: '', type: 'STOCK' } }));
  });

  it('searches again for what is tapped', async () => {
    const { dialog, field, user } = await open();
    await user.click(await within(dialog).findByRole('button', { name: '카카오' }));
    expect(field).toHaveValue('카카오');
  });

  it('has no history for visitors and requests none', async () => {
    endSession('logout');
    const { dialog, field, user } = await open();
    expect(within(dialog).getByText('최근 검색 기록이 없습니다.')).toBeVisible();
    await user.type(field, '삼성');
    await user.click(await within(dialog).findByRole('link', { name: '삼성전자' }));
    expect(address()).toBe('/invest-v2/stock/005930');
    expect(written).toEqual([]);
  });
});

describe('a text', () => {
  it('loads twenty per page and continues only while pages are full', async () => {
    const asked: string[] = [];
    server.use(
      http.get('*/api/v1/stock/search/get-stock-list', ({ request }) => {
        const { searchParams } = new URL(request.url);
        const page = Number(searchParams.get('searchPage'));
        asked.push(`${searchParams.get('searchTxt')} ${searchParams.get('searchType')} ${page}`);
        return HttpResponse.json(page < 2 ? twenty(1) : twenty(21).slice(0, 7));
      }),
    );
    const { dialog, field, user } = await open();
    await user.type(field, ' 삼성 ');
    await user.click(await within(dialog).findByRole('button', { name: '더 보기' }));
    expect(await within(dialog).findByText('다 봤어요')).toBeVisible();
    expect(asked).toEqual(['삼성 CS 1', '삼성 CS 2']);
  });

  it('is sorted by relevance, or otherwise once the result is complete', async () => {
    const found = [samsung, { ...samsung, isuSrtCd: '009150', isuKorNm: '삼성전기', trdPrc: 150_000 }];
    server.use(
      http.get('*/api/v1/stock/search/get-stock-list', ({ request }) =>
        HttpResponse.json(new URL(request.url).search.includes(encodeURIComponent('많은')) ? twenty(0) : found),
      ),
    );
    const { user, field, dialog } = await open();
    await user.type(field, '삼성');
    const names = () => within(dialog).getAllByRole('link').map(({ textContent }) => textContent);
    await waitFor(() => expect(names()).toEqual(['삼성전자', '삼성전기']));
    await user.selectOptions(within(dialog).getByRole('combobox', { name: '정렬' }), '가격순');
    await waitFor(() => expect(names()).toEqual(['삼성전기', '삼성전자']));
    await user.clear(field);
    await user.type(field, '많은');
    await within(dialog).findByRole('link', { name: '삼성 1호' });
    expect(within(dialog).queryByRole('combobox')).toBeNull();
  });

  it('highlights the match, for consonants too', async () => {
    const { dialog, field, user } = await open();
    await user.type(field, 'ㅅㅅ');
    await waitFor(() => expect(dialog.querySelector('mark')).toHaveTextContent(/^삼성$/));
    expect(dialog.querySelector('a')).toHaveTextContent(/^삼성전자$/);
  });

  it('is stored when a result is opened, and a failure delays nobody', async () => {
    const { dialog, field, user } = await open();
    await user.type(field, '삼성전');
    await user.click(await within(dialog).findByRole('link', { name: '삼성전자' }));
    expect(address()).toBe('/invest-v2/stock/005930');
    await waitFor(() =>
      expect(written).toEqual([{ method: 'POST', body: { memberSid: MEMBER_SID, searchTxt: '삼성전', type: 'STOCK' } }]),
    );
  });

  it('without results is repeated in the given sentence; a failing list counts as empty', async () => {
    server.use(http.get('*/api/v1/stock/search/get-stock-list', () => problem(503, 9007, 'UNAVAILABLE', '점검')));
    const { dialog, field, user } = await open();
    await user.type(field, '없는이름');
    expect(await within(dialog).findByText("'없는이름'에 대한 검색 결과가 없습니다.")).toBeVisible();
  });

  it('without results here shows those of other kinds, each a tap away', async () => {
    server.use(
      http.get('*/api/v1/stock/search/get-stock-list', ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.get('searchType') === 'ETF' ? twenty(1) : []),
      ),
      http.get('*/api/v1/coin/search/get-coin-list', () => HttpResponse.json([{ ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인' }])),
      http.get('*/api/v1/commodity/search/get-commodity-list', () => problem(503, 9007, 'UNAVAILABLE')),
      http.get('*/api/v1/product/search/get-product-list', () => HttpResponse.json([])),
    );
    const { dialog, field, user } = await open();
    await user.type(field, '비트');
    const coins = await within(dialog).findByRole('button', { name: '코인에서 1개 찾았어요' });
    expect(within(dialog).getByText("'비트'에 대한 검색 결과가 없습니다.")).toBeVisible();
    expect(await within(dialog).findByRole('button', { name: 'ETF에서 20개 이상 찾았어요' })).toBeVisible();
    expect(within(dialog).getAllByRole('button', { name: /찾았어요$/ })).toHaveLength(2);
    expect(await axeViolations(dialog)).toEqual([]);

    await user.click(coins);
    await waitFor(() => expect(dialog.querySelector('a')).toHaveTextContent(/^비트코인$/));
    expect(within(dialog).getByRole('tab', { name: '코인' })).toHaveAttribute('aria-selected', 'true');
    expect(within(dialog).getByRole('tabpanel')).toHaveFocus();
    expect(field).toHaveValue('비트');
    expect(within(dialog).queryByRole('button', { name: /찾았어요$/ })).toBeNull();
  });

  it('reports why products could not be searched', async () => {
    server.use(http.get('*/api/v1/product/search/get-product-list', () => problem(500, 9009, 'INTERNAL', '잠시 쉬는 중')));
    const { dialog, field, user } = await open({ kind: 'product', at: '/invest-v2/product' });
    await user.type(field, '적금');
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('검색 중 오류가 발생했습니다: 잠시 쉬는 중');
  });
});

describe('closing', () => {
  const close = async ({ dialog, user }: Awaited<ReturnType<typeof open>>) => {
    await act(() => user.click(within(dialog).getByRole('button', { name: '닫기' })));
    await waitFor(() => expect(screen.queryByRole('searchbox')).toBeNull());
  };

  it('leads to the list of the chosen kind, which is chosen again next time', async () => {
    const view = await open();
    await view.user.click(within(view.dialog).getByRole('tab', { name: 'ETF' }));
    await view.user.type(view.field, '코덱스');
    await close(view);
    expect(address()).toBe('/invest-v2/stock?tab=etf');
    await view.user.click(screen.getByRole('button', { name: /종목을 입력하세요$/ }));
    const field = await screen.findByRole('searchbox');
    expect(field).toHaveAttribute('placeholder', 'ETF 종목을 입력하세요');
    expect(field).toHaveValue('');
  });

  it.each(['/invest-v2/stock', '/invest-v2/coin?tab=liked'])('stays at %s', async (at) => {
    const view = await open({ at });
    await close(view);
    expect(address()).toBe(at);
  });
});
