import { formatExact, formatMoment, formatRelative } from '../../rules/time.ts';

/** A moment in the viewer's zone; the exact one shows on hover. */
export function Time({ at, isRelative = false }: { at: string; isRelative?: boolean }) {
  const moment = new Date(at);
  const now = new Date();
  return (
    <time dateTime={at} title={formatExact(moment)} className="whitespace-nowrap tabular-nums">
      {isRelative ? formatRelative(moment, now) : formatMoment(moment, now)}
    </time>
  );
}
