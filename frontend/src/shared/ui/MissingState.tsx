import type { To } from 'react-router';
import { state } from '@/shared/copy/copy.shared';
import { ButtonLink } from './Button';
import { EmptyState } from './States';

interface MissingStateProps {
  title: string;
  body?: string;
  /** Where there is something. */
  to: To;
  label?: string;
}

/** In place of what the address names and is not there. The way on replaces it, so that back does not return. */
export function MissingState({ to, label = state.goToList, ...words }: MissingStateProps) {
  return (
    <EmptyState
      {...words}
      action={
        <ButtonLink to={to} tone="neutral" replace>
          {label}
        </ButtonLink>
      }
    />
  );
}
