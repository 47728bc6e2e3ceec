import { formatAhead, formatDate, formatDateTime, formatExact, formatRelative } from '../../rules/time.ts';

/** A moment in the viewer’s time zone; hovering shows it to the second. */
export function Time({ at, isRelative = false }: { at: string; isRelative?: boolean }) {
  return <Moment at={at} format={isRelative ? formatRelative : formatDateTime} />;
}

/** How long it takes until a moment for which something is planned. */
export function TimeAhead({ at }: { at: string }) {
  return <Moment at={at} format={formatAhead} />;
}

/** The date of a moment, where the time of day does not matter. */
export function DateOnly({ at }: { at: string }) {
  return <Moment at={at} format={formatDate} />;
}

function Moment({ at, format }: { at: string; format: (moment: Date, now: Date) => string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatExact(moment)} className="whitespace-nowrap tabular-nums">
      {format(moment, new Date())}
    </time>
  );
}
