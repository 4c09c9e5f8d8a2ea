import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type LegalText, privacy, terms } from './copy.legal';

const ROUTES = readFileSync('../services/main/gateway/routes.csv', 'utf8');

const textOf = ({ sections }: LegalText) => sections.flatMap(({ paragraphs }) => paragraphs).join('\n');

const isServed = (route: string) => {
  const row = ROUTES.split('\n').find((line) => line.startsWith(`main,${route},`));
  if (row === undefined) throw new Error(`${route} is not in the list of routes`);
  return row.trim().endsWith('served');
};

describe('terms and privacy', () => {
  it.each([
    ['DELETE,/api/v1/member/{memberSid}', '앱에서 계정을 지우는 기능은 아직 없어요', [terms, privacy]],
    ['POST,/api/v1/auth/subscribe', '앱에서 동의를 거두는 기능은 아직 없어요', [privacy]],
  ])('say that %s does not exist exactly while it does not', (route, sentence, texts) => {
    for (const text of texts) expect(textOf(text).includes(sentence)).toBe(!isServed(route));
  });

  it('say that the ledger stays, without whose it was', () => {
    for (const text of [terms, privacy]) {
      expect(textOf(text)).toMatch(/거래 장부는 (남아요|누구의 것인지 알 수 없게)/);
      expect(textOf(text)).toContain('누구의 것인지 알 수 없게 바꿔서 보관해요');
      expect(textOf(text)).not.toMatch(/기록도 함께 사라져요|언제든 거둘 수 있어요/);
    }
  });

  it('say that no marketing is sent and that consent is a choice', () => {
    expect(textOf(privacy)).toContain('동의하지 않아도 똑같이 쓸 수 있어요');
    expect(textOf(privacy)).toContain('소식은 보내지 않아요');
  });
});
