import { addOwner } from '@svc/demo/seed/owner';
import { prepareFixtures } from '../fixtures.ts';
import { setUp } from '../service.ts';
import type { BenchStore } from '../store.ts';

/** A program whose terms are measured. */
export type TermsProgram = { id: number; apiKey: string; termsPath: string; token: string };

/** Creates a program with buyers, and with an owner who may publish its terms. */
export async function createTermsProgram(store: BenchStore, buyers: number): Promise<TermsProgram> {
  const setup = await setUp(store);
  await prepareFixtures(store, setup, { visitors: 1, buyers });
  return {
    id: setup.program_id,
    apiKey: setup.api_key,
    termsPath: `/api/v1/manage/programs/${setup.program_id}/terms`,
    token: await store.withDb((db) => addOwner(db, setup.workspace_id)),
  };
}
