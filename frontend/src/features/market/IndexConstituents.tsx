import { useQuery } from '@tanstack/react-query';
import { unitless } from '@/shared/format/number';
import { pct } from '@/shared/format/pct';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import { ListRow } from '@/shared/ui/ListRow';
import { Section } from '@/shared/ui/Section';
import styles from './Cards.module.css';
import { constituents } from './copy';
import { indexConstituentsQuery } from './marketQueries';

/** The largest constituents of an index fund; no section without data. */
export function IndexConstituents({ code }: { code: string }) {
  const { data } = useQuery(indexConstituentsQuery(code));
  if (!data || data.constituents.length === 0) return null;
  return (
    <Section title={constituents.title}>
      <p className={styles.sectionNote}>{constituents.note(unitless(data.total))}</p>
      <ol>
        {data.constituents.map(({ item, weight }) => (
          <ListRow key={item.isuSrtCd}>
            <ItemRow item={item} to={itemHref(item)} meta={constituents.weight(pct(weight))} />
          </ListRow>
        ))}
      </ol>
    </Section>
  );
}
