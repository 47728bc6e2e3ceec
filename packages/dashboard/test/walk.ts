import { tmpdir } from 'node:os';
import { type Action, readQuickStart } from '@svc/testkit/service/walks/quick-start.ts';
import { Shell } from '@svc/testkit/service/walks/shell.ts';
import type { Locator, Page } from 'playwright-core';
import type { Person } from './person.ts';

/** The address in the docs. */
const EXAMPLE = 'http://localhost:4000';

type Walk = {
  url: string;
  /** Where the invitation leads that the page speaks of. */
  invitation?: string;
  /** How many of the first actions others have done already, such as starting the service. */
  skip?: number;
};

/** Does what a quick start says, word for word, in the browser of a person and in a terminal. */
export async function walkQuickStart(name: string, person: Person, { skip = 0, ...walk }: Walk): Promise<void> {
  const shell = new Shell({ cwd: tmpdir() });
  try {
    for (const action of (await readQuickStart(name)).slice(skip)) {
      await take(action, person, shell, walk).catch(async (cause) => {
        const shown = await inFront(person.page).innerText();
        throw new Error(`docs/${name}.md says “${action.do} ${action.what}”, but the page shows:\n${shown}`, { cause });
      });
    }
  } finally {
    shell.close();
  }
}

async function take(action: Action, person: Person, shell: Shell, { url, invitation = '' }: Walk): Promise<void> {
  const { page } = person;
  switch (action.do) {
    case 'open':
      await page.goto(action.what === 'invitation' ? invitation : action.what.replace(EXAMPLE, url));
      return;
    case 'enter':
      return inFront(page).getByLabel(action.as, { exact: true }).fill(action.what);
    case 'select':
      return person.find(action.as, action.what, action.what);
    case 'press':
      return inFront(page).getByRole('button', { name: action.what, exact: true }).first().click();
    case 'go to':
      return page.getByRole('navigation').getByRole('link', { name: action.what, exact: true }).first().click();
    case 'choose':
      return choose(page, action.what);
    case 'see':
      return page.getByText(action.what).filter({ visible: true }).first().waitFor();
    case 'run': {
      const printed = await shell.run(await withValues(action.what.replaceAll(EXAMPLE, url), page));
      if (action.answer && !printed.includes(action.answer)) throw new Error(`It printed ${printed}`);
    }
  }
}

/** A dialog that is open covers the rest of the page. */
function inFront(page: Page): Locator {
  return page.locator('[role="dialog"]:visible, body:not(:has([role="dialog"]:visible))').last();
}

/** Follows a link, or chooses a tab or an option. Tabs may say how much is behind them. Links to files save them. */
async function choose(page: Page, name: string): Promise<void> {
  const roles = (['tab', 'radio', 'link', 'menuitem'] as const).map((role) =>
    page
      .getByRole('main')
      .getByRole(role, { name: new RegExp(`^${escaped(name)}( \\(\\d+\\)|$)|^${escaped(name)}\\b`) }),
  );
  const [first, ...others] = roles as [Locator, ...Locator[]];
  const target = others
    .reduce((any, one) => any.or(one), first)
    .filter({ visible: true })
    .first();
  await target.waitFor();
  const isFile = (await target.getAttribute('download')) !== null;
  const saved = isFile ? page.waitForEvent('download') : null;
  await target.click();
  await saved;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The command with what the page shows where the docs have “…”: a key, or the end of a link. */
async function withValues(command: string, page: Page): Promise<string> {
  const values = new Map<string, string>();
  for (const [start] of command.matchAll(/[\w-]+(?=…)/g)) {
    const value = new RegExp(`${start}[\\w-]+`);
    await page.getByRole('main').getByText(value).first().waitFor();
    values.set(start, value.exec(await page.getByRole('main').innerText())?.[0] ?? '');
  }
  return command.replace(/([\w-]+)…/g, (_, start) => values.get(start) ?? '');
}
