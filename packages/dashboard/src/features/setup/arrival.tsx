import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

type ArrivalProps = {
  /** What has arrived; null while nothing has. */
  children: ReactNode;
  waitingFor: string;
  /** Something arrived, but not as it should. */
  isIncomplete?: boolean;
};

/** Whether the site has sent an event, updated as it happens. Waiting is no error, so it looks like none. */
export function Arrival({ children, waitingFor, isIncomplete = false }: ArrivalProps) {
  return (
    <div role="status" className="mt-5 border-t border-line pt-4 text-sm">
      {children ? (
        <p className={`flex items-start gap-2.5 ${isIncomplete ? 'text-warn' : 'text-good'}`}>
          {isIncomplete ? (
            <CircleAlert size={18} aria-hidden className="mt-px shrink-0" />
          ) : (
            <CircleCheck size={18} aria-hidden className="mt-px shrink-0" />
          )}
          <span className="min-w-0 break-words">{children}</span>
        </p>
      ) : (
        <p className="flex items-center gap-2.5 text-quiet">
          <span aria-hidden className="relative grid size-[18px] shrink-0 place-items-center">
            <span className="absolute size-2.5 rounded-full bg-accent/40 motion-safe:animate-ping" />
            <span data-filled className="size-2 rounded-full bg-accent" />
          </span>
          {waitingFor}
        </p>
      )}
    </div>
  );
}
