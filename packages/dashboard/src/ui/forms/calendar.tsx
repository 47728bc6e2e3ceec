import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addDays, addMonths, firstWeekdayIn, lastDayOfMonth, monthOf, weeksOf } from '../../rules/calendar.ts';
import { pageLocale } from '../../rules/locale.ts';
import { Button } from './button.tsx';

const FIRST_WEEKDAY = firstWeekdayIn(pageLocale);

const format = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(pageLocale, { ...options, timeZone: 'UTC' }).format(new Date(day));

type CalendarProps = {
  /** The first and the last selected day; one of them while the other is still to be chosen. */
  from: string | undefined;
  to: string | undefined;
  today: string;
  onSelect: (day: string) => void;
};

/** One month in which days are selected. Arrow keys move by days and weeks, Page Up and Page Down by months. */
export function Calendar({ from, to, today, onSelect }: CalendarProps) {
  const [focused, setFocused] = useState(to ?? from ?? today);
  const grid = useRef<HTMLTableElement>(null);
  const movesFocus = useRef(false);
  const weeks = weeksOf(focused, FIRST_WEEKDAY);
  const title = format(focused, { month: 'long', year: 'numeric' });

  useEffect(() => {
    if (!movesFocus.current) return;
    movesFocus.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus();
  }, [focused]);

  // Typed days are shown as well.
  const chosen = to ?? from;
  useEffect(() => {
    if (chosen) setFocused(chosen);
  }, [chosen]);

  const handleKey = (event: KeyboardEvent) => {
    const target = dayByKey(event.key, focused);
    if (!target) return;
    event.preventDefault();
    movesFocus.current = true;
    setFocused(target);
  };
  const isSelected = (day: string) => day >= (from ?? to ?? '~') && day <= (to ?? from ?? '');
  return (
    <div>
      <div className="mb-2 flex items-center justify-between">
        <MonthButton label="Previous month" onClick={() => setFocused(monthOf(addMonths(focused, -1)))}>
          <ChevronLeft size={16} aria-hidden />
        </MonthButton>
        <span aria-live="polite" className="text-sm font-medium">
          {title}
        </span>
        <MonthButton label="Next month" onClick={() => setFocused(monthOf(addMonths(focused, 1)))}>
          <ChevronRight size={16} aria-hidden />
        </MonthButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of days, as the ARIA practices describe it */}
      <table ref={grid} role="grid" aria-label={title} onKeyDown={handleKey} className="border-collapse">
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" className="size-9 text-xs font-normal text-quiet">
                <abbr title={format(day, { weekday: 'long' })} className="no-underline">
                  {format(day, { weekday: 'narrow' })}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: cells of a grid can be selected
                <td key={day} aria-selected={isSelected(day)} className="p-0">
                  {monthOf(day) === monthOf(focused) && (
                    <button
                      type="button"
                      data-day={day}
                      tabIndex={day === focused ? 0 : -1}
                      aria-label={format(day, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' })}
                      aria-current={day === today ? 'date' : undefined}
                      onClick={() => {
                        setFocused(day);
                        onSelect(day);
                      }}
                      className={`size-9 text-sm tabular-nums focus-visible:relative ${lookOf(day, from, to)} ${day === today ? 'font-semibold underline' : ''}`}
                    >
                      {Number(day.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function dayByKey(key: string, day: string): string | undefined {
  const weekday = (new Date(day).getUTCDay() - FIRST_WEEKDAY + 7) % 7;
  const days: Record<string, string> = {
    ArrowLeft: addDays(day, -1),
    ArrowRight: addDays(day, 1),
    ArrowUp: addDays(day, -7),
    ArrowDown: addDays(day, 7),
    Home: addDays(day, -weekday),
    End: addDays(day, 6 - weekday),
    PageUp: addMonths(day, -1),
    PageDown: addMonths(day, 1),
  };
  return days[key];
}

/** Ends of the range are filled, the days between them tinted. */
function lookOf(day: string, from: string | undefined, to: string | undefined): string {
  if (day === from || day === to) return 'rounded-lg bg-accent text-on-accent';
  if (from && to && day > from && day < to) {
    const isFirst = day === monthOf(day) ? 'rounded-l-lg' : '';
    const isLast = day === lastDayOfMonth(day) ? 'rounded-r-lg' : '';
    return `bg-accent-soft text-accent ${isFirst} ${isLast}`;
  }
  return 'rounded-lg hover:bg-sunken';
}

type MonthButtonProps = { label: string; onClick: () => void; children: React.ReactNode };

function MonthButton({ label, onClick, children }: MonthButtonProps) {
  return (
    <Button size="small" variant="ghost" aria-label={label} onClick={onClick} className="px-2!">
      {children}
    </Button>
  );
}
