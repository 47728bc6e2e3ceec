import type { RouteDefinition } from '@svc/contract';
import { z } from 'zod';
import type { CallRoute } from './call-route.ts';

/** The arguments of a tool call, as they were sent. The routes parse them. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has checked its arguments against its own schema
export type Args = any;

/** One request that changes something. */
export type Change = { route: RouteDefinition; params: Record<string, number>; body?: object };

/** What will change, for the person who confirms it: a sentence, and the rows that it is about. */
export type Planned = { summary: string } & Record<string, unknown>;

type Reads = {
  reads: (call: CallRoute, args: Args) => Promise<unknown>;
  /** It answers at once, but what it asks is counted: its route takes the scope `write`. */
  isCounted?: true;
};

export type Writes = {
  change: (args: Args) => Change;
  plans: (call: CallRoute, args: Args) => Promise<Planned>;
  /** Whether it takes something away, and whether doing it twice is like doing it once. */
  hints: { destructiveHint: boolean; idempotentHint: boolean };
  /** False where the route cannot be tried out without doing it; `plans` then finds out what it would refuse. */
  isRehearsed?: false;
};

export type Tool = {
  name: string;
  title: string;
  description: string;
  /** Partners get those for everyone. */
  for: 'brand' | 'everyone';
  input: z.ZodObject;
  does: Reads | Writes;
};

export const programId = z.int().positive();

export const ofProgram = ({ program_id }: Args) => ({ program_id });
