import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './person.ts';

/** Counts how often somebody presses the mouse. Fields are reached with Tab, as people do who fill in a form. */
export class Clicks {
  readonly #person: Person;

  private constructor(person: Person) {
    this.#person = person;
  }

  /** Counts on every page that the person opens from now on. */
  static async of(person: Person): Promise<Clicks> {
    person.isProfileChanged = true;
    await person.context.addInitScript(countInPage);
    return new Clicks(person);
  }

  /** How many clicks the task takes. */
  async during(task: () => Promise<unknown>): Promise<number> {
    const before = await this.#count();
    await task();
    return (await this.#count()) - before;
  }

  #count(): Promise<number> {
    return this.#person.page.evaluate(() => Number(sessionStorage.getItem('svc-test-clicks')));
  }
}

/** Runs in the page. The count outlives it, because a task may load another one. */
function countInPage(): void {
  const count = () =>
    sessionStorage.setItem('svc-test-clicks', String(1 + Number(sessionStorage.getItem('svc-test-clicks'))));
  addEventListener('pointerdown', count, { capture: true });
}

/** More presses of Tab than anybody would put up with. */
const MAX_TABS = 60;

/** Presses Tab until the focus is on the element, where it has to be seen. */
export async function tabTo({ page }: Person, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < MAX_TABS && !(await isThere()); presses += 1) await page.keyboard.press(key);
  expect(await isThere()).toBe(true);
  expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
}
