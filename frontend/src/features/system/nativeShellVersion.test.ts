import { describe, expect, it } from 'vitest';
import { isOlder, nativeShellVersion } from './nativeShellVersion';

describe('the native shell of a user agent', () => {
  it.each([
    ['Mozilla/5.0 (iPhone) InvestApp/ios/1.12.3', { platform: 'ios', version: '1.12.3' }],
    ['InvestApp/android/2 Chrome/140', { platform: 'android', version: '2' }],
    ['Mozilla/5.0 (iPhone) Safari', null],
    ['InvestApp/tv/1.0', null],
  ])('%s is %o', (userAgent, shell) => expect(nativeShellVersion(userAgent)).toEqual(shell));
});

describe('the order of versions', () => {
  it.each([
    ['1.9', '1.10', true],
    ['1.10', '1.9', false],
    ['1.2', '1.2.0', false],
    ['1.2', '1.2.1', true],
    ['2', '1.99.99', false],
  ])('%s is older than %s: %s', (version, least, older) => expect(isOlder(version, least)).toBe(older));
});
