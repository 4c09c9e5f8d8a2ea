import { useId } from 'react';
import { Link } from 'react-router';
import { paths } from '@/shared/paths';
import { Checkbox } from '@/shared/ui/Checkbox';
import { PasswordField } from '@/shared/ui/PasswordField';
import { TextField } from '@/shared/ui/TextField';
import { joinCopy, loginCopy } from './copy';
import { EmailField } from './EmailField';
import type { JoinErrors, JoinForm } from './joinForm';
import styles from './session.module.css';

interface StepProps {
  form: JoinForm;
  errors: JoinErrors;
  onChange: (changes: Partial<JoinForm>) => void;
}

const CONSENTS = [
  { key: 'age14', text: joinCopy.age14, isRequired: true, page: null },
  { key: 'termsAgreed', text: joinCopy.terms, isRequired: true, page: { to: paths.terms, name: joinCopy.termsName } },
  { key: 'privacyAgreed', text: joinCopy.privacy, isRequired: true, page: { to: paths.privacy, name: joinCopy.privacyName } },
  { key: 'marketingAgreed', text: joinCopy.marketing, isRequired: false, page: null },
] as const;

export function TermsStep({ form, errors, onChange }: StepProps) {
  const errorId = useId();
  const given = CONSENTS.filter(({ key }) => form[key]).length;
  const giveAll = (agreed: boolean) =>
    onChange({ age14: agreed, termsAgreed: agreed, privacyAgreed: agreed, marketingAgreed: agreed });
  return (
    <fieldset className={styles.step} aria-describedby={errorId}>
      <legend className={styles.legend} tabIndex={-1}>
        <h2>{joinCopy.termsTitle}</h2>
      </legend>
      <div className={styles.all}>
        <Checkbox checked={given === CONSENTS.length} mixed={given > 0 && given < CONSENTS.length} onChange={giveAll}>
          {joinCopy.all}
        </Checkbox>
      </div>
      {CONSENTS.map(({ key, text, isRequired, page }) => (
        <div key={key} className={styles.consent}>
          <Checkbox checked={form[key]} onChange={(checked) => onChange({ [key]: checked })}>
            <span className={isRequired ? styles.mark : styles.markOptional}>
              {isRequired ? joinCopy.required : joinCopy.optional}
            </span>{' '}
            {text}
          </Checkbox>
          {page && (
            <Link to={page.to} target="_blank" rel="noopener" className={styles.read} aria-label={`${page.name} ${joinCopy.readShort}`}>
              {joinCopy.readShort}
            </Link>
          )}
        </div>
      ))}
      <p id={errorId} className={styles.alert} role="alert">
        {errors.consent}
      </p>
    </fieldset>
  );
}

export function AccountStep({ form, errors, onChange, loginHref }: StepProps & { loginHref: string | null }) {
  return (
    <fieldset className={styles.step}>
      <legend className={styles.legend} tabIndex={-1}>
        <h2>{joinCopy.emailTitle}</h2>
      </legend>
      <EmailField
        enterKeyHint="next"
        value={form.email}
        error={errors.email}
        onChange={(email) => onChange({ email })}
      />
      {loginHref !== null && (
        <Link to={loginHref} className={styles.read}>
          {joinCopy.goToLogin}
        </Link>
      )}
      <h2 className={styles.secondLegend}>{joinCopy.passwordTitle}</h2>
      <PasswordField
        label={loginCopy.password}
        name="new-password"
        autoComplete="new-password"
        enterKeyHint="next"
        value={form.password}
        error={errors.password}
        helper={joinCopy.passwordHelper}
        onChange={(password) => onChange({ password })}
      />
    </fieldset>
  );
}

const GENDERS = [
  { value: 'F', name: joinCopy.female },
  { value: 'M', name: joinCopy.male },
  { value: null, name: joinCopy.noGender },
] as const;

export function ProfileStep({ form, errors, onChange }: StepProps) {
  const genderId = useId();
  return (
    <fieldset className={styles.step}>
      <legend className={styles.legend} tabIndex={-1}>
        <h2>{joinCopy.nicknameTitle}</h2>
      </legend>
      <TextField
        label={joinCopy.nickname}
        name="nickname"
        autoComplete="nickname"
        spellCheck={false}
        enterKeyHint="next"
        value={form.nickname}
        error={errors.nickname}
        helper={joinCopy.nicknameHelper}
        onChange={(nickname) => onChange({ nickname })}
      />
      <TextField
        label={joinCopy.birthYear}
        name="bday-year"
        autoComplete="bday-year"
        inputMode="numeric"
        placeholder={joinCopy.birthYearPlaceholder}
        enterKeyHint="done"
        value={form.birthYear}
        error={errors.birthYear}
        onChange={(text) => onChange({ birthYear: text.replace(/\D/g, '').slice(0, 4) })}
      />
      <div role="radiogroup" aria-labelledby={genderId}>
        <p id={genderId} className={styles.gendersLabel}>
          {joinCopy.gender} ({joinCopy.genderOptional})
        </p>
        <div className={styles.genders}>
          {GENDERS.map(({ value, name }) => (
            <div key={name} className={styles.gender}>
              <input
                id={`${genderId}-${value}`}
                type="radio"
                name="gender"
                aria-labelledby={`${genderId}-${value}-name`}
                checked={form.gender === value}
                onChange={() => onChange({ gender: value })}
              />
              <label id={`${genderId}-${value}-name`} htmlFor={`${genderId}-${value}`}>
                {name}
              </label>
            </div>
          ))}
        </div>
      </div>
    </fieldset>
  );
}
