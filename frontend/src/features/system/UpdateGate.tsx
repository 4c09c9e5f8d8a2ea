import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { refetchRuntimeConfig, useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { isFocusScreen } from '@/shared/paths';
import { sendToNative } from '@/shared/platform/nativeBridge';
import { Button } from '@/shared/ui/Button';
import { Dialog } from '@/shared/ui/Dialog';
import { BlockingDialog } from '@/shared/ui/BlockingDialog';
import { systemCopy } from './copy';
import { isOlder, nativeShellVersion } from './nativeShellVersion';

const RECHECK_AFTER_MS = 10 * 60_000;

/** Asks for an update: required when the native app is too old for the server, optional when a newer client is out. */
export function UpdateGate() {
  const { leastApp } = useRuntimeConfig();
  const [shell] = useState(() => nativeShellVersion(navigator.userAgent));
  const least = shell && leastApp[shell.platform];
  useConfigRefetch();
  if (shell && least && isOlder(shell.version, least)) return <TooOld />;
  return <NewRelease />;
}

function TooOld() {
  return (
    <BlockingDialog
      picture={<img src="/icon.svg" alt="" width={56} height={56} />}
      title={systemCopy.newVersion}
      body={systemCopy.newVersionBody}
      actions={
        <Button size="large" block onClick={() => void sendToNative('openStore', {})}>
          {systemCopy.update}
        </Button>
      }
    />
  );
}

/** The page works with its own release, so the offer waits for an idle screen and can be declined. */
function NewRelease() {
  const { version } = useRuntimeConfig();
  const { pathname } = useLocation();
  // The release of this page; after declining, the declined one.
  const [known, setKnown] = useState(version);
  if (known === '' && version !== '') setKnown(version);
  const isNew = known !== '' && version !== '' && version !== known;
  return (
    <Dialog
      open={isNew && !isFocusScreen(pathname)}
      title={systemCopy.newVersion}
      body={systemCopy.newVersionBody}
      onClose={() => setKnown(version)}
      confirm={{ label: systemCopy.update, onClick: () => location.reload() }}
    />
  );
}

/** Checks for a new release when the page becomes visible after a while. */
function useConfigRefetch(): void {
  useEffect(() => {
    let readAtMs = Date.now();
    const onVisible = () => {
      if (document.hidden || Date.now() - readAtMs < RECHECK_AFTER_MS) return;
      readAtMs = Date.now();
      void refetchRuntimeConfig();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
}
