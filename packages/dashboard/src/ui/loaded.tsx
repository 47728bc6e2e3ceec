import type { UseQueryResult } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** Grey bars where text will be. */
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

/** What went wrong, and the way to try again. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-3 p-5">
      <p className="text-sm">
        <strong className="font-semibold text-bad">That did not load.</strong> {error.message}
      </p>
      {retry && (
        <Button size="small" onClick={retry}>
          <RotateCw size={14} aria-hidden /> Try again
        </Button>
      )}
    </div>
  );
}

type LoadedProps<Value> = {
  read: UseQueryResult<Value, Error>;
  lines?: number;
  children: (value: Value) => ReactNode;
};

/** Shows what was read; grey bars until then, and the reason when it cannot be read. */
export function Loaded<Value>({ read, lines, children }: LoadedProps<Value>) {
  if (read.data !== undefined) return <>{children(read.data)}</>;
  if (read.error) return <Failed error={read.error} retry={() => void read.refetch()} />;
  return <Skeleton lines={lines} />;
}
