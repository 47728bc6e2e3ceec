import type { UseQueryResult } from '@tanstack/react-query';
import { Compass, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { Button } from '../forms/button.tsx';
import { Empty } from '../lists/empty.tsx';

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

/** An address that leads nowhere, or to something that is somebody else's: the two look alike. */
export function Nothing({ action }: { action?: ReactNode }) {
  return (
    <Empty icon={Compass} title="There is nothing here" action={action} isPage>
      The address may be wrong, or what was there belongs to somebody else.
    </Empty>
  );
}

/** What went wrong, and the way to try again. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <Nothing />;
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
