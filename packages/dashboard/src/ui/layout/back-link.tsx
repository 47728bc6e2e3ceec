import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

/** Leads from a record back to its list; `children` is the link. */
export function BackLink({ children }: { children: ReactNode }) {
  return (
    <p className="mb-3 flex items-center gap-1.5 text-sm text-quiet [&_a]:hover:text-ink [&_a]:hover:underline">
      <ArrowLeft size={15} aria-hidden /> {children}
    </p>
  );
}
