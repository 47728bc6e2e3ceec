import type { Profile } from '@svc/testkit';
import type { BrowserContext, ConsoleMessage, Locator, Page, WebError } from 'playwright-core';

/** A person with a browser profile of their own, and a note of everything that went wrong on their pages. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  userId = '';
  email = '';
  /** Errors of pages and refusals of the security policy. Answers that a test provokes are told apart by their status. */
  readonly problems: string[] = [];

  constructor({ context, page }: Profile) {
    this.context = context;
    this.page = page;
    context.on('weberror', this.#noteError);
    context.on('console', this.#hear);
  }

  /** Ends the notes, and returns the browser profile. */
  leave(): Profile {
    this.context.off('weberror', this.#noteError);
    this.context.off('console', this.#hear);
    return { context: this.context, page: this.page };
  }

  /** Goes to the address and waits until the page has its heading. */
  async visit(path: string, heading?: string | RegExp): Promise<void> {
    await this.page.goto(path);
    await this.page.getByRole('heading', { level: 1, ...(heading && { name: heading }) }).waitFor();
  }

  async fill(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(value);
  }

  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('button', { name, exact: typeof name === 'string' }).click();
  }

  /** Opens the menu behind the button and chooses from it. */
  async choose(menu: string | RegExp, item: string): Promise<void> {
    await this.press(menu);
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
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

  readonly #noteError = (error: WebError) => void this.problems.push(error.error().message);
  readonly #hear = (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
  };

  /** Problems other than answers that browsers report by themselves, like a 404 that a test asks for. */
  get faults(): string[] {
    return this.problems.filter((problem) => !problem.startsWith('Failed to load resource'));
  }
}
