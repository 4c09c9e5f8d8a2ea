import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { ApiProblem } from '@/shared/api/apiProblem';
import { renderApp } from '@/testing/renderApp';
import { MEMBER_SID } from '@/testing/wireSamples';
import { MoneyFailure } from './MoneyFailure';
import { unresolvedRequests } from './unresolvedRequests';
import { useMoneyAttempt } from './useMoneyAttempt';

interface Body {
  amount: number;
}
let sent: (Body & { reqSid: string })[] = [];
let answers: (() => Promise<{ won: number }>)[] = [];
const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const refused = () => Promise.reject(new ApiProblem({ code: 3_005, reason: 'INSUFFICIENT_CASH', message: '돈이 모자라요.' }, 422));
const tooOften = () => Promise.reject(new ApiProblem({ code: 9_006, reason: 'RATE_LIMITED', message: '잠시 뒤에 다시 해주세요.' }, 429));
const tooLate = () => Promise.reject(new ApiProblem({ code: 9_012, reason: 'REQUEST_TIMEOUT', message: '요청이 끝까지 오지 않았어요.' }, 408));
const done = () => Promise.resolve({ won: 5 });

function Screen() {
  const attempt = useMoneyAttempt<Body, { won: number }>({
    memberSid: MEMBER_SID,
    purpose: 'test',
    send: (body) => {
      sent.push(body);
      return (answers.shift() ?? done)();
    },
    doneText: (reply) => `moved ${reply.won}`,
  });
  return (
    <>
      <button onClick={() => attempt.submit({ amount: 1 })}>one</button>
      <button onClick={() => attempt.submit({ amount: 2 })}>two</button>
      <output data-testid="outcome">{attempt.isSending ? 'sending' : attempt.outcome?.kind}</output>
      <MoneyFailure attempt={attempt} title="refused" />
    </>
  );
}

function App() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      {isOpen && <Screen />}
      <button onClick={() => setOpen(!isOpen)}>toggle</button>
    </>
  );
}

const outcome = (kind: string) => waitFor(() => expect(screen.getByTestId('outcome')).toHaveTextContent(kind));

beforeEach(() => {
  sent = [];
  answers = [];
});

it('sends once for two taps', async () => {
  let finish: () => void = () => undefined;
  answers = [() => new Promise((resolve) => (finish = () => resolve({ won: 5 })))];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  await user.click(screen.getByText('one'));
  await outcome('sending');
  act(() => finish());
  await outcome('done');
  expect(sent).toHaveLength(1);
  expect(unresolvedRequests(MEMBER_SID, 'test')).toEqual([]);
});

it('keeps the request id after a lost reply, for the retry and for the same confirmation', async () => {
  answers = [lost, lost, done];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  await user.click(await screen.findByRole('button', { name: '다시 시도' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await outcome('unknown');
  await user.click(screen.getByRole('button', { name: '닫기' }));
  await user.click(screen.getByText('one'));
  await outcome('done');
  expect(new Set(sent.map(({ reqSid }) => reqSid)).size).toBe(1);
});

it('gives another amount a request id of its own', async () => {
  answers = [lost, done];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  await outcome('unknown');
  await user.click(screen.getByRole('button', { name: '닫기' }));
  await user.click(screen.getByText('two'));
  await outcome('done');
  expect(sent.map(({ amount }) => amount)).toEqual([1, 2]);
  expect(sent[0]?.reqSid).not.toBe(sent[1]?.reqSid);
  // What became of the first is still unknown.
  expect(unresolvedRequests(MEMBER_SID, 'test')).toHaveLength(1);
});

it('is over after a refusal, so that the next confirmation is new', async () => {
  answers = [refused, done];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  expect(await screen.findByRole('alertdialog', { name: 'refused' })).toHaveTextContent('돈이 모자라요.');
  await user.click(screen.getByRole('button', { name: '확인' }));
  await user.click(screen.getByText('one'));
  await outcome('done');
  expect(sent[0]?.reqSid).not.toBe(sent[1]?.reqSid);
});

it('does not take a rate limit for the answer to an earlier send', async () => {
  answers = [lost, tooOften];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  await user.click(await screen.findByRole('button', { name: '다시 시도' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await outcome('unknown');
  expect(unresolvedRequests(MEMBER_SID, 'test')).toHaveLength(1);
});

it('is one request over a lost reply, a body that came too late and a success', async () => {
  answers = [lost, tooLate, done];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  await user.click(await screen.findByRole('button', { name: '다시 시도' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await outcome('unknown');
  expect(screen.queryByText('요청이 끝까지 오지 않았어요.')).toBeNull();
  await user.click(screen.getByRole('button', { name: '닫기' }));
  await user.click(screen.getByText('one'));
  await outcome('done');
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ reqSid }) => reqSid)).size).toBe(1);
  expect(unresolvedRequests(MEMBER_SID, 'test')).toEqual([]);
});

it('offers an unresolved request again when the screen is opened again', async () => {
  answers = [lost, done];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  await outcome('unknown');
  await user.click(screen.getByText('toggle'));
  await user.click(screen.getByText('toggle'));
  await user.click(await screen.findByRole('button', { name: '다시 시도' }));
  await outcome('done');
  expect(new Set(sent.map(({ reqSid }) => reqSid)).size).toBe(1);
});

it('reports an outcome that arrives after the screen was left', async () => {
  let finish: () => void = () => undefined;
  answers = [() => new Promise((resolve) => (finish = () => resolve({ won: 5 })))];
  const { user } = renderApp(<App />);
  await user.click(screen.getByText('one'));
  await user.click(screen.getByText('toggle'));
  act(() => finish());
  expect(await screen.findByText('moved 5')).toBeInTheDocument();
});
