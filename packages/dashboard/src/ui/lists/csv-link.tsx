import { useMay, whoMay } from '../../api/rights.ts';
import { useProgramId } from '../layout/program-id.ts';
import { FileLink } from './file-link.tsx';

/** All exports have the same right. */
const ROUTE = 'manageExportSales';

type CsvLinkProps = { href: string; label?: string; isShort?: boolean };

/** Downloads all rows that match the filters as a CSV file. Viewers can’t. */
export function CsvLink({ label = 'Export CSV', ...file }: CsvLinkProps) {
  const mayExport = useMay(useProgramId(), ROUTE);
  return <FileLink label={label} {...file} refusal={mayExport ? undefined : `${whoMay(ROUTE)} export`} />;
}

/** Downloads all rows of a list, as text or for Excel. */
export function ListExport({ href }: { href: string }) {
  return (
    <span className="inline-flex items-center *:not-first:-ml-px *:first:rounded-r-none *:last:rounded-l-none max-sm:order-last">
      <CsvLink href={href} isShort />
      <CsvLink href={`${href}${href.includes('?') ? '&' : '?'}format=xlsx`} label="Export Excel" isShort />
    </span>
  );
}
