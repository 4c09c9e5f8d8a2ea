import { Balance } from './Balance';
import { Bars } from './Bars';
import { Candles } from './Candles';
import { Donut } from './Donut';
import type { FigureData } from './figureData';
import { Flow } from './Flow';
import { Lines } from './Lines';
import { OrderBook } from './OrderBook';
import { Table } from './Table';
import { Timeline } from './Timeline';

/** Draws a figure. Curves and bars are SVG; what consists of words is laid out as text, so that it wraps and grows. */
export default function Drawing({ figure }: { figure: FigureData }) {
  switch (figure.kind) {
    case 'bars':
      return <Bars figure={figure} />;
    case 'lines':
      return <Lines figure={figure} />;
    case 'donut':
      return <Donut figure={figure} />;
    case 'candles':
      return <Candles figure={figure} />;
    case 'table':
      return <Table figure={figure} />;
    case 'order_book':
      return <OrderBook figure={figure} />;
    case 'flow':
      return <Flow figure={figure} />;
    case 'timeline':
      return <Timeline figure={figure} />;
    case 'balance':
      return <Balance figure={figure} />;
  }
}
