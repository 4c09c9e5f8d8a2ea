import { LegalPage } from '@/features/legal/LegalPage';
import { terms } from '@/features/legal/copy.legal';

export default function TermsRoute() {
  return <LegalPage {...terms} />;
}
