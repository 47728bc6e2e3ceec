import { exampleCode } from './example-code.ts';
import type { Snippet } from './snippet.ts';

const SHOPS = { stripe: 'stripe-checkout/server.js', paddle: 'paddle/server.js' } as const;

/** The processors for which there is a whole shop to try. */
export const EMPTY_SHOPS = ['stripe', 'paddle'] as const;

/** A whole shop on Express, to try everything before touching a real one. */
export function emptyShop(processor: (typeof EMPTY_SHOPS)[number], baseUrl: string, programId: number): Snippet {
  return { file: 'server.js', language: 'js', code: exampleCode(baseUrl, programId)(SHOPS[processor]) };
}
