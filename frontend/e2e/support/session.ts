import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { BrowserContext, Page } from 'playwright-core';

import type { Session } from './books';
import { product } from './product';
import { joinByApi, type TestMember } from './member';

const HOUR_S = 3_600;

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const partOf = (token: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** The same token as signed two hours ago: genuine and expired. */
export const expiredTwinOf = (token: string): string => {
  const claims = partOf(token, 1);
  const earlier = (name: string): number => Number(claims[name]) - 2 * HOUR_S;
  const body = [
    base64url(partOf(token, 0)),
    base64url({ ...claims, iat: earlier('iat'), nbf: earlier('nbf'), exp: earlier('exp') }),
  ].join('.');
  const key = createPrivateKey(readFileSync(`${product.runDir}/secrets/auth.pem`));
  return `${body}.${sign(null, Buffer.from(body), key).toString('base64url')}`;
};

/** Stores the token in the client's cookie. */
export const keepToken = (context: BrowserContext, value: string): Promise<void> =>
  context.addCookies([{ name: 'access_token', value, url: product.origin }]);

/** Signs a member in without the screen, for journeys that do not test the login. */
export const signIn = async (context: BrowserContext, { email, password }: TestMember): Promise<Session> => {
  const reply = await context.request.post('/api/v1/auth/login', { data: { email, password } });
  const { memberSid, accessToken } = (await reply.json()) as { memberSid: number; accessToken: string };
  await keepToken(context, accessToken);
  await context.addCookies([{ name: 'memberSid', value: String(memberSid), url: product.origin }]);
  return { memberSid, token: accessToken };
};

/** A new member, signed in on this phone. */
export const newMemberOn = async (context: BrowserContext): Promise<Session & { member: TestMember }> => {
  const member = await joinByApi();
  return { ...(await signIn(context, member)), member };
};

/** Opens a page and waits for its platform report, sent a second later: a token broken earlier would be used for that report. */
export const visit = async (page: Page, path: string): Promise<void> => {
  const reported = page.waitForResponse((response) => response.url().includes('/api/v1/member/os/'));
  await page.goto(path);
  await reported;
};
