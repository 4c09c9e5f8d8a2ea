import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '@/testing/axe';
import { Figure } from './Figure';
import type { FigureData } from './figureData';

const base = { title: '제목', alt: '그림이 하는 말' };

const FIGURES: FigureData[] = [
  { ...base, kind: 'bars', labels: ['2배', '5배'], unit: '%', series: [{ name: '폭', values: [50, -20] }] },
  { ...base, kind: 'bars', labels: ['처음', '뒤'], unit: '%', stacked: true, horizontal: true, series: [{ name: '주식', values: [60, 70] }, { name: '채권', values: [40, 30] }] },
  { ...base, kind: 'bars', labels: ['매출'], stacked: true, series: [{ name: '남은 돈', values: [60] }, { name: '나간 돈', values: [40] }] },
  { ...base, kind: 'lines', labels: ['처음', '첫날'], series: [{ name: '지수', values: [100, 110] }, { name: '2배', values: [100, 120] }] },
  { ...base, kind: 'lines', x: '연도', y: '금리(%)', step: true, mark: [[2022, 3.5, '3.50%']], series: [{ name: '금리', points: [[2020, 0.5], [2022, 3.5]] }] },
  { ...base, kind: 'donut', labels: ['내 조각', '남의 조각'], values: [2, 98], unit: '개' },
  { ...base, kind: 'table', columns: ['장치', '멈추는 것'], rows: [['VI', '종목 하나'], ['서킷브레이커', '시장 전체']], emphasis: [1, 1] },
  { ...base, kind: 'order_book', asks: [[10_010, 900]], bids: [[10_000, 3_000]], mine: '10,000원 구매 100주' },
  { ...base, kind: 'candles', unit: '원', candles: [['월', 10_200, 10_600, 10_150, 10_500], ['화', 10_100, 10_400, 9_950, 10_000]] },
  { ...base, kind: 'flow', steps: ['월급', '저축'], notes: ['250만원', '50만원'] },
  { ...base, kind: 'timeline', events: [['수요일', '늦어도 사는 날'], ['목요일', '배당락']] },
  { ...base, kind: 'balance', left: { title: '가 회사', items: ['이자 3억원'] }, right: { title: '나 회사', items: ['이자 5억원'] } },
];

describe('figures', () => {
  it.each(FIGURES.map((figure) => [figure.kind, figure] as const))('%s is accessible and says its lesson', async (_, figure) => {
    const { container } = render(<Figure figure={figure} />);
    expect(screen.getByRole('figure', { name: '그림이 하는 말' })).toBeInTheDocument();
    await screen.findAllByText((text) => text !== '' && text !== '제목');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('speak the values of bars, and write them', async () => {
    render(<Figure figure={FIGURES[0] as FigureData} />);
    expect(await screen.findByRole('img', { name: '2배 50%, 5배 -20%' })).toBeInTheDocument();
    expect(screen.getByText('-20%')).toBeInTheDocument();
  });

  it('write years without separators', async () => {
    render(<Figure figure={FIGURES[4] as FigureData} />);
    expect(await screen.findByText('2020')).toBeInTheDocument();
    expect(screen.queryByText('2,020')).toBeNull();
  });

  it('mark the own order in an order book', async () => {
    render(<Figure figure={FIGURES[7] as FigureData} />);
    const row = await screen.findByRole('row', { name: /10,000원 3,000주 내 주문/ });
    expect(row).toBeInTheDocument();
  });

  it('show the source of their data', () => {
    render(<Figure figure={{ ...(FIGURES[5] as FigureData), note: '연습 시세' }} />);
    expect(screen.getByText('연습 시세')).toBeInTheDocument();
  });
});
