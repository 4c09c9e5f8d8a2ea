// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { clearSessionCookies, writeSessionCookies } from '@/shared/api/sessionCookies';
import { MEMBER_SID } from '@/testing/wireSamples';

const source = readFileSync('scripts/preload-routes.js', 'utf8');
const ROUTE_FILES = [
  ['^/home$', ['assets/home.js', 'assets/home.css'], ['assets/session.js']],
  ['^/market-trend$', ['assets/trend.js']],
];

function preloadedAt(pathname: string): string[] {
  runInNewContext(source, { ROUTE_FILES, document, location: { pathname }, setTimeout: () => undefined });
  return [...document.head.querySelectorAll('link')].map((link) => `${link.as} ${link.getAttribute('href') ?? ''}`);
}

afterEach(() => {
  clearSessionCookies();
  document.head.innerHTML = '';
});

it("preloads a member's screen for a member", () => {
  writeSessionCookies({ accessToken: 'token', memberSid: MEMBER_SID });
  expect(preloadedAt('/home')).toEqual(['script /assets/home.js', 'style /assets/home.css']);
});

it('preloads the login for a visitor who opens a member’s screen', () => {
  expect(preloadedAt('/home')).toEqual(['script /assets/session.js']);
});

it('preloads a public screen for everybody, and nothing elsewhere', () => {
  expect(preloadedAt('/market-trend')).toEqual(['script /assets/trend.js']);
  document.head.innerHTML = '';
  expect(preloadedAt('/settings')).toEqual([]);
});

it('is requested by build, because a cached table names files that a newer release has removed', () => {
  expect(readFileSync('src/index.html', 'utf8')).toContain('<script src="/preload.js?<%= build %>" async>');
});
