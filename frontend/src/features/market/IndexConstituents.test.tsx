import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { problem, samsung } from '@/testing/wireSamples';
import { IndexConstituents } from './IndexConstituents';

const hynix = { ...samsung, isuSrtCd: '000660', isuKorNm: 'SK하이닉스' };
const serve = (answer: () => Response) => {
  let isAsked = false;
  server.use(
    http.get('*/api/v1/stock/index-constituents/069500', () => {
      isAsked = true;
      return answer();
    }),
  );
  return () => isAsked;
};

describe('the constituents of an index fund', () => {
  it('are its largest companies with their weights', async () => {
    serve(() => HttpResponse.json({ constituents: [{ item: samsung, weight: 36.65 }, { item: hynix, weight: 12.5 }], total: 119 }));
    const { container } = renderApp(<IndexConstituents code="069500" />);
    const section = await screen.findByRole('region', { name: '담긴 종목' });
    expect(section).toHaveTextContent('지수에 든 119개 종목 가운데 큰 순서예요.');
    const [first, second] = within(section).getAllByRole('listitem');
    expect(first).toHaveTextContent('삼성전자');
    expect(first).toHaveTextContent('비중 36.65%');
    expect(first).toHaveTextContent('71,300원');
    expect(second).toHaveTextContent('비중 12.5%');
    expect(within(section).getByRole('link', { name: 'SK하이닉스' })).toHaveAttribute('href', '/invest-v2/stock/000660');
    expect(await axeViolations(container)).toEqual([]);
  });

  it.each([
    ['none are known', () => HttpResponse.json({ constituents: [], total: 0 })],
    ['it cannot be told', () => problem(503, 9007, 'UNAVAILABLE')],
  ])('have no section where %s', async (_what, answer) => {
    const isAsked = serve(answer);
    renderApp(<IndexConstituents code="069500" />);
    await waitFor(() => expect(isAsked()).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.queryByRole('region')).toBeNull();
  });
});
