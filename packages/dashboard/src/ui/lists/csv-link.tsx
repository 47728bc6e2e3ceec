import { Download } from 'lucide-react';
import { useMay, whoMay } from '../../api/rights.ts';
import { Button, buttonClass } from '../forms/button.tsx';
import { useProgramId } from '../layout/program-id.ts';

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
  return (
    <a href={href} download className={buttonClass()}>
      <Download size={16} aria-hidden /> {label}
    </a>
  );
}
