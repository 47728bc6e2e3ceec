import { formatDateTime, formatExact, formatRelative } from '../../rules/time.ts';

/** A moment in the viewer’s time zone; hovering shows it to the second. */
export function Time({ at, isRelative = false }: { at: string; isRelative?: boolean }) {
  const moment = new Date(at);
  const now = new Date();
  return (
    <time dateTime={at} title={formatExact(moment)} className="whitespace-nowrap tabular-nums">
      {isRelative ? formatRelative(moment, now) : formatDateTime(moment, now)}
    </time>
  );
}
