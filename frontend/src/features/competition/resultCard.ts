import { tone } from '@/shared/format/tone';
import { resultCardCopy as copy } from './copy';

export interface ResultCardFacts {
  title: string;
  period: string;
  /** Null without a rank. */
  rank: string | null;
  returnRt: number;
  /** As it is shown. */
  returnText: string;
}

const WIDTH = 1_080;
const HEIGHT = 1_350;
const MARGIN = 96;
const LINE = 1.3;

/** A picture of a result for sharing, in the colours of the screen; null where none can be drawn. */
export async function drawResultCard(facts: ResultCardFacts): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) return null;
  draw(context, facts);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

function draw(context: CanvasRenderingContext2D, { title, period, rank, returnRt, returnText }: ResultCardFacts): void {
  const page = getComputedStyle(document.documentElement);
  const color = (name: string) => page.getPropertyValue(`--color-${name}`).trim();
  const family = getComputedStyle(document.body).fontFamily || 'sans-serif';
  const pen = (name: string, weight: number, size: number) => {
    context.fillStyle = color(name);
    context.font = `${weight} ${size}px ${family}`;
  };
  context.fillStyle = color('competition-bg');
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = color('bg');
  context.beginPath();
  context.roundRect(MARGIN / 2, MARGIN / 2, WIDTH - MARGIN, HEIGHT - MARGIN, 48);
  context.fill();

  context.textBaseline = 'top';
  pen('competition', 700, 44);
  context.fillText(copy.heading, MARGIN, 128);
  pen('text', 700, 72);
  let y = 216;
  for (const line of lines(context, title, WIDTH - 2 * MARGIN)) {
    context.fillText(line, MARGIN, y);
    y += 72 * LINE;
  }
  pen('text-2', 400, 40);
  context.fillText(period, MARGIN, y + 8);

  pen('text-2', 500, 48);
  context.fillText(copy.rank, MARGIN, 660);
  pen('text', 700, 160);
  context.fillText(rank ?? copy.noRank, MARGIN, 724);
  pen('text-2', 500, 48);
  context.fillText(copy.returnRt, MARGIN, 956);
  pen(tone(returnRt), 700, 112);
  context.fillText(returnText, MARGIN, 1_016);
  pen('text-3', 400, 36);
  context.fillText(copy.practice, MARGIN, HEIGHT - 152);
}

/** At most two, the second one shortened. */
function lines(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const fits = (part: string) => context.measureText(part).width <= width;
  if (fits(text)) return [text];
  const letters = [...text];
  let first = letters.length - 1;
  while (first > 1 && !fits(letters.slice(0, first).join(''))) first -= 1;
  let rest = letters.slice(first);
  if (fits(rest.join(''))) return [letters.slice(0, first).join(''), rest.join('')];
  while (rest.length > 1 && !fits(`${rest.join('')}…`)) rest = rest.slice(0, -1);
  return [letters.slice(0, first).join(''), `${rest.join('')}…`];
}
