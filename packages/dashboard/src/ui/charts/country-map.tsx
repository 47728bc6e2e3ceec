import { shapes, view } from 'virtual:country-map';
import { type Shade, shadeLimits, shadeOf } from '../../rules/shade.ts';

type Country = { code: string; name: string; value: number };
type CountryMapProps = {
  countries: Country[];
  /** What the values are, such as “Revenue in USD”. */
  title: string;
  format: (value: number) => string;
};

const FILLS: Record<Shade, string> = {
  0: 'fill-sunken',
  1: 'fill-accent/25',
  2: 'fill-accent/50',
  3: 'fill-accent/75',
  4: 'fill-accent',
};

/** A map that is darker where there is more. It is hidden from screen readers, which read the same numbers in the table beside it. */
export default function CountryMap({ countries, title, format }: CountryMapProps) {
  const largest = Math.max(...countries.map(({ value }) => value), 0);
  const drawn = countries.filter(({ code }) => code in shapes);
  const missing = countries.filter(({ code }) => !(code in shapes));
  const known = new Set(drawn.map(({ code }) => code));
  const others = Object.entries(shapes).flatMap(([code, path]) => (known.has(code) ? [] : path));
  return (
    <div aria-hidden className="px-5 pb-4">
      <svg
        aria-hidden
        viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        className="mx-auto block w-full max-w-3xl stroke-line stroke-[0.6]"
      >
        <path d={others.join('')} className={FILLS[0]} />
        {drawn.map(({ code, name, value }) => (
          <path key={code} d={shapes[code]} className={FILLS[shadeOf(value, largest)]}>
            <title>{`${name}: ${format(value)}`}</title>
          </path>
        ))}
      </svg>
      <Legend {...{ title, largest, format }} />
      {missing.length > 0 && (
        <p className="mt-1 text-center text-xs text-quiet">
          Too small for the map: {missing.map(({ name }) => name).join(', ')}.
        </p>
      )}
    </div>
  );
}

type LegendProps = Pick<CountryMapProps, 'title' | 'format'> & { largest: number };

/** What the shades mean, in words. */
function Legend({ title, largest, format }: LegendProps) {
  const steps = shadeLimits(largest).map(({ shade, upTo }) => [FILLS[shade], `up to ${format(upTo)}`]);
  return (
    <ul className="mt-2 flex flex-wrap justify-center gap-x-4 gap-y-1 text-xs text-quiet tabular-nums">
      <li className="font-medium">{title}</li>
      {[[FILLS[0], 'none'], ...steps].map(([fill, text]) => (
        <li key={text} className="flex items-center gap-1.5">
          <svg aria-hidden className="size-3 stroke-line" viewBox="0 0 12 12">
            <rect x="0.5" y="0.5" width="11" height="11" rx="2" className={fill} />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}
