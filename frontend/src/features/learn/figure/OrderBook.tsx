import { unitless } from '@/shared/format/number';
import { figureCopy } from './copy';
import styles from './Drawing.module.css';
import type { FigureData } from './figureData';

/** Orders that wait, as a broker shows them: sellers above, buyers below, the best prices in the middle. */
export function OrderBook({ figure: { alt, asks = [], bids = [], mine = '' } }: { figure: FigureData }) {
  const most = Math.max(...[...asks, ...bids].map(([, quantity]) => quantity));
  const mineAt = Number(/[\d,]+/.exec(mine)?.[0].replaceAll(',', ''));
  const row = ([price, quantity]: readonly [number, number], side: 'ask' | 'bid') => (
    <tr key={`${side} ${price}`} className={styles[side]}>
      <th scope="row" className={styles.price}>
        {figureCopy.won(unitless(price))}
      </th>
      <td className={styles.depth}>
        <span className={styles.depthBar} style={{ width: `${(quantity / most) * 100}%` }} aria-hidden="true" />
        <span className={styles.depthText}>{figureCopy.shares(unitless(quantity))}</span>{' '}
        {price === mineAt && <span className={styles.mine}>{figureCopy.mine}</span>}
      </td>
    </tr>
  );
  return (
    <table className={styles.book}>
      <caption className="sr-only">{alt}</caption>
      <thead>
        <tr>
          <th scope="col">{figureCopy.price}</th>
          <th scope="col">{figureCopy.asks}</th>
        </tr>
      </thead>
      <tbody>{[...asks].reverse().map((ask) => row(ask, 'ask'))}</tbody>
      <tbody className={styles.bids}>
        <tr>
          <th scope="col">{figureCopy.price}</th>
          <th scope="col">{figureCopy.bids}</th>
        </tr>
        {bids.map((bid) => row(bid, 'bid'))}
      </tbody>
      {mine !== '' && (
        <tfoot>
          <tr>
            <td colSpan={2} className={styles.order}>
              {figureCopy.mine} <strong>{mine}</strong>
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
