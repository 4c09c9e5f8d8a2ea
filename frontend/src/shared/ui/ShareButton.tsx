import { share } from '@/shared/copy/copy.controls';
import { shareScreen } from '@/shared/platform/share';
import { ShareIcon } from './shareIcon';
import { showSnackbar } from './snackbarStore';
import { TopBarButton } from './TopBar';

/** Shares the current screen. */
export function ShareButton({ name }: { name: string }) {
  const onShare = async () => {
    const ended = await shareScreen(name);
    if (ended !== 'sheet') showSnackbar(ended === 'copied' ? share.copied : share.failed);
  };
  return (
    <TopBarButton label={share.label(name)} onClick={() => void onShare()}>
      <ShareIcon />
    </TopBarButton>
  );
}
