import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { holding } from '@/testing/wireSamples';
import { HoldingRow } from './HoldingRow';
import { valueHolding } from './holdingsValue';

const open = (warnCode: string, accountName: string | null = null) =>
  renderApp(
    <HoldingRow
      holding={{ ...holding, warnCode }}
      valued={valueHolding(holding, undefined)}
      accountName={accountName}
      to="/invest-v2/stock/005930"
    />,
  );

describe('the row of a holding', () => {
  it.each([
    ['01', '주의'],
    ['02', '경고'],
    ['03', '위험'],
  ])('marks %s as a warning', async (warnCode, name) => {
    const { container } = open(warnCode);
    expect(screen.getByRole('link')).toHaveTextContent(`3주 · 평균 70,000원 ${name}`);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('has no badge without a warning', () => {
    open('00');
    expect(screen.getByRole('link')).not.toHaveTextContent(/해당없음|주의|경고|위험|unknown/);
  });

  it('names an account that is not the basic one', () => {
    open('00', '주식 계좌');
    expect(screen.getByRole('link')).toHaveTextContent('평균 70,000원 주식 계좌');
  });
});
