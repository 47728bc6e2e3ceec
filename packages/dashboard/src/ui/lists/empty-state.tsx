import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type EmptyStateProps = {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Whether it is the whole page, so that its title is the page’s heading. */
  isPage?: boolean;
};

/** Says why there is nothing to show and what to do next. */
export function EmptyState({ icon: Icon, title, children, action, isPage = false }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-full bg-sunken text-quiet">
        <Icon size={20} aria-hidden />
      </span>
      <Heading className="font-semibold">{title}</Heading>
      {children && <p className="mt-1 max-w-md text-sm text-balance text-quiet">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

type EmptyListProps = {
  icon: LucideIcon;
  /** What the list holds, in the plural and in lower case. */
  noun: string;
  isFiltered: boolean;
  /** How the first row comes about. */
  children: ReactNode;
  action?: ReactNode;
};

/** An empty list: either nothing matches its filters, or there is nothing yet. */
export function EmptyList({ icon, noun, isFiltered, children, action }: EmptyListProps) {
  if (isFiltered) {
    return (
      <EmptyState icon={icon} title="No matches">
        No {noun} match your filters. Change or clear them to see more.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={icon} title={`No ${noun} yet`} action={action}>
      {children}
    </EmptyState>
  );
}
