import { setTimeout as sleep } from 'node:timers/promises';
import type { Profile } from '@svc/testkit';
import type { BrowserContext, ConsoleMessage, Locator, Page, Request, WebError } from 'playwright-core';
import { expect } from 'vitest';
import { navigate } from './in-page.ts';

/** A person with their own browser profile, and a record of everything that went wrong on their pages. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  userId = '';
  email = '';
  /** Whether a test changed the profile in a way that would affect later tests. */
  isProfileChanged = false;
  /** Page errors and violations of the security policy, including failed responses that a test causes. */
  readonly problems: string[] = [];

  readonly #pending = new Set<Request>();

  constructor({ context, page }: Profile) {
    this.context = context;
    this.page = page;
    context.on('weberror', this.#recordError);
    context.on('console', this.#recordMessage);
    page.on('request', this.#recordRequest);
    page.on('requestfinished', this.#forgetRequest);
    page.on('requestfailed', this.#forgetRequest);
  }

  /** Stops recording and returns the browser profile. */
  leave(): Profile {
    this.context.off('weberror', this.#recordError);
    this.context.off('console', this.#recordMessage);
    this.page.off('request', this.#recordRequest);
    this.page.off('requestfinished', this.#forgetRequest);
    this.page.off('requestfailed', this.#forgetRequest);
    return { context: this.context, page: this.page };
  }

  /** What is on the page and what it waits for, to find out why a test has failed. */
  async whatIsSeen(): Promise<string> {
    const waiting = [...this.#pending].map((request) => `${request.method()} ${request.url()}`);
    const page = await this.page.locator('body').ariaSnapshot();
    return [this.page.url(), `Problems: ${this.problems.join('; ')}`, `Waiting for: ${waiting.join(', ')}`, page].join(
      '\n',
    );
  }

  /** Goes to a page and waits for its heading. Pages before the sign-in are loaded: people come to them from elsewhere. */
  async visit(path: string, heading?: string | RegExp): Promise<void> {
    await (BEHIND_SIGN_IN.test(path) ? this.goTo(path) : this.page.goto(path));
    await this.page.getByRole('heading', { level: 1, ...(heading && { name: heading }) }).waitFor();
  }

  /** Loads the page like somebody who enters its URL, and waits for its heading. */
  async load(path: string, heading: string): Promise<void> {
    await this.page.goto(path);
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }

  /**
   * Goes to a page like a link does, without loading the application again, but with new data; loads the application if it is
   * not there yet.
   */
  async goTo(path: string): Promise<void> {
    const isThere = await this.page.evaluate(navigate, { href: path, forgets: false });
    if (!isThere) await this.page.goto(path);
  }

  /** Waits until the page shows no placeholder and has received everything it requested. */
  async untilLoaded(): Promise<void> {
    await this.page.getByRole('heading').first().waitFor();
    await expect.poll(() => this.page.getByText('Loading', { exact: true }).count()).toBe(0);
    for (let quiet = 0; quiet < 4; quiet = this.#pending.size === 0 ? quiet + 1 : 0) await sleep(20);
  }

  async fill(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(value);
  }

  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('button', { name, exact: typeof name === 'string' }).click();
  }

  /** Opens the menu of the button and selects an item. */
  async choose(menu: string | RegExp, item: string): Promise<void> {
    await this.press(menu);
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Opens a select and chooses one of its options. */
  async select(label: string, option: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByLabel(label, { exact: true }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** Opens a combobox, types part of a name and chooses the option with that name. */
  async find(label: string, text: string, option: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByLabel(label, { exact: true }).click();
    await this.page.getByRole('combobox', { name: 'Search', exact: false }).fill(text);
    // Options can move until the results for the text have arrived.
    const options = this.page.locator('[role=listbox]:not([aria-busy])');
    await options.getByRole('option', { name: option, exact: true }).click();
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name });
  }

  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  readonly #recordRequest = (request: Request) => void this.#pending.add(request);
  readonly #forgetRequest = (request: Request) => void this.#pending.delete(request);
  readonly #recordError = (error: WebError) => void this.problems.push(error.error().message);
  readonly #recordMessage = (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
  };

  /** Problems except failed responses, which browsers report themselves, such as a 404 that a test causes. */
  get faults(): string[] {
    return this.problems.filter((problem) => !problem.startsWith('Failed to load resource'));
  }
}

const BEHIND_SIGN_IN = /^\/app\/(programs|portal|account)\b/;
