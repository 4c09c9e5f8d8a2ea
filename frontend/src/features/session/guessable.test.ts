import { expect, it } from 'vitest';
import { holdsAddress, isGuessable } from './guessable';

// The cases of the server that need no list of words.
it.each(
  ['aaaaaaaaaa', 'ㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋ', '하하하하하하하하하하', 'ababababab', 'q7z2q7z2q7z2', '1234567890', '0987654321', 'abcdefghij', 'qwertyuiop', 'QWERTYuiop[]', '1q2w3e4r5t', '1qaz2wsx3edc', 'asdfghjkl;', '19900101qwer', '01012345678'],
)('%s is among the first guesses', (text) => expect(isGuessable(text)).toBe(true));

it.each(['correct horse battery', 'password is not enough', '8362917405', '한강에서 치킨 먹자', 'tr0ub4dor&3x', 'mypasswordisgood', 'x9$Lq2!vTz', '오늘 점심은 김치찌개'])(
  '%s is not',
  (text) => expect(isGuessable(text)).toBe(false),
);

it('finds an address of three characters or more in a password', () => {
  expect(holdsAddress('XX Minsu.Kim 77', 'minsu.kim@example.com')).toBe(true);
  expect(holdsAddress('a long password', 'lo@example.com')).toBe(false);
});
