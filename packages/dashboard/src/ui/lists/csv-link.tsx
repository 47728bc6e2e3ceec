import { Download } from 'lucide-react';
import { useMay, whoMay } from '../../api/rights.ts';
import { Button } from '../forms/button.tsx';
import { useProgramId } from '../layout/program-id.ts';
import { FileLink } from './file-link.tsx';

/** All exports have the same right. */
const ROUTE = 'manageExportSales';

/** Downloads all rows that match the filters as a CSV file. Viewers can’t. */
export function CsvLink({ href, label = 'Export CSV' }: { href: string; label?: string }) {
  if (!useMay(useProgramId(), ROUTE)) {
    return (
      <Button disabled title={`${whoMay(ROUTE)} export`}>
        <Download size={16} aria-hidden /> {label}
      </Button>
    );
  }
  return <FileLink href={href} label={label} />;
}

/** Downloads all rows of a list, as text or for Excel. */
export function ListExport({ href }: { href: string }) {
  return (
    <>
      <CsvLink href={href} />
      <CsvLink href={`${href}${href.includes('?') ? '&' : '?'}format=xlsx`} label="Export Excel" />
    </>
  );
}
