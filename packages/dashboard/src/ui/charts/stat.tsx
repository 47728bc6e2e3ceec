import { changeInWords } from '../../rules/period.ts';

type StatProps = {
  title: string;
  value: string;
  /** The numbers that the change is made of. */
  now?: number;
  before?: number;
  words?: string;
};

/** One number that matters, and how it changed against the period before. */
export function Stat({ title, value, now, before, words }: StatProps) {
  const change = now === undefined || before === undefined ? null : changeInWords(now, before);
  const isUp = now !== undefined && before !== undefined && now > before;
  const isDown = now !== undefined && before !== undefined && now < before;
  return (
    <div className="min-w-0 rounded-xl border border-line bg-card px-4 py-3.5 shadow-card">
      <dt className="text-[0.8125rem] text-quiet">{title}</dt>
      <dd>
        <span
          className="block truncate text-[1.375rem] leading-8 font-semibold tracking-tight tabular-nums"
          title={value}
        >
          {value}
        </span>
        <span className={`block text-xs ${isUp ? 'text-good' : isDown ? 'text-bad' : 'text-quiet'}`}>
          {words ?? (change ? `${change} vs. prior period` : 'no prior period')}
        </span>
      </dd>
    </div>
  );
}
