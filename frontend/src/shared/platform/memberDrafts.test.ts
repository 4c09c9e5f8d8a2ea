// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { readDraft, removeDraftsOfOthers, writeDraft } from './memberDrafts';

const MINE = 100_000;
const THEIRS = 1_000;
let stop = () => {};

const drafts = () => [readDraft(MINE, 'buy 005930'), readDraft(THEIRS, 'buy 005930')];

beforeEach(() => {
  startSession({ accessToken: 'token', memberSid: MINE });
  writeDraft(MINE, 'buy 005930', 'mine');
  writeDraft(THEIRS, 'buy 005930', 'theirs');
  sessionStorage.setItem('unresolved-orders', '[]');
});
afterEach(() => {
  stop();
  endSession('logout');
});

it('the drafts of another member are removed at once, and the own ones with the logout', () => {
  stop = removeDraftsOfOthers();
  expect(drafts()).toEqual(['mine', null]);
  endSession('logout');
  expect(drafts()).toEqual([null, null]);
  expect(sessionStorage.getItem('unresolved-orders')).toBe('[]');
});

it('texts in the local storage outlive the tab, and not their member', () => {
  writeDraft(MINE, 'post', 'mine', localStorage);
  writeDraft(THEIRS, 'post', 'theirs', localStorage);
  expect(readDraft(MINE, 'post')).toBeNull();
  stop = removeDraftsOfOthers();
  expect([readDraft(MINE, 'post', localStorage), readDraft(THEIRS, 'post', localStorage)]).toEqual(['mine', null]);
  endSession('logout');
  expect(readDraft(MINE, 'post', localStorage)).toBeNull();
});

it('a change of the member removes the drafts of the one before', () => {
  stop = removeDraftsOfOthers();
  startSession({ accessToken: 'theirs', memberSid: THEIRS });
  expect(drafts()).toEqual([null, null]);
});

it('an expired session keeps its drafts for the same member, not for another', () => {
  stop = removeDraftsOfOthers();
  endSession('expired');
  expect(drafts()).toEqual(['mine', null]);
  startSession({ accessToken: 'token', memberSid: MINE });
  expect(drafts()).toEqual(['mine', null]);
  endSession('expired');
  startSession({ accessToken: 'theirs', memberSid: THEIRS });
  expect(drafts()).toEqual([null, null]);
});

it('after a logout elsewhere nothing is left for the next page', () => {
  endSession('logout');
  stop = removeDraftsOfOthers();
  expect(drafts()).toEqual([null, null]);
});
