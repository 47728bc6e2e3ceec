import { Download } from 'lucide-react';
import { buttonClass } from '../forms/button.tsx';

/** Saves all rows that fit the filters. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a href={href} download className={buttonClass()}>
      <Download size={16} aria-hidden /> CSV
    </a>
  );
}
