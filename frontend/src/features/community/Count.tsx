import { unitless } from '@/shared/format/number';

/** A number beside its picture, spoken with what it counts. */
export function Count({ value, spoken }: { value: number; spoken: string }) {
  return (
    <>
      <span className="num" aria-hidden="true">
        {unitless(value)}
      </span>
      <span className="sr-only">{spoken}</span>
    </>
  );
}
