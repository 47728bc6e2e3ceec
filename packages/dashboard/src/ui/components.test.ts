import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const UI = fileURLToPath(new URL('.', import.meta.url));
const PAGE = fileURLToPath(new URL('../../components/', import.meta.url));

/** Parts that only work inside the component on the right, whose examples show them. */
const SHOWN_BY: Record<string, string> = {
  TableHead: 'DataTable',
  TableRow: 'DataTable',
  TotalsRow: 'DataTable',
};

function textOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

it('every component is on the page of all components', () => {
  const components = [
    ...textOf(UI).matchAll(/^export (?:default )?(?:async )?(?:function|const|class) ([A-Z]\w*[a-z]\w*)/gm),
  ]
    .map(([, name = '']) => name)
    .sort();
  const page = textOf(PAGE);
  const isOnPage = (name: string) => new RegExp(`<${name}\\b|show: ${name}\\b`).test(page);
  const missing = components.filter((name) => !isOnPage(SHOWN_BY[name] ?? name));
  expect(missing, 'add an example to packages/dashboard/components').toEqual([]);
  expect(components).toEqual(expect.arrayContaining(['Button', 'TrendChart', ...Object.keys(SHOWN_BY)]));
});
