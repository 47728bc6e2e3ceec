import type { ReactNode } from 'react';

export type DetailRow = [label: string, value: ReactNode];

/** Labels with their values, one pair per line. */
export function Details({ rows }: { rows: DetailRow[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-6 gap-y-2.5 text-sm">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-quiet">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
