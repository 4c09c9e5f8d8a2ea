import type { ApiProblem } from '@/shared/api/apiProblem';
import type { Member } from '@/shared/api/types';
import { kstDate, parseServerTime } from '@/shared/format/kst';
import { profileCopy } from './copy';
import type { ProfileChange } from './memberQueries';

export interface ProfileForm {
  nickname: string;
  birthYear: string;
  gender: 'M' | 'F' | null;
}

type ProfileField = 'nickname' | 'birthYear' | 'form';
export type ProfileErrors = Partial<Record<ProfileField, string>>;

const FIRST_BIRTH_YEAR = 1900;

export function profileOf({ nickname, birthYear, gender }: Member): ProfileForm {
  return { nickname, birthYear: String(birthYear), gender: gender === 'M' || gender === 'F' ? gender : null };
}

/** Only the changed fields; an unchanged nickname must not count as a change of it. */
export function changeOf(member: Member, form: ProfileForm): ProfileChange {
  const before = profileOf(member);
  const nickname = form.nickname.trim().normalize('NFC');
  return {
    ...(nickname === before.nickname ? {} : { nickname }),
    ...(form.birthYear === before.birthYear ? {} : { birthYear: Number(form.birthYear) }),
    ...(form.gender === before.gender ? {} : { gender: form.gender }),
  };
}

/** The errors by field; empty when the form is valid. */
export function checkProfile(form: ProfileForm, thisYear: number): ProfileErrors {
  const year = Number(form.birthYear);
  const isNickname = /^[가-힣a-zA-Z0-9]{2,12}$/.test(form.nickname.trim().normalize('NFC'));
  const isNumber = /^\d{4}$/.test(form.birthYear);
  const isYear = isNumber && year >= FIRST_BIRTH_YEAR && year <= thisYear;
  return {
    ...(isNickname ? {} : { nickname: profileCopy.nicknameWrong }),
    ...(isYear ? {} : { birthYear: isNumber ? profileCopy.birthYearInvalid(thisYear) : profileCopy.birthYearWrong }),
  };
}

/** The field of a rejection, with the server's message. */
export function placeOfProfileRejection({ reason, message, facts }: ApiProblem): ProfileErrors {
  const sentence = message === '' ? profileCopy.failed : message;
  switch (reason) {
    case 'NICKNAME_TOO_SOON': {
      const date = parseServerTime(typeof facts.changeableAt === 'string' ? facts.changeableAt : null);
      return { nickname: date ? profileCopy.nicknameLocked(kstDate(date)) : sentence };
    }
    case 'NICKNAME_TAKEN':
    case 'INVALID_NICKNAME':
      return { nickname: sentence };
    case 'INVALID_BIRTH_YEAR':
      return { birthYear: sentence };
    default:
      return { form: sentence };
  }
}

/** When the nickname may be changed again; null when it may be now. */
export function nicknameLockedUntil({ nicknameChangeableAt }: Member, now: Date): string | null {
  const date = parseServerTime(nicknameChangeableAt);
  return date && date > now ? kstDate(date) : null;
}
