import { useSearchParams } from 'react-router';
import { EditorPage } from '@/features/community/editor/EditorPage';
import { draftNameOf, modeOf } from '@/features/community/editor/writingMode';
import { useMemberSid } from '@/shared/api/session';
import { NotFoundRoute } from '../NotFoundRoute';
import { TagPicker } from './TagPicker';

/** The editor of the community in the mode that its address asks for. */
export default function CommunityWriteRoute() {
  const memberSid = useMemberSid();
  const [params] = useSearchParams();
  const mode = modeOf(params);
  if (memberSid === null) return null;
  if (mode === null) return <NotFoundRoute />;
  return <EditorPage key={draftNameOf(mode)} memberSid={memberSid} mode={mode} pickerOf={(props) => <TagPicker {...props} />} />;
}
