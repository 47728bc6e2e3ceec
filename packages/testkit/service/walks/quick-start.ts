import { readFile } from 'node:fs/promises';

/** Something that a reader of a quick start does, or looks for. */
export type Action =
  | { do: 'open'; what: string }
  | { do: 'enter' | 'select'; what: string; as: string }
  | { do: 'press' | 'choose' | 'go to' | 'see'; what: string }
  | { do: 'run'; what: string; answer: string | null };

const ACTION = new RegExp(
  [
    /in the menu, choose \*\*(?<entry>[^*]+)\*\*/,
    /(?<verb>press|choose|see) \*\*(?<named>[^*]+)\*\*/,
    // “You see **Pending** for one thing, **Approved** for another”: names after the first belong to its verb.
    /(?:,| and| or) \*\*(?<more>[^*]+)\*\*/,
    /`(?<value>[^`]+)` as \*\*(?<field>[^*]+)\*\*/,
    /select \*\*(?<option>[^*]+)\*\* as \*\*(?<list>[^*]+)\*\*/,
    /open <(?<address>[^>]+)>/,
    /open the (?<place>invitation)/,
    /(?:answers|prints) `(?<answer>[^`]+)`/,
    /```sh\n(?<command>[\s\S]+?)\n```/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/**
 * The numbered steps of a quick start, in order, as they are written: what to press, choose, enter and run, and what to see. Throws on
 * something in bold that is not part of any: nobody would notice if it were renamed.
 */
export async function readQuickStart(name: string): Promise<Action[]> {
  const page = await readFile(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');
  return stepsOf(page).flatMap(actionsOf);
}

function stepsOf(page: string): string[] {
  const items = page.match(/^\d+\. .*\n(?:(?: {3}.*)?\n)*/gm) ?? [];
  return items.map((item) => item.replace(/^(\d+\. | {3})/gm, ''));
}

function actionsOf(step: string): Action[] {
  const actions: Action[] = [];
  let answer: string | null = null;
  let verb: 'press' | 'choose' | 'see' = 'see';
  // Names and sentences may be broken across lines; commands stay as they are.
  const text = step
    .split(/(^```sh\n[\s\S]*?\n```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replace(/\s+/g, ' ')))
    .join('');
  const rest = text.replace(ACTION, (...parts) => {
    const found = parts.at(-1) as Record<string, string | undefined>;
    if (found.verb) verb = found.verb.toLowerCase() as typeof verb;
    if (found.entry !== undefined) actions.push({ do: 'go to', what: found.entry });
    const named = found.named ?? found.more;
    if (named !== undefined) actions.push({ do: verb, what: named });
    if (found.value !== undefined) actions.push({ do: 'enter', what: found.value, as: found.field ?? '' });
    if (found.option !== undefined) actions.push({ do: 'select', what: found.option, as: found.list ?? '' });
    if (found.address ?? found.place) actions.push({ do: 'open', what: found.address ?? found.place ?? '' });
    if (found.answer !== undefined) answer = found.answer;
    if (found.command !== undefined) actions.push({ do: 'run', what: found.command, answer });
    return '';
  });
  if (rest.includes('**')) throw new Error(`Nobody does anything with what is in bold here: ${rest}`);
  return actions;
}
