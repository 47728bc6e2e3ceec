import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type EmptyProps = {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Whether the page has nothing else, and this is its heading. */
  isPage?: boolean;
};

/** A list without rows: says why, and what the next step is. */
export function Empty({ icon: Icon, title, children, action, isPage = false }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-full bg-sunken text-quiet">
        <Icon size={20} aria-hidden />
      </span>
      <Heading className="font-semibold">{title}</Heading>
      {children && <p className="mt-1 max-w-md text-sm text-quiet">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

type EmptyListProps = Pick<EmptyProps, 'icon' | 'children' | 'action'> & {
  /** One of the rows, and several. */
  what: [one: string, many: string];
  isFiltered: boolean;
};

/** A list without rows, because nothing fits its filters or because there is nothing yet. */
export function EmptyList({ icon, what: [one, many], isFiltered, children, action }: EmptyListProps) {
  return (
    <Empty icon={icon} title={isFiltered ? `No ${one} fits` : `No ${many} yet`} action={!isFiltered && action}>
      {isFiltered ? 'Try other filters, or leave them out.' : children}
    </Empty>
  );
}
