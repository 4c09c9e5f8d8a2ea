import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { loginCopy } from './copy';
import styles from './session.module.css';

export function LoginLinks({ joinTo }: { joinTo: string }) {
  return (
    <p className={styles.links}>
      <ButtonLink to={paths.passwordReset} tone="text">
        {loginCopy.forgotten}
      </ButtonLink>
      <ButtonLink to={joinTo} tone="text">
        {loginCopy.join}
      </ButtonLink>
    </p>
  );
}
