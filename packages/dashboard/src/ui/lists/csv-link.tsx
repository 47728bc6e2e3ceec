import { Download } from 'lucide-react';
import { buttonClass } from '../forms/button.tsx';

/** Downloads all rows that match the filters as a CSV file. */
export function CsvLink({ href, label = 'Export CSV' }: { href: string; label?: string }) {
  return (
    <a href={href} download className={buttonClass()}>
      <Download size={16} aria-hidden /> {label}
    </a>
  );
}
