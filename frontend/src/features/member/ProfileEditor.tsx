import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member } from '@/shared/api/types';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { kstParts } from '@/shared/format/kst';
import { haptic } from '@/shared/platform/haptics';
import { OnlineButton } from '@/shared/ui/OnlineButton';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { ErrorState, useIsOnline } from '@/shared/ui/States';
import { TextField } from '@/shared/ui/TextField';
import { profileCopy } from './copy';
import { memberQuery } from '@/shared/api/memberQuery';
import { changeProfile } from './memberQueries';
import styles from './My.module.css';
import {
  changeOf,
  checkProfile,
  nicknameLockedUntil,
  placeOfProfileRejection,
  type ProfileErrors,
  type ProfileForm,
  profileOf,
} from './profileForm';
import { RadioChips } from './RadioChips';

interface ProfileEditorProps {
  memberSid: number;
  onDone: () => void;
}

/** Edits nickname, year of birth and gender, once they are loaded. */
export function ProfileEditor({ memberSid, onDone }: ProfileEditorProps) {
  const member = useQuery(memberQuery(memberSid));
  if (member.data) return <Form key={memberSid} member={member.data} onDone={onDone} />;
  if (member.isError) return <ErrorState error={member.error} onRetry={() => void member.refetch()} />;
  return <RowsSkeleton rows={3} />;
}

const GENDERS = [
  { value: 'F', label: profileCopy.female },
  { value: 'M', label: profileCopy.male },
  { value: '', label: profileCopy.noGender },
] as const;

function Form({ member, onDone }: { member: Member; onDone: () => void }) {
  const [form, setForm] = useState<ProfileForm>(() => profileOf(member));
  const [errors, setErrors] = useState<ProfileErrors>({});
  const nickname = useRef<HTMLInputElement>(null);
  const birthYear = useRef<HTMLInputElement>(null);
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const lockedUntil = nicknameLockedUntil(member, new Date());
  const change = changeOf(member, form);
  const isUnchanged = Object.keys(change).length === 0;

  const show = (found: ProfileErrors) => {
    setErrors(found);
    if (found.nickname) nickname.current?.focus();
    else if (found.birthYear) birthYear.current?.focus();
  };

  const save = useMutation({
    mutationFn: () => changeProfile(member.sid, change),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKeys.member(member.sid), changed);
      haptic('success');
      showSnackbar(profileCopy.saved);
      onDone();
    },
    onError: (error) => {
      haptic('error');
      show(error instanceof ApiProblem ? placeOfProfileRejection(error) : { form: profileCopy.failed });
    },
  });
  const saveOnce = useSingleFlight(save.mutate);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending || !isOnline || isUnchanged) return;
    const found = checkProfile(form, kstParts(new Date()).year);
    show(found);
    if (Object.keys(found).length === 0) saveOnce();
  };

  const edit = (part: Partial<ProfileForm>) => {
    setForm({ ...form, ...part });
    setErrors({});
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        ref={nickname}
        label={profileCopy.nickname}
        name="nickname"
        autoComplete="nickname"
        spellCheck={false}
        enterKeyHint="next"
        value={form.nickname}
        error={errors.nickname}
        helper={lockedUntil === null ? profileCopy.nicknameHelper : profileCopy.nicknameLocked(lockedUntil)}
        readOnly={lockedUntil !== null}
        onChange={(text) => edit({ nickname: text })}
      />
      <TextField
        ref={birthYear}
        label={profileCopy.birthYear}
        name="bday-year"
        autoComplete="bday-year"
        inputMode="numeric"
        enterKeyHint="done"
        value={form.birthYear}
        error={errors.birthYear}
        onChange={(text) => edit({ birthYear: text.replace(/\D/g, '').slice(0, 4) })}
      />
      <RadioChips
        label={profileCopy.gender}
        options={GENDERS}
        value={form.gender ?? ''}
        onChange={(gender) => edit({ gender: gender === '' ? null : gender })}
      />
      <p className={styles.failure} role="alert">
        {errors.form}
      </p>
      <OnlineButton type="submit" busy={save.isPending} disabled={isUnchanged}>
        {profileCopy.save}
      </OnlineButton>
    </form>
  );
}
