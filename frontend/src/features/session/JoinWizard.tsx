import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { ApiProblem, isProblem } from '@/shared/api/apiProblem';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { action, state } from '@/shared/copy/copy.shared';
import { kstParts } from '@/shared/format/kst';
import { haptic } from '@/shared/platform/haptics';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button } from '@/shared/ui/Button';
import { useIsOnline } from '@/shared/ui/States';
import { joinCopy, loginCopy } from './copy';
import { AccountStep, ProfileStep, TermsStep } from './JoinSteps';
import { checkStep, EMPTY_JOIN, JOIN_STEPS, type JoinErrors, type JoinForm, type JoinStep, joinBody, placeOfRejection } from './joinForm';
import styles from './session.module.css';
import { join } from './sessionApi';

interface JoinWizardProps {
  step: JoinStep;
  /** Shows another step; the form is kept. */
  onStep: (step: JoinStep) => void;
  onJoined: (nickname: string) => void;
  loginHref: string;
}

/** The three form steps; the fourth, the welcome, is a screen of its own. */
export function JoinWizard({ step, onStep, onJoined, loginHref }: JoinWizardProps) {
  const [form, setForm] = useState<JoinForm>(EMPTY_JOIN);
  const [errors, setErrors] = useState<JoinErrors>({});
  const place = useRef<HTMLFormElement>(null);
  const isOnline = useIsOnline();
  const helperId = useId();
  useFocusOnStep(place, step);
  useFocusOnError(place, errors);

  // A reload loses the form, so the address of a later step starts over.
  const isStranded = step !== 'terms' && !form.termsAgreed;
  useEffect(() => {
    if (isStranded) onStep('terms');
  }, [isStranded, onStep]);

  const joining = useMutation({
    mutationFn: () => join(joinBody(form)),
    onSuccess: () => {
      haptic('success');
      onJoined(form.nickname.trim());
    },
    onError: (error) => {
      haptic('error');
      const rejection = error instanceof ApiProblem ? placeOfRejection(error) : null;
      setErrors({ [rejection?.field ?? 'form']: sentenceOf(error) });
      if (rejection && rejection.step !== step) onStep(rejection.step);
    },
  });
  const joiningOnce = useSingleFlight(joining.mutate);

  const change = (changes: Partial<JoinForm>) => {
    setForm({ ...form, ...changes });
    setErrors({});
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (joining.isPending || !isOnline) return;
    const found = checkStep(step, form, kstParts(new Date()).year);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    if (step === 'profile') joiningOnce();
    else onStep(JOIN_STEPS[JOIN_STEPS.indexOf(step) + 1] ?? step);
  };

  const isTaken = isProblem(joining.error, 'EMAIL_TAKEN') && errors.email !== undefined;
  return (
    <form ref={place} onSubmit={submit} noValidate>
      <JoinProgress step={step} />
      {step === 'terms' && <TermsStep form={form} errors={errors} onChange={change} />}
      {step === 'account' && <AccountStep form={form} errors={errors} onChange={change} loginHref={isTaken ? loginHref : null} />}
      {step === 'profile' && <ProfileStep form={form} errors={errors} onChange={change} />}
      {errors.form && (
        <p className={styles.alert} role="alert">
          {errors.form}
        </p>
      )}
      <BottomCTA helper={isOnline ? null : state.offlineBlocked} helperId={helperId}>
        <Button
          type="submit"
          size="large"
          busy={joining.isPending}
          disabled={!isOnline}
          describedBy={isOnline ? undefined : helperId}
        >
          {step === 'profile' ? joinCopy.submit : action.next}
        </Button>
      </BottomCTA>
    </form>
  );
}

/** The progress through the four steps. */
export function JoinProgress({ step }: { step: JoinStep }) {
  const number = JOIN_STEPS.indexOf(step) + 1;
  return (
    <div className={styles.progress}>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={joinCopy.screen}
        aria-valuemin={0}
        aria-valuemax={JOIN_STEPS.length}
        aria-valuenow={number}
        aria-valuetext={joinCopy.progress(number, JOIN_STEPS.length)}
      >
        <div className={styles.bar} style={{ transform: `scaleX(${number / JOIN_STEPS.length})` }} />
      </div>
      <span className={styles.count} aria-hidden="true">
        {joinCopy.progressShort(number, JOIN_STEPS.length)}
      </span>
    </div>
  );
}

function sentenceOf(error: unknown): string {
  if (isProblem(error, 'EMAIL_TAKEN')) return joinCopy.emailTaken;
  return error instanceof ApiProblem && error.message !== '' ? error.message : loginCopy.unreachable;
}

// Moves the focus to a new step, so that a screen reader reads it from the start.
function useFocusOnStep(place: RefObject<HTMLFormElement | null>, step: JoinStep): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    place.current?.querySelector('legend')?.focus();
  }, [place, step]);
}

function useFocusOnError(place: RefObject<HTMLFormElement | null>, errors: JoinErrors): void {
  useEffect(() => {
    if (Object.keys(errors).length > 0) place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [place, errors]);
}
