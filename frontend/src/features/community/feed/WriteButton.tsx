import { Link } from 'react-router';
import styles from './Feed.module.css';
import { communityPaths } from '@/features/community/communityPaths';
import { communityCopy } from '@/features/community/copy';
import { PencilIcon } from '@/features/community/icons';
import { state } from '@/shared/copy/copy.shared';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';

/** The floating way to the editor. A visitor comes there by the login. */
export function WriteButton() {
  const isOnline = useIsOnline();
  const content = (
    <>
      <PencilIcon size={22} />
      {communityCopy.write}
    </>
  );
  return (
    <div className={styles.fabPlace}>
      {isOnline ? (
        <Link to={communityPaths.write} className={styles.fab}>
          {content}
        </Link>
      ) : (
        <button type="button" aria-disabled="true" className={styles.fab} onClick={() => showSnackbar(state.offlineBlocked)}>
          {content}
        </button>
      )}
    </div>
  );
}
