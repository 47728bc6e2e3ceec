import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '@svc/contract';
import { describe, expect, it } from 'vitest';

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
);

// Their arguments are names, not messages.
const TAKES_A_NAME = /^errors\.(programKey|roleRequired)\(/;

/** Messages that are written where they are thrown. */
function messagesIn(path: string): string[] {
  const text = readFileSync(join(import.meta.dirname, path), 'utf8');
  const calls = text.match(/new ServiceError\(|errors\.\w+\(\s*['"`]/g) ?? [];
  return calls.filter((call) => !TAKES_A_NAME.test(call)).map((call) => `${path}: ${call}`);
}

describe('the error catalogue', () => {
  it('contains every error message that the service sends', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(messagesIn)).toEqual([]);
  });

  it('gives every error its own reason', () => {
    expect(errors.shortLinkTaken('jane').reason).toBe('short_link_taken');
    expect(errors.linkDisabled().reason).toBe('link_disabled');
  });
});
