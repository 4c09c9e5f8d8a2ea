import { communityPaths } from '@/features/community/communityPaths';
import { detailCopy } from '@/features/community/copy.detail';
import { isProblem } from '@/shared/api/apiProblem';
import { MissingState } from '@/shared/ui/MissingState';

/** Whether a post or comment is not there, or not for this member. */
export function isGone(error: unknown): boolean {
  return ['POST_DELETED', 'POST_NOT_FOUND', 'COMMENT_NOT_FOUND'].some((reason) => isProblem(error, reason));
}

/** In place of a post that is not there. */
export function MissingPost({ error }: { error: unknown }) {
  const isDeleted = isProblem(error, 'POST_DELETED');
  return <MissingState title={isDeleted ? detailCopy.deleted : detailCopy.missing} body={isDeleted ? '' : detailCopy.missingBody} to={communityPaths.home} />;
}
