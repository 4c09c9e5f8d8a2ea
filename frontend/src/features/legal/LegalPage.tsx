import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';
import type { LegalText } from './copy.legal';
import styles from './LegalPage.module.css';

export function LegalPage({ title, updated, sections }: LegalText) {
  return (
    <>
      <TopBar title={title} backTo={paths.boot} />
      <main id="main" className={styles.page}>
        <p className={styles.updated}>{updated}</p>
        {sections.map(({ heading, paragraphs }) => (
          <section key={heading} className={styles.section}>
            <h2>{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </main>
    </>
  );
}
