const MAX_AGE_S = 864_000;
const ACCESS_TOKEN = 'access_token';
const MEMBER_SID = 'memberSid';

/** The bearer token; read for every request, because another tab may have refreshed it. */
export function readAccessToken(): string | null {
  return read(ACCESS_TOKEN);
}

/** The signed-in member's id; null when signed out. */
export function readMemberSid(): number | null {
  const sid = Number(read(MEMBER_SID));
  return read(ACCESS_TOKEN) !== null && Number.isSafeInteger(sid) && sid > 0 ? sid : null;
}

/** Stores both cookies for ten days. The token expires much earlier and is refreshed. */
export function writeSessionCookies({ accessToken, memberSid }: { accessToken: string; memberSid: number }): void {
  write(ACCESS_TOKEN, accessToken, MAX_AGE_S);
  write(MEMBER_SID, String(memberSid), MAX_AGE_S);
}

export function clearSessionCookies(): void {
  write(ACCESS_TOKEN, '', 0);
  write(MEMBER_SID, '', 0);
}

function read(name: string): string | null {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  return value ? decodeURIComponent(value) : null;
}

function write(name: string, value: string, maxAgeS: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAgeS}; SameSite=Lax${secure}`;
}
