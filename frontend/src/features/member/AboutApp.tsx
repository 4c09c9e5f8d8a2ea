import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { paths } from '@/shared/paths';
import { myCopy, settingsCopy } from './copy';
import { FactRow, LinkRow } from './LinkGroup';

/** The legal texts and the release. */
export function AboutApp() {
  const { version } = useRuntimeConfig();
  const built = document.querySelector<HTMLMetaElement>('meta[name=app-version]')?.content ?? '';
  return (
    <>
      <LinkRow to={paths.terms}>{myCopy.terms}</LinkRow>
      <LinkRow to={paths.privacy}>{myCopy.privacy}</LinkRow>
      <FactRow name={settingsCopy.version} value={(built || version) || settingsCopy.versionUnknown} />
    </>
  );
}
