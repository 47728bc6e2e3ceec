import { POSTBACK_MACROS } from '@svc/contract';

/** The macros as buttons that insert themselves into the URL. */
export function Macros({ onInsert }: { onInsert: (macro: string) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Insert a value</legend>
      <ul className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
        {Object.entries(POSTBACK_MACROS).map(([name, { summary }]) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-2 text-caption text-quiet">
            <button
              type="button"
              onClick={() => onInsert(`{${name}}`)}
              aria-label={`Insert {${name}}`}
              className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-mono text-ink hover:bg-card"
            >
              {`{${name}}`}
            </button>
            {summary}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
