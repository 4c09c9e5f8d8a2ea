import { describe, expect, it } from 'vitest';
import { quizCopy } from './copy';

describe('the right answer', () => {
  it('is quoted where it is a sentence, which would otherwise say the opposite', () => {
    expect(quizCopy.answerIs('아니에요')).toBe('정답은 ‘아니에요’');
    expect(quizCopy.answerIs('15,000원')).toBe('정답은 15,000원이에요');
    expect(quizCopy.answerIs('금리')).toBe('정답은 금리예요');
  });
});
