import { describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import { fillMemory } from './fillMemory';

const signIn = (memberSid: number) => startSession({ accessToken: 'token', memberSid });

describe('the memory of fills', () => {
  it('knows the newest one of the member who is signed in, and of nobody else', () => {
    signIn(1);
    expect(fillMemory.read()).toBeNull();
    fillMemory.write(41);
    fillMemory.write(42);
    expect(fillMemory.read()).toBe(42);
    signIn(2);
    expect(fillMemory.read()).toBeNull();
  });

  it.each(['nonsense', 'null', '{"memberSid":1}', '{"memberSid":1,"seq":"7"}'])('takes %s for nothing', (stored) => {
    signIn(1);
    localStorage.setItem('last-fill', stored);
    expect(fillMemory.read()).toBeNull();
  });
});
