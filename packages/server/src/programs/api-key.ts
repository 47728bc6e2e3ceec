import { hash, randomBytes } from 'node:crypto';
import { type KeyMode, PROGRAM_KEY_PREFIX, TEST_KEY_PREFIX } from '@svc/contract';

/** A program's key as the service stores it: only its hash, never the key itself. */
export type ProgramKey = {
  id: number;
  programId: number;
  hash: string;
  masked: string;
  /** Everything that is reported with it is a test event. */
  isTest: boolean;
  createdAt: Date;
  markedAt: Date | null;
  rotateBy: Date | null;
  lastUsedAt: Date | null;
};

/** A key that must be rotated. */
export type MarkedKey = ProgramKey & { markedAt: Date; rotateBy: Date };

type NewApiKey = { apiKey: string; hash: string; masked: string };

/** A new key, which is shown once, and what is stored of it. */
export function newApiKey(mode: KeyMode = 'live'): NewApiKey {
  const prefix = mode === 'test' ? TEST_KEY_PREFIX : PROGRAM_KEY_PREFIX;
  const apiKey = prefix + randomBytes(24).toString('base64url');
  return { apiKey, hash: hashApiKey(apiKey), masked: maskApiKey(apiKey) };
}

const SHAPE = new RegExp(`^(?:${PROGRAM_KEY_PREFIX}|${TEST_KEY_PREFIX})[A-Za-z0-9_-]{32}$`);

/** Whether the text has the form of a key; anything else is refused without asking the store. */
export function isKeyShaped(text: string): boolean {
  return SHAPE.test(text);
}

/** Keys are long and random, so a plain hash is enough. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

export function maskApiKey(key: string): string {
  return `${key.slice(0, 12)}****${key.slice(-4)}`;
}

/** A key marked for rotation works until its deadline, and is retired after it. */
export function rotationState(key: Pick<ProgramKey, 'rotateBy'>, now: Date): 'none' | 'due' | 'retired' {
  if (key.rotateBy === null) return 'none';
  return now.getTime() < key.rotateBy.getTime() ? 'due' : 'retired';
}
