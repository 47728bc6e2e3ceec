import type { RouteDefinition } from '@svc/contract';
import { z } from 'zod';
import type { CallRoute } from './call-route.ts';

/** The arguments of a tool call, as they were sent. The routes parse them. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has checked its arguments against its own schema
export type Args = any;

/** One request that changes something. */
export type Change = { route: RouteDefinition; params: Record<string, number>; body?: object };

export type Tool = {
  name: string;
  title: string;
  description: string;
  /** Partners get those for everyone. */
  for: 'brand' | 'everyone';
  input: z.ZodObject;
  does:
    | { reads: (call: CallRoute, args: Args) => Promise<unknown> }
    | {
        /** What the change is, in a sentence for the person who confirms it. */
        plans: (args: Args) => string;
        change: (args: Args) => Change;
        /** What the person should see before they confirm. */
        before?: (call: CallRoute, args: Args) => Promise<object>;
      };
};

export const programId = z.int().positive().describe('The id of the program; list_programs has them.');

export const ofProgram = ({ program_id }: Args) => ({ program_id });
