import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { samsung } from '@/testing/wireSamples';
import { ItemRow } from './ItemRow';
import { ListRow } from './ListRow';

const open = (changes: Partial<typeof samsung>) =>
  renderApp(
    <ul>
      <ListRow>
        <ItemRow item={{ ...samsung, ...changes }} to="/invest-v2/stock/005930" />
      </ListRow>
    </ul>,
  );

describe('a row', () => {
  it.each([
    ['01', '주의'],
    ['02', '경고'],
    ['03', '위험'],
  ])('marks %s as a warning', async (warnCode, name) => {
    const { container } = open({ warnCode });
    expect(screen.getByText(name)).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('has no badge without a warning', () => {
    open({});
    expect(screen.queryByText('해당없음')).toBeNull();
    expect(screen.queryByText(/주의|경고|위험|unknown/)).toBeNull();
  });

  it('shows a fall by its arrow and without a sign', () => {
    open({ trdPrc: 69_498 });
    expect(screen.getByRole('listitem')).toHaveTextContent('▼1%');
    expect(screen.getByRole('listitem').textContent).not.toMatch(/[-+]\d/);
    expect(screen.getByText('69,498원, 1% 하락')).toBeInTheDocument();
  });

  it('breaks a long name between its words and not within them', () => {
    open({ isuKorNm: 'TIGER 미국나스닥100레버리지(합성)' });
    const link = screen.getByRole('link', { name: 'TIGER 미국나스닥100레버리지(합성)' });
    const parts = [...link.childNodes].map((part) => (part.nodeName === 'WBR' ? '|' : part.textContent));
    expect(parts.join('')).toBe('TIGER 미국나스닥100|레버리지|(합성)');
  });

  it('shows prices of one size with as many decimals', () => {
    open({ marketCode: 'COIN', trdPrc: 0.52, prevDdPrc: 0.5 });
    expect(screen.getByText('0.520원')).toBeVisible();
    expect(screen.getByText('0.520원, 4% 상승')).toBeInTheDocument();
  });

  it('shows a name with a distinct two-character mark', () => {
    open({});
    expect(screen.getByText('삼전')).toHaveAttribute('aria-hidden', 'true');
  });
});
