// @vitest-environment jsdom
import { http, HttpResponse } from 'msw/http';
import { expect, it } from 'vitest';
import { server } from '@/testing/server';
import { MEMBER_SID, samsungTerms } from '@/testing/wireSamples';
import { fetchTerms } from './orderApi';

it.each([
  [4e-7, '0.0000004'],
  [0.1234, '0.1234'],
  [71_300, '71300'],
  [null, null],
])('requests the terms at a price of %s in plain digits', async (price, expected) => {
  let asked: URLSearchParams | undefined;
  server.use(
    http.get('*/api/v1/invest/member/:id/code/:code', ({ request }) => {
      asked = new URL(request.url).searchParams;
      return HttpResponse.json(samsungTerms);
    }),
  );
  await fetchTerms(MEMBER_SID, 'KRW-CHEAP', '00', price, new AbortController().signal);
  expect(asked?.get('juPrc')).toBe(expected);
  expect(asked?.get('acno')).toBe('00');
});
