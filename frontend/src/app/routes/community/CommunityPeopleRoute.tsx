import { Navigate, useParams } from 'react-router';
import { communityPaths, sidOf } from '@/features/community/communityPaths';
import { MyPostsPage } from '@/features/community/people/MyPostsPage';
import { ProfilePage } from '@/features/community/people/ProfilePage';
import { useMemberSid } from '@/shared/api/session';
import { NotFoundRoute } from '../NotFoundRoute';

/** The operator's account, which has no profile. */
const OPERATOR = 23_488;

/** The profile of another member, and the member's own posts. */
export default function CommunityPeopleRoute({ screen }: { screen: 'profile' | 'mine' }) {
  const memberSid = useMemberSid();
  const userSid = sidOf(useParams().userSid);
  if (memberSid === null) return null;
  if (screen === 'mine') return <MyPostsPage memberSid={memberSid} />;
  if (userSid === null || userSid === OPERATOR) return <NotFoundRoute />;
  if (userSid === memberSid) return <Navigate to={communityPaths.mine} replace />;
  return <ProfilePage key={userSid} memberSid={memberSid} userSid={userSid} />;
}
