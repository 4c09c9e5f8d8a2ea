import { useSearchParams } from 'react-router';
import { sorting } from '@/shared/copy/copy.shared';
import { ChevronDownIcon } from './icons';
import styles from './SortSelect.module.css';

interface SortSelectProps<Sort extends string> {
  values: readonly Sort[];
  names: Readonly<Record<Sort, string>>;
  value: Sort;
  onChange: (sort: Sort) => void;
}

export function SortSelect<Sort extends string>({ values, names, value, onChange }: SortSelectProps<Sort>) {
  return (
    <div className={styles.sort}>
      <select aria-label={sorting.label} value={value} onChange={(event) => onChange(known(values, event.target.value))}>
        {values.map((sort) => (
          <option key={sort} value={sort}>
            {names[sort]}
          </option>
        ))}
      </select>
      <ChevronDownIcon size={16} />
    </div>
  );
}

/** The sort order in the address, or the first; kept there so that back and sharing preserve it. */
export function useSortParam<Sort extends string>(values: readonly Sort[]): [sort: Sort, setSort: (sort: Sort) => void] {
  const [params, setParams] = useSearchParams();
  const setSort = (sort: Sort) => {
    setParams(
      (before) => {
        before.set('sort', sort);
        return before;
      },
      { replace: true },
    );
  };
  return [known(values, params.get('sort')), setSort];
}

function known<Sort extends string>(values: readonly Sort[], text: string | null): Sort {
  const [first] = values;
  const found = values.find((sort) => sort === text) ?? first;
  if (found === undefined) throw new Error('A list needs at least one order');
  return found;
}
