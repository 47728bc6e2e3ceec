import type { Context } from '../context.ts';
import type { Encryption } from '../encryption.ts';
import type { Program } from '../programs/program.ts';

/** What is needed to find a person in hashed and encrypted data. */
export type PrivacyContext = Context & { emailSecret: string; encryption: Encryption };

export type ProgramOfPerson = Pick<Program, 'id' | 'workspaceId'>;
