import { LegalPage } from '@/features/legal/LegalPage';
import { privacy } from '@/features/legal/copy.legal';

export default function PrivacyRoute() {
  return <LegalPage {...privacy} />;
}
