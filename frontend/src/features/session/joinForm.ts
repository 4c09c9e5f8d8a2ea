import type { ApiProblem } from '@/shared/api/apiProblem';
import type { JoinBody } from '@/shared/api/types';
import { isEmail } from '@/shared/format/isEmail';
import { joinCopy, loginCopy } from './copy';
import { passwordError } from './passwordRules';

export const JOIN_STEPS = ['terms', 'account', 'profile', 'done'] as const;
export type JoinStep = (typeof JOIN_STEPS)[number];

export interface JoinForm {
  age14: boolean;
  termsAgreed: boolean;
  privacyAgreed: boolean;
  marketingAgreed: boolean;
  email: string;
  password: string;
  nickname: string;
  birthYear: string;
  gender: 'M' | 'F' | null;
}

/** A field of the form, or `form` for errors of none. */
type JoinField = 'consent' | 'email' | 'password' | 'nickname' | 'birthYear' | 'form';
export type JoinErrors = Partial<Record<JoinField, string>>;

export const EMPTY_JOIN: JoinForm = {
  age14: false,
  termsAgreed: false,
  privacyAgreed: false,
  marketingAgreed: false,
  email: '',
  password: '',
  nickname: '',
  birthYear: '',
  gender: null,
};

const FIRST_BIRTH_YEAR = 1900;

/** The errors of a step by field; empty when it is valid. */
export function checkStep(step: JoinStep, form: JoinForm, thisYear: number): JoinErrors {
  switch (step) {
    case 'terms':
      return form.age14 && form.termsAgreed && form.privacyAgreed ? {} : { consent: joinCopy.consentMissing };
    case 'account':
      return withoutEmpty({ email: emailError(form.email), password: passwordError(form.password, form.email) });
    case 'profile':
      return withoutEmpty({ nickname: nicknameError(form.nickname), birthYear: birthYearError(form.birthYear, thisYear) });
    case 'done':
      return {};
  }
}

export function joinBody(form: JoinForm): JoinBody {
  return {
    email: form.email.trim(),
    password: form.password,
    nickname: form.nickname.trim().normalize('NFC'),
    birthYear: Number(form.birthYear),
    ...(form.gender === null ? {} : { gender: form.gender }),
    os: 'web',
    termsAgreed: form.termsAgreed,
    privacyAgreed: form.privacyAgreed,
    age14: form.age14,
    marketingAgreed: form.marketingAgreed,
  };
}

/** The step and field a rejection belongs to; null when it belongs to none. */
export function placeOfRejection(problem: ApiProblem): { step: JoinStep; field: JoinField } | null {
  switch (problem.reason) {
    case 'EMAIL_TAKEN':
    case 'INVALID_EMAIL':
      return { step: 'account', field: 'email' };
    case 'WEAK_PASSWORD':
      return { step: 'account', field: 'password' };
    case 'NICKNAME_TAKEN':
    case 'INVALID_NICKNAME':
      return { step: 'profile', field: 'nickname' };
    case 'INVALID_BIRTH_YEAR':
      return { step: 'profile', field: 'birthYear' };
    case 'CONSENT_REQUIRED':
      return { step: 'terms', field: 'consent' };
    default:
      return null;
  }
}

function emailError(email: string): string | null {
  const typed = email.trim();
  if (typed === '') return loginCopy.emailMissing;
  return isEmail(typed) && typed.length <= 254 ? null : loginCopy.emailWrong;
}

function nicknameError(nickname: string): string | null {
  return /^[가-힣a-zA-Z0-9]{2,12}$/.test(nickname.trim().normalize('NFC')) ? null : joinCopy.nicknameWrong;
}

function birthYearError(text: string, thisYear: number): string | null {
  const year = Number(text);
  if (!/^\d{4}$/.test(text)) return joinCopy.birthYearWrong;
  return year >= FIRST_BIRTH_YEAR && year <= thisYear ? null : joinCopy.birthYearInvalid(thisYear);
}

function withoutEmpty(errors: Record<string, string | null>): JoinErrors {
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== null));
}
