import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Compass, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { Button, buttonClass } from '../forms/button.tsx';
import { EmptyState } from '../lists/empty-state.tsx';

type QueryStateProps<Value> = {
  query: UseQueryResult<Value, Error>;
  /** Lines of the placeholder while it loads. */
  lines?: number;
  /** Shown when what the query asks for does not exist. */
  notFound?: ReactNode;
  children: (value: Value) => ReactNode;
};

/** Renders the result of a query, a skeleton while it loads, or the error when it fails. */
export function QueryState<Value>({ query, lines, notFound, children }: QueryStateProps<Value>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (notFound && query.error instanceof ApiError && query.error.status === 404) return notFound;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton lines={lines} />;
}

/** Gray bars in place of text that is loading. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" className="space-y-3 p-5">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity
          key={index}
          className={`h-4 motion-safe:animate-pulse rounded bg-sunken ${['w-full', 'w-5/6', 'w-2/3'][index % 3]}`}
        />
      ))}
    </div>
  );
}

/** Shown for wrong URLs and for other people’s data alike, so that the page does not reveal what exists. */
export function NotFound() {
  const home = (
    <Link to="/app" className={buttonClass({ variant: 'primary' })}>
      Go to dashboard
    </Link>
  );
  return (
    <EmptyState icon={Compass} title="Page not found" action={home} isPage>
      This page doesn’t exist, or you don’t have access to it.
    </EmptyState>
  );
}

export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  return (
    <div role="alert" className="flex flex-col items-start gap-3 p-5">
      <p className="text-sm">
        <strong className="font-semibold text-bad">Couldn’t load this.</strong> {error.message}
      </p>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          <RotateCw size={14} aria-hidden /> Try again
        </Button>
      )}
    </div>
  );
}
