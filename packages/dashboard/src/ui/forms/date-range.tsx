import { CalendarDays, ChevronDown } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type DayRange, todayOf } from '../../rules/calendar.ts';
import { isDay } from '../../rules/day.ts';
import { Button } from './button.tsx';
import { Calendar } from './calendar.tsx';
import { CONTROL, TextField } from './field.tsx';
import { Popover } from './popover.tsx';

/** A range that is chosen by its name. */
type RangePreset = { title: string; isSelected: boolean; onSelect: () => void };

type DateRangeProps = {
  /** What the days are about, for screen readers. */
  label: string;
  /** The selection, as the button shows it. */
  text: string;
  range: Partial<DayRange>;
  presets: readonly RangePreset[];
  onChange: (range: DayRange) => void;
  align?: 'start' | 'end';
};

/** Selects days in UTC, by name, by typing or in a calendar. The last day is included. */
export function DateRange({ label, text, range, presets, onChange, align }: DateRangeProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const button = (
    <button
      type="button"
      aria-label={`${label}: ${text}`}
      className={`${CONTROL} flex h-10 w-auto! items-center max-sm:flex-1 gap-2 whitespace-nowrap`}
    >
      <CalendarDays size={16} aria-hidden className="text-quiet" />
      <span className="flex-1 text-left">{text}</span>
      <ChevronDown size={16} aria-hidden className="text-quiet" />
    </button>
  );
  return (
    <Popover label={label} isOpen={isOpen} onOpenChange={setOpen} trigger={button} align={align}>
      <div className="flex max-sm:w-69 max-sm:flex-col">
        <PresetList presets={presets} onDone={close} />
        <CustomRange
          range={range}
          onApply={(chosen) => {
            onChange(chosen);
            close();
          }}
        />
      </div>
    </Popover>
  );
}

function PresetList({ presets, onDone }: { presets: readonly RangePreset[]; onDone: () => void }) {
  return (
    <ul className="flex gap-x-1 border-line p-1.5 max-sm:overflow-x-auto max-sm:border-b sm:w-40 sm:flex-col sm:border-r">
      {presets.map(({ title, isSelected, onSelect }) => (
        <li key={title}>
          <button
            type="button"
            aria-pressed={isSelected}
            onClick={() => {
              onSelect();
              onDone();
            }}
            className="w-full rounded-lg px-2.5 py-2 text-left text-sm whitespace-nowrap hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
          >
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}

type CustomRangeProps = { range: Partial<DayRange>; onApply: (range: DayRange) => void };

function CustomRange({ range, onApply }: CustomRangeProps) {
  const [from, setFrom] = useState(range.from ?? '');
  const [to, setTo] = useState(range.to ?? '');
  const valid = { from: isDay(from) ? from : undefined, to: isDay(to) ? to : undefined };
  const isBackwards = Boolean(valid.from && valid.to && valid.from > valid.to);

  // The first day that is chosen starts a new range, the second one ends it.
  const select = (day: string) => {
    const isComplete = valid.from && valid.to;
    if (isComplete || !valid.from) {
      setFrom(day);
      setTo('');
    } else {
      setFrom(day < valid.from ? day : valid.from);
      setTo(day < valid.from ? valid.from : day);
    }
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (valid.from && !isBackwards) onApply({ from: valid.from, to: valid.to ?? valid.from });
  };
  return (
    <form onSubmit={apply} className="p-3">
      <Calendar {...valid} today={todayOf(new Date())} onSelect={select} key={`${range.from}-${range.to}`} />
      <div className="mt-3 grid w-63 grid-cols-2 gap-2">
        <DayField label="First day" value={from} onChange={setFrom} />
        <DayField label="Last day" value={to} onChange={setTo} />
      </div>
      <div className="mt-3 flex items-center justify-between gap-2">
        <p role="status" className={`text-xs ${isBackwards ? 'text-bad' : 'text-quiet'}`}>
          {isBackwards ? 'The last day is before the first.' : 'Days in UTC, last day included'}
        </p>
        <Button type="submit" size="small" variant="primary" disabled={!valid.from || isBackwards}>
          Apply
        </Button>
      </div>
    </form>
  );
}

function DayField({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <TextField
      label={label}
      placeholder="YYYY-MM-DD"
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value.trim())}
      className="h-9! px-2.5! tabular-nums"
    />
  );
}
