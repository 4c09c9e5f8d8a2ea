import type { UploadedPicture } from '@/features/community/types';
import { ApiProblem, problemFrom, problemFromThrown } from '@/shared/api/apiProblem';
import { api, unwrap } from '@/shared/api/client';
import { ensureFreshToken, refreshSession } from '@/shared/api/sessionFetch';
import { readAccessToken } from '@/shared/api/sessionCookies';

const URL_OF_UPLOAD = '/api/v1/file/upload';
/** A slow line takes a minute for a large photo. */
const TIMEOUT_MS = 120_000;
const ACCESS_EXPIRED = 'Authentication is expired';

/** Uploads a photo and tells how much of it has been sent, from 0 to 1. `fetch` does not tell. */
export async function uploadPhoto(photo: Blob, onProgress: (sent: number) => void, signal: AbortSignal): Promise<UploadedPicture> {
  await ensureFreshToken();
  const token = readAccessToken();
  try {
    return await sendPhoto(photo, token, onProgress, signal);
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.reason !== ACCESS_EXPIRED) throw problem;
    await refreshSession(token);
    return await sendPhoto(photo, readAccessToken(), onProgress, signal);
  }
}

function sendPhoto(photo: Blob, token: string | null, onProgress: (sent: number) => void, signal: AbortSignal): Promise<UploadedPicture> {
  const form = new FormData();
  form.append('file', photo, 'photo');
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.open('POST', new URL(URL_OF_UPLOAD, location.origin));
    request.timeout = TIMEOUT_MS;
    if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => total > 0 && onProgress(loaded / total));
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      if (request.status === 200) resolve(body as UploadedPicture);
      else reject(problemFrom(body, new Response(null, { status: request.status, headers: retryAfterOf(request) })));
    });
    for (const failure of ['error', 'timeout', 'abort']) request.addEventListener(failure, () => reject(problemFromThrown(null)));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function retryAfterOf(request: XMLHttpRequest): Record<string, string> {
  const seconds = request.getResponseHeader('Retry-After');
  return seconds === null ? {} : { 'Retry-After': seconds };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** It is removed after a week anyway, so nobody waits for it. */
export async function discardPhoto(url: string): Promise<void> {
  await unwrap(api.POST('/api/v1/file/delete', { body: { target_image: url } })).catch(() => undefined);
}
