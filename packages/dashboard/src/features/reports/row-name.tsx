import type { Breakdown } from './breakdown-table.tsx';

type BreakdownRow = Breakdown['rows'][number];

const NOTES: Partial<Record<BreakdownRow['kind'], string>> = {
  pending: 'The last minute or so. It is sorted shortly.',
};

/** The name of a row. Rows that stand for no single value are set apart. */
export function RowName({ row }: { row: BreakdownRow }) {
  const { kind, name } = row;
  if (kind === 'value') return <span className="break-all font-medium">{name}</span>;
  return (
    <span className="text-quiet italic" title={NOTES[kind]}>
      {name}
    </span>
  );
}
