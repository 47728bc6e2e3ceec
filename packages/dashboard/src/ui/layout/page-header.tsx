import type { ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';

type PageHeaderProps = { title: string; description?: ReactNode; children?: ReactNode };

/** The title of a page, what the page is for, and its actions as children. */
export function PageHeader({ title, description, children }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className={`min-w-0 flex-1 ${description ? 'basis-72' : 'basis-32'}`}>
        <h1 className="text-title leading-10 font-semibold tracking-tight">{title}</h1>
        {description && <p className="mt-0.5 max-w-[68ch] text-pretty text-quiet">{description}</p>}
      </div>
      {children && (
        // On a phone, the buttons are below one another: what people come for is first, and files are last.
        <div className="flex flex-wrap items-center gap-2 max-sm:[&>.bg-accent]:order-first max-sm:[&>a[download]]:order-last">
          {children}
        </div>
      )}
    </header>
  );
}
