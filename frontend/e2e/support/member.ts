import type { Page } from 'playwright-core';

import { product } from './product';
import { fillIn } from './screen';

export interface TestMember {
  memberSid: number;
  accessToken: string;
  refreshToken: string;
  email: string;
  password: string;
  nickname: string;
}

let made = 0;

/** Unique details of a new member. */
export const newcomer = (): { email: string; password: string; nickname: string } => {
  made += 1;
  const unique = `${Date.now().toString(36)}${made.toString(36)}`;
  return {
    email: `person-${unique}@example.com`,
    password: `처음 심는 씨앗 ${unique}`,
    nickname: `새싹${unique.slice(-8)}`,
  };
};

const post = async <T>(path: string, body: unknown, token?: string): Promise<T> => {
  const response = await fetch(`${product.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${String(response.status)}: ${text}`);
  return JSON.parse(text) as T;
};

const get = async <T>(path: string, token?: string): Promise<T> => {
  const response = await fetch(`${product.origin}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${String(response.status)}: ${text}`);
  return JSON.parse(text) as T;
};

export const api = { get, post };

/** A member created through the API, for journeys that do not test joining. */
export const joinByApi = async (): Promise<TestMember> => {
  const details = newcomer();
  const session = await post<{ memberSid: number; accessToken: string; refreshToken: string }>('/api/v1/auth/join', {
    ...details,
    birthYear: 1995,
    termsAgreed: true,
    privacyAgreed: true,
    age14: true,
  });
  return { ...details, ...session };
};

/** Logs in through the screen. */
export const logIn = async (page: Page, member: { email: string; password: string }, next = '/my'): Promise<void> => {
  await page.goto(`/login?next=${encodeURIComponent(next)}`);
  await fillIn(page.getByLabel('이메일'), member.email);
  await fillIn(page.getByLabel('비밀번호', { exact: true }), member.password);
  await page.getByRole('button', { name: '로그인', exact: true }).click();
  await page.waitForURL((url) => url.pathname === next.split('?')[0]);
};
