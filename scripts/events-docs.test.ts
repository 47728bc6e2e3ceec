import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FEED_EVENT_TYPES, FEED_EVENTS } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { regionsOf } from './write-snippets.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
const examples = readdirSync(join(ROOT, 'examples/events')).filter((name) => /\.(js|ts|py|php)$/.test(name));

/** Everything that the page may show of the examples: whole files, and regions with the imports before them. */
const shown = examples.flatMap((name) => {
  const { imports, ...regions } = regionsOf(readFileSync(join(ROOT, 'examples/events', name), 'utf8'));
  return Object.values(regions).map((code) => (imports ? `${imports}\n${code}` : code));
});

describe('docs/events.md', () => {
  it('has exactly the types of the contract, with what each means and what it is about', () => {
    const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z]+)` +\| (.+?) +\| `(\w+)` +\|$/gm)].map((row) => row.slice(1));
    expect(rows).toEqual(FEED_EVENT_TYPES.map((type) => [type, FEED_EVENTS[type].summary, FEED_EVENTS[type].about]));
  });

  it('shows the code of the examples, as it is there', () => {
    const blocks = [...page.matchAll(/^```(js|ts|python|php)\n([\s\S]*?)^```/gm)].map(([, , code = '']) => code);
    const others = blocks.filter((code) => !shown.includes(code));
    // The loop over the feed is too short for a file of its own; the warehouse has one.
    expect(others).toEqual([expect.stringContaining('for await (const event of svc.events(')]);
    expect(blocks.length - others.length).toBe(7);
  });
});
