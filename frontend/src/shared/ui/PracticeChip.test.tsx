import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { expect, it } from 'vitest';
import { refetchRuntimeConfig } from '@/shared/api/runtimeConfig';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { PracticeChip } from './PracticeChip';

const configure = async (config: object) => {
  server.use(http.get('*/config.json', () => HttpResponse.json(config)));
  await refetchRuntimeConfig();
};
const titles = () => [...screen.getByRole('dialog').querySelectorAll('dt')].map(({ textContent }) => textContent);

it.each([
  ['practice', true, ['가격은 시드업이 계산해요', '시장은 하루 종일 열려 있어요', '실제 주문은 나가지 않아요']],
  ['exchange', true, ['가격은 시드업이 계산해요', '거래 시간은 실제와 같아요', '실제 주문은 나가지 않아요']],
  ['replay', false, ['과거 가격을 다시 재생해요', '실제 주문은 나가지 않아요']],
] as const)('a tap explains the prices of the %s clock', async (clock, simulated, expected) => {
  await configure({ clock, simulated });
  const { user, container } = renderApp(<PracticeChip />);
  const chip = screen.getByRole('button', { name: '연습 시세' });
  await user.click(chip);
  expect(await screen.findByRole('dialog', { name: '연습 시세예요' })).toBeVisible();
  expect(titles()).toEqual(expected);
  expect(await axeViolations(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: '확인' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(chip).toHaveFocus();
});

it('real prices have no label', async () => {
  await configure({ clock: 'exchange', simulated: false });
  renderApp(<PracticeChip />);
  expect(screen.queryByText('연습 시세')).toBeNull();
  await configure({});
});
